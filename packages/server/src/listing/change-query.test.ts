import { expect, test } from 'vitest';
import { parseChangeQuery, parseStreamQuery } from './change-query.ts';

const DEFAULTS = { since: null, types: null, limit: 100, hasContent: false, waitMs: 0 };

test.each([
  ['', {}],
  ['unknown=1', {}],
  ['since=k3', { since: { mode: 'changes', row: 723, inside: null } }],
  ['content_type=a&content_type=b', { types: new Set(['a', 'b']) }],
  ['content_type[]=a', { types: new Set(['a']) }],
  ['limit=1000', { limit: 1000 }],
  ['include=content&wait=30', { hasContent: true, waitMs: 30_000 }],
])('%j is parsed, with defaults for missing parameters', (text, expected) => {
  expect(parseChangeQuery(text)).toEqual({ ok: true, value: { ...DEFAULTS, ...expected } });
});

test.each([
  ['since=', 'The since parameter is not a position from the feed.'],
  ['since=a&since=b', 'The since parameter takes exactly one value.'],
  ['limit=1001', 'The limit parameter is "1001"; an integer from 1 to 1000 is allowed.'],
  ['wait=0', 'The wait parameter is "0"; an integer from 1 to 30 is allowed.'],
  ['include=all', 'The include parameter is "all"; only content is allowed.'],
  ['content_type=', 'The content_type parameter is empty; give it a value or leave it out.'],
])('%j is rejected', (text, problem) => {
  expect(parseChangeQuery(text)).toEqual({ ok: false, problem });
});

test.each([
  ['', undefined, {}],
  ['since=k3', undefined, { since: { mode: 'changes', row: 723, inside: null } }],
  ['since=k3', 'k4', { since: { mode: 'changes', row: 724, inside: null } }],
  ['wait=99&limit=0&include=content&content_type=a', undefined, { hasContent: true, types: new Set(['a']) }],
])('%j with the last event %j is parsed for a stream', (text, lastEventId, expected) => {
  expect(parseStreamQuery(text, lastEventId)).toEqual({ ok: true, value: { ...DEFAULTS, ...expected } });
});

test.each([
  ['since=', undefined, 'The since parameter is not a position from the feed.'],
  ['since=k3', 'k3!', 'The Last-Event-ID header is not a position from the feed.'],
  ['include=all', undefined, 'The include parameter is "all"; only content is allowed.'],
])('%j with the last event %j is rejected for a stream', (text, lastEventId, problem) => {
  expect(parseStreamQuery(text, lastEventId)).toEqual({ ok: false, problem });
});
