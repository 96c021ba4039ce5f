import { describe, expect, test } from 'vitest';
import { placeMark } from './place-mark.ts';

/** In each string, `^` shows the place of the mark. A string without `^` gets no mark. */
function find(format: 'plain' | 'markdown' | 'html', shown: string): string {
  const text = shown.replace('^', '');
  const place = placeMark(text, format);
  return place === undefined ? text : `${text.slice(0, place)}^${text.slice(place)}`;
}

describe('plain text', () => {
  test.each(['Title^', 'Two\nlines\n^', 'Note: this^', '12^', 'a/b^', 'Ask @ada about it^', '👩‍💻^'])(
    '%j has a mark',
    (text) => {
      expect(find('plain', text)).toBe(text);
    },
  );

  test.each([
    '',
    ' \n',
    'https://example.com/a?b=c#d',
    'mailto:ada@example.com',
    'tel:+123',
    '/about-us',
    '#contact',
    '?page=2',
    'ada@example.com',
    '2026-03-01',
    '2026-03-01T10:00:00Z',
  ])('%j has no mark, because programs read it', (text) => {
    for (const format of ['plain', 'markdown', 'html'] as const) expect(find(format, text)).toBe(text);
  });
});

describe('HTML', () => {
  test.each([
    '<p>Text^</p>',
    '<p>One</p>\n<p>Two <b>three^</b></p>\n',
    '<p>One</p> tail^ ',
    'Text^<br>',
    '<p>a &amp;^</p>',
    '<p>One^</p><img alt="a > b < c" src=\'x">y\'>',
    '<p>One^</p><!-- a > comment -->',
    '<p>1 < 2^</p>',
    '<img src="/x.png">^',
    '<p>One^</p><script>let a = "<p>x</p>";</script>',
    '<p>One^</p><STYLE>p { color: red }</Style><hr>',
    '<p>One^</p><script>x',
    '<p>One^</p><a title="open',
    '<p>One^</p><!-- open',
  ])('the mark is inside the last element with text: %s', (html) => {
    expect(find('html', html)).toBe(html);
  });
});

describe('Markdown', () => {
  test.each([
    'Text.^',
    '# Title^\n\n',
    '# Title^ ##',
    'One **bold^**',
    'One _word^_',
    'One **"quoted"^**',
    'One `code`^',
    'One [link](https://example.com)^',
    'One <https://example.com>^',
    'See^ https://example.com',
    'Mail^ ada@example.com www.example.com.',
    'Title^\n=====\n',
    'Text^\n\n---\n\n***',
    '```js\ncode();^\n```',
    '| a | b |\n|---|---|\n| 1 | 2^ |',
    'Text with [a link][1]^\n\n[1]: https://example.com',
    '1^',
    'Stars \\*^',
  ])('the mark does not change the syntax: %j', (markdown) => {
    expect(find('markdown', markdown)).toBe(markdown);
  });

  test.each(['---', '[1]: https://example.com', '```\n```', '<https://example.com>'.slice(1, -1)])(
    '%j has no mark',
    (text) => {
      expect(find('markdown', text)).toBe(text);
    },
  );
});

test.each([
  ['html', '<a'.repeat(5000), 'end'],
  ['html', '<script>'.repeat(5000), 'end'],
  ['html', '<!--'.repeat(5000), 'end'],
  ['markdown', '---\n'.repeat(5000), undefined],
  ['markdown', `${'*'.repeat(10_000)}x`, 'end'],
  ['markdown', 'www.a '.repeat(5000), undefined],
  ['plain', `${'@'.repeat(10_000)} `, 'end'],
] as const)('hostile %s has its mark in the usual place', (format, text, place) => {
  expect(placeMark(text, format)).toBe(place === 'end' ? text.length : undefined);
});
