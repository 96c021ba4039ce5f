import type { ManagedTypeBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { formatMoment } from '../elements/time-text.tsx';
import { listDetails } from './list-details.ts';

const TITLE = { id: 'f_1', handle: 'title', name: 'Headline', type: 'text', hidden: false, required: true } as const;
const TYPES: readonly ManagedTypeBody[] = [
  {
    id: 't_1',
    handle: 'post',
    name: 'Post',
    object_type: 'page',
    uri_pattern: '{slug}',
    fields: [{ ...TITLE, help_text: null }],
  },
];
const DUE = '2026-01-05T09:00:00+00:00';
const NO_TITLE = { path: 'fields.title', message: 'is required and has no value', code: 'required' };
const TAKEN = { path: 'slug', message: 'is taken by content c_2', code: 'taken', values: { name: 'Old pier' } };

test.each([
  ['content.translate', { from: 'c_1', language: 'de' }, ['From: c_1', 'Language: German']],
  ['site.set_default_language', { language: 'de', before: 'en' }, ['Language: German', 'Before: English']],
  ['user.change_role', { before: 'editor', after: 'owner' }, ['Before: editor', 'After: owner']],
  [
    'author.update',
    { before: { name: 'Ada', email: null }, after: { name: 'Ida', email: 'i@a.example' }, id: 3 },
    ['ID: 3', 'Name: Ada → Ida', 'Email: (empty) → i@a.example'],
  ],
  ['user.rename', { before: 'en' }, ['Before: en']],
  ['content.publish', null, []],
  ['key.create', { rate_limit: 5, expires_at: null }, ['Rate limit: 5', 'Expires at: (empty)']],
  ['content.schedule', { publish_at: DUE }, [`Publish at: ${formatMoment(DUE)}`]],
])('lists the details of %s as text: %j', (action, details, rows) => {
  expect(listAloud(action, details)).toEqual(rows);
});

test.each([
  ['publish', [NO_TITLE, TAKEN], 'Headline is empty.\nSlug: “Old pier” already uses this slug.'],
  ['unpublish', [], 'Galley could not unpublish this content. Try to unpublish it now.'],
  ['publish', undefined, 'Galley could not publish this content. Try to publish it now.'],
])('lists why the schedule failed to %s, worded as in the editor: %j', (action, errors, reason) => {
  const details = { action, reason: 'Content c_1 cannot be published.', errors, content_type: 'post', due_at: DUE };
  expect(listAloud('schedule.fail', details)).toEqual([
    `Scheduled action: ${action === 'publish' ? 'Publish' : 'Unpublish'}`,
    `Reason: ${reason}`,
    `Scheduled for: ${formatMoment(DUE)}`,
  ]);
});

test('lists nothing about a failed schedule whose reason was deleted', () => {
  expect(listAloud('schedule.fail', null)).toEqual([]);
});

function listAloud(action: string, details: Readonly<Record<string, unknown>> | null): readonly string[] {
  return listDetails({ action, details }, TYPES).map(({ label, text }) => `${label}: ${text}`);
}
