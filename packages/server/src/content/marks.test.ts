import { vercelStegaDecode, vercelStegaEncode } from '@vercel/stega';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeMark, mayHaveMarks, removeMarks, removeMarksDeep } from './marks.ts';

const MARK = encodeMark({ id: 'c_1', path: 'fields.title', language: 'en' });
const START = MARK.slice(0, 8);
const END = MARK.slice(-4);

test('a mark is JSON with the origin first', () => {
  const asset = { id: 'c_1', path: 'fields.hero.assets[0]', language: 'pt-BR', asset: 'a_1' };
  expect(MARK).toBe(vercelStegaEncode({ origin: 'galley', id: 'c_1', path: 'fields.title', language: 'en' }));
  expect(JSON.stringify(vercelStegaDecode(encodeMark(asset)))).toBe(JSON.stringify({ origin: 'galley', ...asset }));
});

describe('removeMarks', () => {
  test.each([
    ['at the end', `Title${MARK}`, 'Title'],
    ['at the start and in the middle', `${MARK}<p>a${MARK}</p>b`, '<p>a</p>b'],
    ['one after the other', `a${MARK}${MARK}b`, 'ab'],
    ['of other services', `a${vercelStegaEncode({ origin: 'example.com', href: '/x' })}`, 'a'],
    ['next to zero-width characters that people type', `می\u200c${MARK}\u200cخواهم`, 'می\u200c\u200cخواهم'],
    ['that appear when another mark is removed', `a${START.slice(0, 3)}${MARK}${START.slice(3)}${MARK.slice(8)}`, 'a'],
    ['that are nested in each other', `a${MARK.slice(0, 40)}${MARK}${MARK.slice(40)}b`.repeat(2), undefined],
  ])('removes marks %s', (_, text, expected) => {
    const cleaned = removeMarks(text);
    if (expected !== undefined) expect(cleaned).toBe(expected);
    expect(cleaned).not.toMatch(COMPLETE);
  });

  test.each([
    ['no marks', 'Title'],
    ['Persian', 'می\u200cخواهم'],
    ['emoji', '👩\u200d👩\u200d👧\u200d👦 👩\u200d💻'],
    ['a byte order mark', '\ufeffTitle'],
    ['many zero-width spaces', `a${'\u200b'.repeat(50)}b`],
    ['a mark that was cut off', `Title${MARK.slice(0, -1)}`],
    ['the end of a mark', `Title${MARK.slice(1)}`],
    ['a mark with a letter in it', `Title${MARK.slice(0, 20)}x${MARK.slice(20)}`],
  ])('does not change text with %s', (_, text) => {
    expect(removeMarks(text)).toBe(text);
  });

  test('removes the same marks as the preview library, and leaves none', () => {
    const part = fc.constantFrom(
      '\u200b',
      '\u200c',
      '\u200d',
      '\ufeff',
      'x',
      START,
      END,
      MARK,
      MARK.slice(0, 30),
      MARK.slice(30),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const once = text.replaceAll(COMPLETE, '');
        const cleaned = removeMarks(text);
        if (once.search(COMPLETE) === -1) expect(cleaned).toBe(once);
        expect(cleaned).not.toMatch(COMPLETE);
        expect(removeMarks(cleaned)).toBe(cleaned);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['starts without an end', START.repeat(5000)],
    ['shifted starts without an end', `${START}\u200b`.repeat(5000)],
    ['one endless mark', START + '\u200b'.repeat(50_000)],
  ])('does not change hostile text: %s', (_, text) => {
    expect(removeMarks(text)).toBe(text);
  });

  test('removes thousands of nested marks', () => {
    expect(removeMarks(`${START.slice(0, 4).repeat(2000)}${MARK}${MARK.slice(4).repeat(2000)}`)).toBe('');
  });
});

/** The same pattern as in the preview library. */
const COMPLETE = new RegExp(`${START}(?:(?:[\u200b-\u200d]|\ufeff){4})*?${END}`, 'g');

describe('removeMarksDeep', () => {
  test('removes marks from all text, and copies only values that have marks', () => {
    const clean = { a: ['x', 1, null, true], b: { c: 'y' } };
    expect(removeMarksDeep(clean)).toBe(clean);
    const marked = { ...clean, d: [{ e: `z${MARK}` }, `${MARK}`] };
    expect(removeMarksDeep(marked)).toEqual({ ...clean, d: [{ e: 'z' }, ''] });
    expect(Object(removeMarksDeep(marked)).b).toBe(clean.b);
  });

  test('keeps properties that objects inherit', () => {
    const value: unknown = JSON.parse(`{"__proto__": "x${MARK}", "constructor": 1}`);
    expect(JSON.stringify(removeMarksDeep(value))).toBe('{"__proto__":"x","constructor":1}');
  });
});

test('finds marks in JSON text, escaped or not', () => {
  const spell = (text: string, digits: (code: number) => string) =>
    [...text].map((it) => `\\u${digits(it.charCodeAt(0)).padStart(4, '0')}`).join('');
  expect(mayHaveMarks(JSON.stringify({ a: `x${MARK}` }))).toBe(true);
  expect(mayHaveMarks(spell(MARK, (code) => code.toString(16)))).toBe(true);
  expect(mayHaveMarks(spell(MARK, (code) => code.toString(16).toUpperCase()))).toBe(true);
  // Some programs escape all of these characters except U+200B.
  const spaces = MARK.slice(0, 4);
  expect(mayHaveMarks(spaces + spell(MARK.slice(4), (code) => code.toString(16)))).toBe(true);
  expect(mayHaveMarks('{"a": "می\u200cخواهم"}')).toBe(false);
});
