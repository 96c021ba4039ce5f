import { describe, expect, test } from 'vitest';
import { buildTextDigest, decodeBody, encodeBody, PIECES, readIds, refersToOthers } from './body.ts';

const PIECE_TEXTS = ['["c_2"]', '', '{"id":"c_1"', 'a/b', ',"language":"en"', ',"seo":{}', '}', '"value"', ''];

describe('a body', () => {
  test('gives back what it was made of', () => {
    const body = decodeBody(encodeBody(12, 7, PIECE_TEXTS));
    expect(body).toMatchObject({ typeNo: 12, authorNo: 7, isAscii: true });
    expect(body.pieces.slice(PIECES.links)).toEqual(PIECE_TEXTS);
    expect(readIds(body, PIECES.links)).toEqual(['c_2']);
    expect(readIds(body, PIECES.assets)).toEqual([]);
    expect(decodeBody(encodeBody(1, null, [''])).authorNo).toBe(null);
  });

  test('has a digest that changes with its type, its author and each piece', () => {
    const digestOf = (typeNo: number, authorNo: number | null, pieces: readonly string[]): string =>
      decodeBody(encodeBody(typeNo, authorNo, pieces)).digest;
    const digests = [
      digestOf(1, 2, PIECE_TEXTS),
      digestOf(2, 2, PIECE_TEXTS),
      digestOf(1, 3, PIECE_TEXTS),
      digestOf(1, null, PIECE_TEXTS),
      digestOf(12, null, PIECE_TEXTS),
      ...PIECE_TEXTS.map((_, index) => digestOf(1, 2, PIECE_TEXTS.with(index, '"other"'))),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    for (const digest of digests) expect(digest).toMatch(/^[\w-]{22}$/);
  });

  test('knows whether its length is its size', () => {
    expect(decodeBody(encodeBody(1, 2, ['', '', '"caf\u00e9"'])).isAscii).toBe(false);
  });

  test('knows whether it refers to others', () => {
    const refers = (links: string, assets: string): boolean =>
      refersToOthers(decodeBody(encodeBody(1, 2, [links, assets, '{}'])));
    expect([refers('', ''), refers('["c_2"]', ''), refers('', '["a_1"]')]).toEqual([false, true, true]);
  });
});

describe('the digest of a text', () => {
  test('is the same for the same text, and another for one that only looks alike', () => {
    expect(buildTextDigest('\u00e9')).toBe(buildTextDigest('\u00e9'));
    for (const other of ['e\u0301', '\u00c9', '\u00e9 ', ''])
      expect(buildTextDigest(other)).not.toBe(buildTextDigest('\u00e9'));
  });
});
