import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Cursor,
  CursorKey,
  decodeCursor,
  digestKeys,
  encodeCursor,
  type KeyValue,
  MAX_CURSOR_LENGTH,
} from './cursor.ts';
import type { Sort } from './sort.ts';

const TEXT: Sort = { kind: 'attribute', attribute: 'name', direction: 'asc' };
const TIME: Sort = { kind: 'attribute', attribute: 'published_at', direction: 'desc' };
const FIELD_TEXT: Sort = { kind: 'field', handle: 'title', accessor: 'text', direction: 'asc' };
const FIELD_NUMBER: Sort = { kind: 'field', handle: 'rank', accessor: 'number', direction: 'desc' };
const SORTS = [TEXT, TIME, FIELD_TEXT, FIELD_NUMBER];
const KEY = Buffer.alloc(32, 7);
const REALM = { key: new CursorKey(KEY), siteId: 's_one', audience: 'public' };

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const text = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !each.includes('\0')),
);
const number = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
);
const keys = fc.tuple(text, number, text, number);

function encode(position: { id: string; keys: readonly KeyValue[] }, isForward = true, isInclusive = false): string {
  return encodeCursor({ position, isInclusive }, isForward, SORTS, REALM);
}

function decode(cursor: string, sorts: readonly Sort[] = SORTS, realm = REALM): Cursor | 'invalid' {
  const decoded = decodeCursor(cursor, sorts, realm);
  return decoded.ok ? decoded.value : decoded.problem;
}

describe('cursors', () => {
  test('contain the position and the direction, and decode to the values that were encoded', () => {
    fc.assert(
      fc.property(id, keys, fc.boolean(), fc.boolean(), (anyId, anyKeys, isForward, isInclusive) => {
        const position = { id: anyId, keys: anyKeys };
        expect(decode(encode(position, isForward, isInclusive))).toEqual({ position, isForward, isInclusive });
      }),
    );
  });

  test('are URL-safe and never longer than 1,024 characters, however long the keys are', () => {
    const long = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 400 }).filter((each) => !each.includes('\0'));
    fc.assert(
      fc.property(id, fc.array(long, { minLength: 8, maxLength: 8 }), (anyId, texts) => {
        const sorts = texts.map((_, index): Sort => ({ ...FIELD_TEXT, handle: `t${index}` }));
        const cursor = encodeCursor({ position: { id: anyId, keys: texts }, isInclusive: false }, true, sorts, REALM);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
      }),
    );
  });

  test('contain a digest of keys that do not fit, and only equal keys have the same digest', () => {
    const position = { id: 'c_1', keys: ['x'.repeat(400), 1, 'y'.repeat(400), null] };
    const decoded = decode(encode(position));
    expect(decoded).toMatchObject({ position: { id: 'c_1', digest: digestKeys(position.keys) } });
    for (const other of [
      ['x'.repeat(400), 1, 'y'.repeat(399), null],
      ['x'.repeat(400), null, 'y'.repeat(400), null],
      ['x'.repeat(400), 1, 'y'.repeat(400), 0],
      ['x'.repeat(400), 1, 'y'.repeat(400), ''],
    ]) {
      expect(digestKeys(other)).not.toBe(digestKeys(position.keys));
    }
  });

  test('are rejected if any character is changed, removed or added', () => {
    const cursor = encode({ id: 'c_1', keys: ['name', 1_700_000_000_000, null, -2.5] });
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'AZaz09_-+/= '), (index, character) => {
        const altered = cursor.slice(0, index) + character + cursor.slice(index + 1);
        if (altered !== cursor) expect(decode(altered)).toBe('invalid');
        expect(decode(cursor.slice(0, index) + cursor.slice(index + 1))).toBe('invalid');
        expect(decode(cursor.slice(0, index) + character + cursor.slice(index))).toBe('invalid');
      }),
    );
  });

  test('are rejected for a different sort, a different direction, or a different number of keys', () => {
    const cursor = encode({ id: 'c_1', keys: ['name', 1, 'title', 2] });
    expect(decode(cursor)).not.toBe('invalid');
    for (const sorts of [
      [],
      [TEXT],
      SORTS.toReversed(),
      SORTS.slice(1),
      [...SORTS, TIME],
      [{ ...TEXT, direction: 'desc' } as const, TIME, FIELD_TEXT, FIELD_NUMBER],
      [TEXT, TIME, { ...FIELD_TEXT, handle: 'other' } as const, FIELD_NUMBER],
      [TEXT, TIME, { ...FIELD_TEXT, accessor: 'number' } as const, FIELD_NUMBER],
    ]) {
      expect(decode(cursor, sorts)).toBe('invalid');
    }
  });

  test('are rejected with a different key, for a different site, or for a different audience', () => {
    const cursor = encode({ id: 'c_1', keys: ['name', 1, 'title', 2] });
    for (const other of [
      { key: new CursorKey(Buffer.alloc(32, 8)) },
      { siteId: 's_two' },
      { siteId: 's_one\0public' },
      { audience: 'preview' },
    ]) {
      expect(decode(cursor, SORTS, { ...REALM, ...other })).toBe('invalid');
    }
  });

  test('are signed with HMAC-SHA-256, regardless of their length', () => {
    for (const length of [0, 1, 55, 63, 64, 65, 700, 3000, 20_000]) {
      const content = '漢'.repeat(length);
      const expected = createHmac('sha256', KEY).update(`s_one${content}`).digest().subarray(0, 16);
      expect(Buffer.from(REALM.key.sign('s_one', content), 'latin1')).toEqual(expected);
    }
  });

  test('are rejected if they are malformed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (anything) => {
        expect(decode(anything)).toBe('invalid');
      }),
    );
    for (const anything of ['', '0', 'A'.repeat(MAX_CURSOR_LENGTH), 'A'.repeat(MAX_CURSOR_LENGTH + 4)]) {
      expect(decode(anything)).toBe('invalid');
    }
  });
});
