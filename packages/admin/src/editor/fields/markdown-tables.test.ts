import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import { expect, test } from 'vitest';
import { findMarkdownTables } from './markdown-tables.ts';

function render(text: string): string {
  return renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [findMarkdownTables] }, text));
}

/** The cells of each row, as HTML. */
function readTable(text: string): readonly (readonly string[])[] {
  return [...render(text).matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => cell.trim()),
  );
}

test.each([
  [
    'pipes at the ends',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
    [
      ['A', 'B'],
      ['1', '2'],
    ],
  ],
  [
    'no pipes at the ends',
    'A | B\n--- | ---\n1 | 2',
    [
      ['A', 'B'],
      ['1', '2'],
    ],
  ],
  ['one column', '| A |\n|-|\n| 1 |', [['A'], ['1']]],
  [
    'empty cells',
    '| | B |\n|-|-|\n| | 2 |\n|1||',
    [
      ['', 'B'],
      ['', '2'],
      ['1', ''],
    ],
  ],
  [
    'too few and too many cells',
    '|A|B|\n|-|-|\n|1|\n|1|2|3|',
    [
      ['A', 'B'],
      ['1', ''],
      ['1', '2'],
    ],
  ],
  [
    'a line without pipes',
    '|A|B|\n|-|-|\nend',
    [
      ['A', 'B'],
      ['end', ''],
    ],
  ],
  [
    'escaped pipes',
    '|A|B|\n|-|-|\n| 1 \\| 2 | &#124; |',
    [
      ['A', 'B'],
      ['1 | 2', '|'],
    ],
  ],
  [
    'other escapes and entities next to an escaped pipe',
    '|A|B|\n|-|-|\n| 1 \\| 2 | \\*3\\* &amp; 4 |\n| \\\\| 5 |',
    [
      ['A', 'B'],
      ['1 | 2', '*3* &amp; 4'],
      ['\\', '5'],
    ],
  ],
  [
    'code with an escaped pipe',
    '|A|B|\n|-|-|\n| `a \\| b` | **`c\\|d`** |',
    [
      ['A', 'B'],
      ['<code>a | b</code>', '<strong><code>c|d</code></strong>'],
    ],
  ],
  [
    'marks',
    '| *A* | B |\n|-|-|\n| [x](/y) | **b** c |',
    [
      ['<em>A</em>', 'B'],
      ['<a href="/y">x</a>', '<strong>b</strong> c'],
    ],
  ],
  [
    'a block quote around it',
    '> |A|B|\n> |-|-|\n> |1 \\| 2|3|',
    [
      ['A', 'B'],
      ['1 | 2', '3'],
    ],
  ],
])('finds the cells of a table with %s', (_, text, cells) => {
  expect(readTable(text)).toEqual(cells);
});

test('aligns columns', () => {
  const html = render('|A|B|C|D|\n|:-|-:|:-:|-|\n|1|2|3|4|');
  expect([...html.matchAll(/<th(\s.*?)?>/g)].map(([, style]) => style)).toEqual([
    ' style="text-align:left"',
    ' style="text-align:right"',
    ' style="text-align:center"',
    undefined,
  ]);
});

test('keeps the lines before a table as a paragraph', () => {
  expect(render('See x | *y*:\n|A|B|\n|-|-|\n|1|2|')).toMatch(/^<p>See x \| <em>y<\/em>:\s*<\/p>\s*<table>/);
});

test.each([
  ['a line with pipes but no delimiter row', '| A | B |\n| 1 | 2 |'],
  ['a delimiter row with a different number of columns', '| A | B |\n|-|\n| 1 | 2 |'],
  ['a delimiter row in code', '| A |\n| `-` |\n| 1 |'],
  ['a delimiter row on the first line', '|-|-|\n| 1 | 2 |'],
])('does not mistake %s for a table', (_, text) => {
  expect(render(text)).not.toContain('<table>');
});
