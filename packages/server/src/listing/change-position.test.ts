import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChangePosition, decodePosition, encodePosition } from './change-position.ts';

const row = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const time = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });
const place = fc.record({
  language: fc.constantFrom('en', 'pt-BR', 'zh-Hant-TW'),
  id,
  at: fc.option(time, { nil: null }),
});
const inside = fc.oneof(
  fc.constant({ shown: null, linking: null }),
  fc.record({ shown: place, linking: fc.option(id, { nil: null }) }),
);
const position: fc.Arbitrary<ChangePosition> = fc.oneof(
  fc.record({ mode: fc.constant('changes' as const), row, inside: fc.option(inside, { nil: null }) }),
  fc.record({ mode: fc.constant('sync' as const), row, after: fc.option(place, { nil: null }) }),
  fc.constant({ mode: 'now' as const, row: 0 as const }),
);

test('decoding an encoded position returns the original', () => {
  fc.assert(
    fc.property(position, (each) => {
      expect(decodePosition(encodePosition(each))).toEqual(each);
    }),
  );
});

test('a position needs no escaping in a URL', () => {
  fc.assert(
    fc.property(position, (each) => {
      expect(encodePosition(each)).toMatch(/^[\w.:-]+$/);
    }),
  );
});

test.each([
  '',
  'sync',
  'sync.',
  'sync.k3.',
  'sync.k3.c_1',
  'sync.k3.en:c_1.c_2',
  'K3',
  'k3.c_1',
  'k3.en:',
  'k3.:c_1',
  'k3.en:c_1:c_2',
  'k3.en:c_1:k3:k3',
  'k3..c_2',
  'k3.en:c_1.',
  'k3.en:c_1.c_2.c_3',
  'zzzzzzzzzzz',
  `k3.en:${'c'.repeat(65)}`,
  'k3 ',
])('%j is not a position', (text) => {
  expect(decodePosition(text)).toBe(undefined);
});
