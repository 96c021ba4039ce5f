import type { WebhookBody } from '@galley/wire';
import { expect, test } from 'vitest';
import { buildWebhookBody, buildWebhookChange, type HeaderDraft, readWebhookValues } from './webhook-values.ts';

const WEBHOOK: WebhookBody = {
  id: 'wh_build',
  name: 'Rebuild',
  url: 'https://build.example/hook',
  kinds: ['content.published', 'import.finished'],
  content_types: ['article'],
  languages: null,
  header_names: ['authorization', 'x-team'],
  payload: 'full',
  is_batched: true,
  is_on: true,
  off_reason: null,
  off_at: null,
  failing_since: null,
  former_secret_until: null,
  last_call_at: null,
  waiting_calls: 0,
  failed_calls: 0,
  last_failed_at: null,
  created_at: '2026-01-01T00:00:00+00:00',
  changed_at: '2026-01-01T00:00:00+00:00',
};
const VALUES = readWebhookValues(WEBHOOK);

function draft(name: string, value: string): HeaderDraft {
  return { key: `${name} ${value}`, name, value, isStored: false };
}

test('converts a webhook to form values and back, and keeps the stored header values', () => {
  const { name, url, kinds, content_types, languages, payload, is_batched } = WEBHOOK;
  const headers = { authorization: null, 'x-team': null };
  expect(buildWebhookBody(VALUES)).toEqual({
    name,
    url,
    kinds,
    content_types,
    languages,
    headers,
    payload,
    is_batched,
  });
});

test('sends only the settings that were changed', () => {
  expect(buildWebhookChange({ ...VALUES, is_batched: false }, VALUES)).toEqual({ is_batched: false });
  expect(buildWebhookChange({ ...VALUES, all_types: true }, VALUES)).toEqual({ content_types: null });
  expect(buildWebhookChange({ ...VALUES, all_languages: false, languages: ['de'] }, VALUES)).toEqual({
    languages: ['de'],
  });
});

test('replaces, removes and adds headers, and ignores empty rows', () => {
  const [authorization] = VALUES.headers;
  const replaced = authorization === undefined ? [] : [{ ...authorization, value: 'Bearer new' }];
  const headers = [...replaced, draft(' X-New ', 'one'), draft('', '')];
  expect(buildWebhookChange({ ...VALUES, headers }, VALUES)).toEqual({
    headers: { authorization: 'Bearer new', 'X-New': 'one' },
  });
});

test('refuses a header that is in the list twice', () => {
  const headers = [draft('X-One', 'a'), draft('X-One', 'b')];
  expect(() => buildWebhookBody({ ...VALUES, headers })).toThrow('The header X-One is in the list twice.');
});
