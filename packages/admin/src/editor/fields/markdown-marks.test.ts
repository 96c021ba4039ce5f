import { expect, test } from 'vitest';
import { MARKDOWN_MARKS, toggleMark } from './markdown-marks.ts';

test.each([
  ['bold', 'a **word** here'],
  ['italic', 'a _word_ here'],
  ['link', 'a [word](https://) here'],
  ['code', 'a `word` here'],
  ['heading', '## a word here'],
  ['list', '- a word here'],
  ['quote', '> a word here'],
] as const)('applies %s to the selection', (mark, expected) => {
  const marked = toggleMark({ text: 'a word here', start: 2, end: 6 }, mark);
  expect(marked.text).toBe(expected);
  expect(marked.text.slice(marked.start, marked.end)).toBe('word');
});

test.each(MARKDOWN_MARKS)('restores the text after %s is toggled twice', (mark) => {
  const selection = { text: 'first\na word here\nlast', start: 8, end: 12 };
  expect(toggleMark(toggleMark(selection, mark), mark)).toEqual(selection);
});

test('formats each selected line', () => {
  expect(toggleMark({ text: 'one\ntwo\nthree', start: 1, end: 6 }, 'list').text).toBe('- one\n- two\nthree');
});
