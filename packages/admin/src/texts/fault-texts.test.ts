import { expect, test } from 'vitest';
import type { Fault } from '../api/api-error.ts';
import { describeFaults, ERROR_TEXTS, sayFault } from './fault-texts.ts';

const cases: readonly (readonly [Omit<Fault, 'message'>, string | undefined, string])[] = [
  [{ path: 'fields.title', code: 'required' }, 'Title', 'Title is empty.'],
  [{ path: '', code: 'required' }, undefined, 'This is required.'],
  [{ path: 'sites', code: 'required' }, 'Sites', 'Choose a site.'],
  [{ path: 'fields.sites', code: 'required' }, 'Sites', 'Sites is empty.'],
  [
    { path: 'slug', code: 'taken', values: { id: 'c_1', name: 'The lost anchor' } },
    'Slug',
    '“The lost anchor” already uses this slug.',
  ],
  [{ path: 'fields[2].handle', code: 'taken' }, 'Handle', 'This handle is already in use.'],
  [{ path: 'id', code: 'taken' }, 'ID', 'This ID is already in use.'],
  [
    { path: 'slug', code: 'url_taken', values: { path: 'ada', id: 'c_ada', name: 'Ada' } },
    'Slug',
    '“Ada” already uses the URL /ada.',
  ],
  [
    { path: 'fields.title.text', code: 'too_long', values: { max: 80, length: 81 } },
    'Title',
    'Title can have at most 80 characters.',
  ],
  [{ path: 'fields.tags.list', code: 'too_few', values: { min: 1, count: 0 } }, 'Tags', 'Add at least 1 item to Tags.'],
  [{ path: 'fields.rank.number', code: 'too_small', values: { min: 3 } }, 'Rank', 'Rank must be 3 or more.'],
  [{ path: 'min', code: 'too_large', values: { max: 3 } }, 'Minimum', 'Minimum must be 3 or less.'],
  [
    { path: 'required', code: 'values_missing', values: { total: 1, name: 'First' } },
    'Required',
    '“First” is published without a value in this field. Add a value, publish, and try again.',
  ],
  [
    { path: 'hidden', code: 'values_missing', values: { total: 3, name: 'First' } },
    'Hidden',
    '“First” and 2 other published pages have no value in this field. Add the missing values, publish, and try again.',
  ],
  [
    { path: 'author', code: 'not_found', values: { kind: 'author', id: 'u_1' } },
    'Author',
    'This author no longer exists.',
  ],
  [
    { path: 'fields.mood.selected_option', code: 'not_allowed', values: { value: 'sad' } },
    'Mood',
    'Mood does not allow “sad”.',
  ],
  [{ path: 'fields.body.text' }, 'Body', 'Body must be shorter.'],
  [{ path: '' }, undefined, 'Must be shorter.'],
];

test.each(cases)('describes %j for %s as %s', (fault, label, text) => {
  expect(sayFault({ ...fault, message: 'must be shorter' }, label)).toBe(text);
});

test('shows the message for a code that the panel does not recognise', () => {
  const fault: Fault = JSON.parse('{"path":"name","message":"must rhyme","code":"no_rhyme"}');
  expect(sayFault(fault, 'Name')).toBe('Name must rhyme.');
});

test('describes an error by its readable path if the page has no input for it', () => {
  const message = 'must be shorter';
  const faults: readonly Fault[] = [
    { path: 'expires_at', message },
    { path: 'sites[1]', message, code: 'duplicate' },
    { path: '', message },
  ];
  expect(describeFaults(faults)).toBe('Expires at must be shorter.\nSites is used twice.\nMust be shorter.');
  expect(describeFaults([])).toBeUndefined();
});

/**
 * Errors as the service sends them, and what the panel shows instead, because the service's messages contain ids, handles or language tags.
 */
const REWORDED: readonly (readonly [keyof typeof ERROR_TEXTS, string, Readonly<Record<string, unknown>>, string])[] = [
  [
    'in_use',
    'Asset a_1 cannot be deleted: 4 content records refer to it.',
    { total: 4 },
    'Used in 4 pages. Remove it there first.',
  ],
  [
    'in_use',
    'Content type t_post is in use: 4 content objects of this type.',
    { contents: 4, allowed_by: [] },
    'This is still in use. First remove it from the content that uses it.',
  ],
  [
    'linked',
    '1 published page links to c_1. These links will stop working. Confirm to continue.',
    { total: 1, has_more: false },
    '1 published page links here. Its link will stop working.',
  ],
  [
    'linked',
    'More than 1000 published pages link to c_1. These links will stop working. Confirm to continue.',
    { total: 1000, has_more: true },
    'More than 1,000 published pages link here. Their links will stop working.',
  ],
  [
    'url_taken',
    'Content c_1 cannot be published: “Ada” (c_2) is already published at /ada.',
    { reason: 'url_taken', path: 'ada' },
    'Another published page already uses this URL.',
  ],
  [
    'values_lost',
    'Deleting the field f_1 would permanently delete its values in 2 content objects.',
    { contents_with_value: 2 },
    'Some content has values that would be lost. Reload the page and try again.',
  ],
  [
    'values_missing',
    'Field f_1 cannot be required: 1 content object has no value in it.',
    { contents_without_value: 1 },
    'Some published pages have no value in this field. Add the missing values, publish, and try again.',
  ],
  [
    'wrong_state',
    'Content c_1 is archived; it can only be restored.',
    { reason: 'archived' },
    'This is archived. Restore it first.',
  ],
  [
    'wrong_state',
    'Content c_1 is not due yet.',
    { reason: 'not_due' },
    'This is not possible at the moment. Reload the page.',
  ],
  [
    'wrong_state',
    'Site s_1 has no preview address yet. An owner can add one.',
    { reason: 'no_preview' },
    'This site has no preview address yet. An owner can add one.',
  ],
  [
    'wrong_state',
    'Webhook w_1 is switched off. Switch it on first.',
    { reason: 'webhook_off' },
    'This webhook is switched off. Switch it on first.',
  ],
  [
    'wrong_state',
    'Call wc_1 is still pending. Galley will send it.',
    { reason: 'call_pending' },
    'This call is still pending. Galley will send it.',
  ],
  [
    'limit_reached',
    'Webhook w_1 already has 1000 pending calls.',
    { reason: 'calls_pending', total: 1000 },
    'This webhook already has 1,000 pending calls.',
  ],
  [
    'limit_reached',
    'Asset a_1 would have 51 tags. An asset can have at most 50.',
    { reason: 'too_many_tags', name: 'Heron', total: 51, limit: 50 },
    '“Heron” would have 51 tags. An asset can have at most 50.',
  ],
  [
    'conflict',
    'API key k_1 is revoked.',
    { reason: 'key_revoked' },
    'This API key has been revoked, so it can no longer be changed.',
  ],
  [
    'conflict',
    'Use PUT /session/password to change your own password.',
    { reason: 'own_password' },
    'Use “Change password” in the user menu to change your own password.',
  ],
  [
    'conflict',
    'de is the default language of site s_1. Make a different language the default first.',
    { reason: 'default_language', language: 'de' },
    'German is the default language. Make another one the default first.',
  ],
  [
    'conflict',
    'fr cannot become the default language: there is 1 content record in en without a translation into fr.',
    { reason: 'untranslated', language: 'fr', default_language: 'en', total: 1 },
    'French cannot become the default language: 1 page in English has no French translation.',
  ],
  [
    'conflict',
    'fr cannot become the default language: there are 2 content records in en without a translation into fr.',
    { reason: 'untranslated', language: 'fr', default_language: 'en', total: 2 },
    'French cannot become the default language: 2 pages in English have no French translation.',
  ],
  ['taken', 'Site s_1 already exists.', { reason: 'id_taken' }, 'This ID is already in use.'],
  [
    'taken',
    'Site s_1 is being deleted. Wait until it is gone, or delete it again to resume the deletion.',
    { reason: 'being_deleted' },
    'A site with this ID is still being deleted. Wait until it is gone.',
  ],
  [
    'taken',
    'Site s_1 already has the language pt-BR.',
    { reason: 'language_exists', language: 'pt-BR' },
    'This site already has Brazilian Portuguese.',
  ],
  [
    'taken',
    'Content c_1 is already the de version.',
    { reason: 'translated', language: 'de', is_archived: false },
    'There is already a version in German.',
  ],
  [
    'taken',
    'Content c_1, which is archived, is already the de version.',
    { reason: 'translated', language: 'de', is_archived: true },
    'There is already a version in German, but it is archived. Restore it instead.',
  ],
];

const ID = /\b[a-z]{1,2}_\w+/;
const LANGUAGE_TAG = /\b(?:de|en|fr|pt-BR)\b/;

test.each(REWORDED)('describes %s (%s) with %j as %s', (code, message, details, text) => {
  expect(ERROR_TEXTS[code]({ message, details })).toBe(text);
  expect(text).not.toMatch(ID);
  expect(text).not.toMatch(LANGUAGE_TAG);
});
