import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import { expect, test } from 'vitest';
import { findMarkdownTables } from './markdown-tables.ts';
import { writeMarkdown } from './write-markdown.ts';
import type { HtmlNode } from './write-markdown-line.ts';

const LINK = 'https://tides.example/a';

/** Parses HTML in which every element is closed, except for `br` and `hr`. */
function parse(html: string): readonly HtmlNode[] {
  const nodes: HtmlNode[] = [];
  const open = [nodes];
  for (const [part, close, name, attribute, value = ''] of html.matchAll(/<(\/?)(\w+)(?: (\w+)="([^"]*)")?>|[^<]+/g)) {
    const childNodes: HtmlNode[] = [];
    if (name === undefined) {
      const nodeValue = part.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
      open.at(-1)?.push({ nodeName: '#text', nodeValue, childNodes });
    } else if (close === '/') {
      open.pop();
    } else {
      const getAttribute = (asked: string) => (asked === attribute ? value : null);
      open.at(-1)?.push({ nodeName: name.toUpperCase(), nodeValue: null, childNodes, getAttribute });
      if (!/^[bh]r$/.test(name)) open.push(childNodes);
    }
  }
  return nodes;
}

function render(markdown: string): string {
  const html = renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [findMarkdownTables] }, markdown));
  return html.replaceAll('/>', '>').replaceAll(/(?<=>)\n|\n(?=<)|(?<=<t[dh]>) | (?=<\/t[dh]>)/g, '');
}

/** In Markdown, either all items of a list have paragraphs, or none do. */
function ignoreTightness(html: string): string {
  return html.replaceAll(/(?<=<li>)<p>|<\/p>(?=<\/li>)|\n(?=<\/code>)/g, '');
}

test.each([
  ['<p>Ebb</p><p>Flood</p>', 'Ebb\n\nFlood'],
  ['<h1>Tides</h1><h3>Springs</h3>', '# Tides\n\n### Springs'],
  ['<p>Twice <strong>a day</strong>, <em>slowly</em>.</p>', 'Twice **a day**, _slowly_.'],
  ['<p><strong>a <em>b</em></strong> <em>c</em></p>', '**a _b_** _c_'],
  ['<p>un<strong>stress</strong>ed and <em>re</em>do</p>', 'un**stress**ed and *re*do'],
  [`<p>See <a href="${LINK}">the table</a>.</p>`, `See [the table](${LINK}).`],
  [`<p><a href="${LINK}"><strong>All</strong> tides</a></p>`, `[**All** tides](${LINK})`],
  ['<ul><li>Springs<ul><li>at new moon</li></ul></li><li>Neaps</li></ul>', '- Springs\n  - at new moon\n- Neaps'],
  ['<ol start="9"><li>Wait</li><li>Sail<ul><li>out</li></ul></li></ol>', '9. Wait\n10. Sail\n    - out'],
  ['<ul><li><p>Text</p><ol start="3"><li>Wait</li></ol></li></ul>', '- Text\n\n  3. Wait'],
  ['<ul><li>Text<ol><li>Wait</li></ol></li></ul>', '- Text\n  1. Wait'],
  ['<ul><li><p>One</p><p>Two</p></li><li><p>Three</p></li></ul>', '- One\n\n  Two\n\n- Three'],
  ['<blockquote><p>Time</p><p>and tide</p></blockquote>', '> Time\n>\n> and tide'],
  ['<blockquote><ul><li>Ebb</li></ul></blockquote>', '> - Ebb'],
  ['<p>Run <code>sail --now</code></p>', 'Run `sail --now`'],
  ['<p><code>a`b</code> <code>`</code></p>', '``a`b`` `` ` ``'],
  ['<pre><code>sail();\n\n  wait();\n</code></pre>', '```\nsail();\n\n  wait();\n```'],
  ['<pre><code>```\n</code></pre>', '````\n```\n````'],
  ['<p>Ebb<br>Flood</p><hr><p>Neaps</p>', 'Ebb\\\nFlood\n\n---\n\nNeaps'],
  [
    '<table><thead><tr><th>Port</th><th>High <em>water</em></th></tr></thead><tbody><tr><td>Husum</td><td>12:40</td></tr></tbody></table>',
    '| Port | High _water_ |\n| --- | --- |\n| Husum | 12:40 |',
  ],
])('writes %s as Markdown that is shown the same', (html, markdown) => {
  expect(writeMarkdown(parse(html))).toBe(markdown);
  expect(ignoreTightness(render(markdown))).toBe(ignoreTightness(html));
});

test.each([
  ['<p>Ebb<br><br>Flood<br></p>', 'Ebb\n\nFlood'],
  ['<p><strong>Ebb<br>Flood</strong></p>', '**Ebb**\\\n**Flood**'],
  ['<p>See <strong> below </strong>it</p>', 'See  **below** it'],
  ['<p><strong>a</strong><strong> b</strong></p>', '**a b**'],
  ['<p><strong>Note:</strong>wait</p>', '**Note**:wait'],
  ['<p>wait<strong>(now)</strong></p>', 'wait(**now)**'],
  ['<p>a<strong>:</strong>b</p>', 'a:b'],
  ['<p><strong>a</strong><em>b</em></p>', '**ab**'],
  ['<p>x<strong><em>y</em></strong>z</p>', 'x***y***z'],
  ['<p><u>Ebb</u> and <s>flood</s></p>', 'Ebb and flood'],
  ['<p> \n <em> </em></p><h2> </h2><ul><li> </li></ul><blockquote></blockquote>', ''],
  ['Ebb <em>tide</em><div>Flood</div>', 'Ebb _tide_\n\nFlood'],
  ['<ul><li>Springs</li><ul><li>at new moon</li></ul></ul>', '- Springs\n  - at new moon'],
  ['<ul><ul><li>Deep</li></ul></ul>', '- - Deep'],
  ['<h2>Ebb<br>Flood</h2>', '## Ebb Flood'],
  [
    '<table><caption>Low</caption><tr><td>a|b<p>c</p></td></tr><tr><td>d</td><td>e</td></tr></table>',
    'Low\n\n| a\\|b c |  |\n| --- | --- |\n| d | e |',
  ],
  [
    `<table><tr><td>Ports</td></tr><tr><td><table><caption>Today</caption>${'<tr><td>Husum</td><td>12:40</td></tr>'.repeat(2)}</table></td></tr></table>`,
    '| Ports |\n| --- |\n| Today Husum 12:40 Husum 12:40 |',
  ],
  [`<p>Wow!<a href="${LINK} (1)">x</a></p>`, `Wow\\![x](${LINK}%20%281%29)`],
])('writes %s as %j', (html, markdown) => {
  expect(writeMarkdown(parse(html))).toBe(markdown);
});

test.each([
  ['1 * 2 * 3', '1 \\* 2 \\* 3'],
  ['a_b _c_', 'a_b \\_c\\_'],
  ['C:\\Tides', 'C:\\\\Tides'],
  ['[sic](x)', '\\[sic\\](x)'],
  ['`x`', '\\`x\\`'],
  ['&lt;b> 1 &lt; 2', '\\<b> 1 < 2'],
  ['&amp;copy; R&amp;D', '\\&copy; R&D'],
  ['~~x~~ ~5', '\\~\\~x\\~\\~ ~5'],
  ['# Tides', '\\# Tides'],
  ['#tides', '#tides'],
  ['> Ebb', '\\> Ebb'],
  ['- Ebb', '\\- Ebb'],
  ['-5', '-5'],
  ['---', '\\---'],
  ['===', '\\==='],
  ['1. Ebb', '1\\. Ebb'],
  ['1.5', '1.5'],
])('escapes the text %s, so that it is not read as formatting', (html, markdown) => {
  expect(writeMarkdown(parse(`<p>${html}</p>`))).toBe(markdown);
  expect(render(markdown).replaceAll('&gt;', '>')).toBe(`<p>${html}</p>`);
});

interface FormattedText {
  readonly text: string;
  readonly tags: readonly string[];
}

function build(nodeName: string, childNodes: readonly HtmlNode[]): HtmlNode {
  return { nodeName, nodeValue: null, childNodes, getAttribute: () => LINK };
}

function buildText({ text, tags }: FormattedText): HtmlNode {
  const node: HtmlNode = { nodeName: '#text', nodeValue: text, childNodes: [] };
  return tags.reduce((inside, tag) => build(tag, [inside]), node);
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };

/** The characters of rendered text, without spaces. */
function readShown(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/&([^;]+);/g, (_, name: string) => SIGNS[name] ?? '');
  return text.replaceAll(/\s/g, '');
}

test('writes any text so that it is shown unchanged, however it is formatted', () => {
  const character = fc.constantFrom(...'ab1 *_`~[]()<>!#-+=.&;:\\|"\'„…é😀');
  const text = fc.string({ unit: character, minLength: 1, maxLength: 8 });
  const formatted = fc.record({ text, tags: fc.subarray(['code', 'em', 'strong', 'a']) });
  const block = fc.constantFrom(['p'], ['h2'], ['li', 'ul'], ['td', 'tr', 'table']);
  fc.assert(
    fc.property(block, fc.array(formatted, { maxLength: 6 }), ([tag = '', ...around], texts) => {
      const node = around.reduce((inside, name) => build(name, [inside]), build(tag, texts.map(buildText)));
      const shown = render(writeMarkdown([node]));
      expect(readShown(shown)).toBe(
        texts
          .map((each) => each.text)
          .join('')
          .replaceAll(/\s/g, ''),
      );
    }),
    { numRuns: 400 },
  );
});
