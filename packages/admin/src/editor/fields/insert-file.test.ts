import { expect, test } from 'vitest';
import { insertMarkdown, writePicture } from './insert-file.ts';

const HERON = {
  name: 'Heron [1]',
  description: null,
  url: 'https://galley.example/assets/s/a/0/heron.jpg',
  is_image: true,
  width: 1600,
  height: 900,
};
const PICTURE = '![Heron \\[1\\]](https://galley.example/assets/s/a/0/heron.jpg)';

test.each([
  ['in an empty document', '', 0, PICTURE],
  ['at the end of a line', 'One', 3, `One\n\n${PICTURE}`],
  ['between paragraphs', 'One\n\nTwo', 5, `One\n\n${PICTURE}\n\nTwo`],
  ['on an empty line', 'One\n\n\n\nTwo', 5, `One\n\n${PICTURE}\n\nTwo`],
  ['within a line', 'One two', 4, `One \n\n${PICTURE}\n\ntwo`],
])('inserts a picture %s, in its own paragraph', (_, text, at, expected) => {
  const { text: inserted, end } = insertMarkdown(text, { at, before: text.slice(0, at) }, 0, HERON);
  expect(inserted).toBe(expected);
  expect(inserted.slice(0, end).endsWith(PICTURE)).toBe(true);
});

test('inserts at the cursor if the text before the insertion point has changed', () => {
  expect(insertMarkdown('Changed text', { at: 3, before: 'One' }, 12, HERON).text).toBe(`Changed text\n\n${PICTURE}`);
});

test('describes a picture with its alt text, and links to other files by name', () => {
  const spot = { at: 0, before: '' };
  expect(insertMarkdown('', spot, 0, { ...HERON, description: 'A grey heron' }).text).toMatch(/^!\[A grey heron\]/);
  const manual = { ...HERON, name: 'Manual', is_image: false, url: 'https://galley.example/a(1).pdf' };
  expect(insertMarkdown('', spot, 0, manual).text).toBe('[Manual](https://galley.example/a%281%29.pdf)');
});

test('escapes the attributes of a picture', () => {
  expect(writePicture({ ...HERON, description: 'A "<b>" & c', width: null })).toBe(
    '<p><img src="https://galley.example/assets/s/a/0/heron.jpg" alt="A &quot;&lt;b>&quot; &amp; c"></p>',
  );
  expect(writePicture(HERON)).toContain('width="1600" height="900"');
});
