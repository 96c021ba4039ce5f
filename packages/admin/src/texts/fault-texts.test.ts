import { expect, test } from 'vitest';
import type { Fault } from '../api/api-error.ts';
import { describeFaults, ERROR_TEXTS, sayFault } from './fault-texts.ts';

const cases: readonly (readonly [Omit<Fault, 'message'>, string | undefined, string])[] = [
  [{ path: 'fields.title', code: 'required' }, 'Title', 'Title is empty.'],
  [{ path: '', code: 'required' }, undefined, 'This is required.'],
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

const error = { message: 'Content c_1 …', details: {} };

test.each([
  ['in_use', { total: 4 }, 'Used in 4 pages. Remove it there first.'],
  ['in_use', { contents: 4 }, 'Content c_1 …'],
  ['linked', { total: 1, has_more: false }, '1 published page links here. Its link will stop working.'],
  [
    'linked',
    { total: 1000, has_more: true },
    'More than 1,000 published pages link here. Their links will stop working.',
  ],
  ['wrong_state', { reason: 'archived' }, 'This is archived. Restore it first.'],
  ['wrong_state', { reason: 'not_due' }, 'Content c_1 …'],
] as const)('describes %s with %j as %s', (code, details, text) => {
  expect(ERROR_TEXTS[code]({ ...error, details })).toBe(text);
});
