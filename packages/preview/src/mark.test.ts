import { vercelStegaEncode } from '@vercel/stega';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMark, encodeField, findMarks, hasMark, type Mark } from './mark.ts';
import { removeMarks, START } from './remove-marks.ts';

function encode(mark: object): string {
  return vercelStegaEncode({ origin: 'galley', ...mark });
}

const TITLE = { id: 'c_1', path: 'fields.title', language: 'en' };
const BODY = { id: 'c_1', path: 'fields.body.blocks[0].fields.text', language: 'de' };
/** The zero-width characters that people use: in emoji, in Persian, as break opportunities and at the start of files. */
const HUMAN = [
  '👩\u200d👩\u200d👧',
  'می\u200cخواهم',
  'a\u200bb',
  '\ufeffstart',
  '\u200b\u200b\u200b\u200b',
  '\u200c\u200d\ufeff\u200b\u200c',
];

test.each(['at the end', 'at the start', 'in the middle'])('finds a mark %s of the text', (place) => {
  const [before, after] =
    place === 'at the end' ? ['Text', ''] : place === 'at the start' ? ['', 'Text'] : ['Te', 'xt'];
  expect(decodeMark(`${before}${encode(TITLE)}${after}`)).toMatchObject(TITLE);
});

test('finds several marks in order, even without text between them', () => {
  const text = `One${encode(TITLE)} and ${encode(BODY)}${encode(TITLE)}two`;
  const found = findMarks(text);
  expect(found.map(({ mark }) => mark.path)).toEqual([TITLE.path, BODY.path, TITLE.path]);
  expect(text.slice(0, found[0]?.start)).toBe('One');
  expect(text.slice(found[0]?.end, found[1]?.start)).toBe(' and ');
  expect(text.slice(found[2]?.end)).toBe('two');
});

test.each([
  ['no marks', 'Text'],
  ['an incomplete mark', `Text${encode(TITLE).slice(0, -1)}`],
  ['the mark of another tool', `Text${vercelStegaEncode({ origin: 'elsewhere.example', href: '/' })}`],
  ['a mark without a path', `Text${encode({ id: 'c_1' })}`],
  ...HUMAN.map((text) => ['zero-width characters of its own', text]),
])('finds no mark in text with %s', (_title, text) => {
  expect(decodeMark(text)).toBeUndefined();
});

test.each(HUMAN)('removes a mark but keeps zero-width characters that belong to the text: %j', (text) => {
  expect(removeMarks(text)).toBe(text);
  expect(removeMarks(`${text} ${encode(TITLE)}${text}`)).toBe(`${text} ${text}`);
});

test.each([
  ['starts without an end', START.repeat(5000)],
  ['shifted starts without an end', `${START}\u200b`.repeat(5000)],
  ['starts in each position of a byte', `${START}\u200c`.repeat(5000)],
  ['one endless mark', START + '\u200b'.repeat(50_000)],
  ['one endless mark without zero bytes', START + '\u200c'.repeat(50_000)],
])('finds no mark in hostile text: %s', (_title, text) => {
  expect(removeMarks(text)).toBe(text);
  expect(findMarks(text)).toEqual([]);
});

test('decoding undoes encoding for any ID, path and language', () => {
  const word = fc.stringMatching(/^[\w.[\]-]{1,40}$/);
  fc.assert(
    fc.property(fc.record({ id: word, path: word, language: word }), fc.string(), (mark: Mark, text) => {
      const marked = `${text}${encode(mark)}`;
      expect(findMarks(marked).at(-1)?.mark).toMatchObject(mark);
      expect(removeMarks(marked)).toBe(removeMarks(text));
    }),
  );
});

describe('the search for a field', () => {
  const contains = (mark: object, path: string) => hasMark(`Text${encode(mark)}`, encodeField('c_1', path));

  test.each([
    ['the field itself', 'fields.title', TITLE],
    ['a part of it', 'fields.body', BODY],
    ['the field around it', 'fields.title.blocks[12].fields.text', TITLE],
  ])('matches %s', (_title, path, mark) => {
    expect(contains(mark, path)).toBe(true);
  });

  test.each([
    ['another field', 'fields.intro', TITLE],
    ['a field whose handle begins with the handle around it', 'fields.ti.list[0]', TITLE],
    ['the same field of other content', 'fields.title', { ...TITLE, id: 'c_12' }],
  ])('does not match %s', (_title, path, mark) => {
    expect(contains(mark, path)).toBe(false);
  });
});
