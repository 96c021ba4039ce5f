import { describe, expect, test } from 'vitest';
import {
  buildTextDigest,
  decodeBody,
  encodeBody,
  isWhole,
  PIECES,
  readIds,
  refersToOthers,
  replaceAuthor,
} from './body.ts';

const PIECE_TEXTS = ['["c_2"]', '', '{"id":"c_1"', 'a/b', ',"language":"en"', ',"seo":{}', '}', '"value"', ''];

describe('a body', () => {
  test('decodes to the original values', () => {
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

  test('records whether it is all ASCII', () => {
    expect(decodeBody(encodeBody(1, 2, ['', '', '"caf\u00e9"'])).isAscii).toBe(false);
  });

  test('records whether it has links or assets', () => {
    const refers = (links: string, assets: string): boolean =>
      refersToOthers(decodeBody(encodeBody(1, 2, [links, assets, '{}'])));
    expect([refers('', ''), refers('["c_2"]', ''), refers('', '["a_1"]')]).toEqual([false, true, true]);
  });
});

describe('damage to a body', () => {
  const PIECES_OF_C1 = PIECE_TEXTS.with(2, '{"id":"c_1","slug":"caf\u00e9"');
  const text = encodeBody(12, 7, PIECES_OF_C1);

  test('is detected if any character is altered, removed or added', () => {
    expect(isWhole(decodeBody(text), 'c_1')).toBe(true);
    for (let index = 0; index < text.length; index += 1) {
      const [before, after] = [text.slice(0, index), text.slice(index + 1)];
      for (const other of ['x', '\n', '\ufffd', '']) {
        if (other === text[index]) continue;
        expect(isWhole(decodeBody(before + other + after), 'c_1'), `${index} ${JSON.stringify(other)}`).toBe(false);
      }
    }
    expect(isWhole(decodeBody(`${text}\n`), 'c_1')).toBe(false);
  });

  test('is detected even if a piece is very long', () => {
    const long = encodeBody(12, 7, PIECES_OF_C1.with(7, `"${'caf\u00e9 \u{1f600} '.repeat(20_000)}"`));
    expect(isWhole(decodeBody(long), 'c_1')).toBe(true);
    for (const [from, to] of [
      ['\u{1f600}', '\ud83d'],
      ['caf', 'kaf'],
      ['a/b', 'a/c'],
      ['"\n', '"\n\n'],
      ['12 7', '12 8'],
    ] as const) {
      expect(isWhole(decodeBody(long.replace(from, to)), 'c_1'), from).toBe(false);
    }
  });

  test('is detected if the body is intact but belongs to different content', () => {
    expect(isWhole(decodeBody(text), 'c_2')).toBe(false);
    expect(isWhole(decodeBody(text), 'c_')).toBe(false);
  });

  test('is still detected after the author is replaced', () => {
    expect(replaceAuthor(text, null)).toBe(encodeBody(12, null, PIECES_OF_C1));
    const damaged = text.replace('value', 'valve');
    expect(isWhole(decodeBody(replaceAuthor(damaged, null)), 'c_1')).toBe(false);
  });
});

describe('the digest of text', () => {
  test('is the same for the same text, and differs for similar text', () => {
    expect(buildTextDigest('\u00e9')).toBe(buildTextDigest('\u00e9'));
    for (const other of ['e\u0301', '\u00c9', '\u00e9 ', ''])
      expect(buildTextDigest(other)).not.toBe(buildTextDigest('\u00e9'));
  });
});
