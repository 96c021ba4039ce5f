// Pasting from other programs. The files in `clipboard` contain the data that each program puts on the clipboard. The tests copy and paste
// this data with the keyboard.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeMark } from '../../../server/src/content/marks.ts';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';
import { saveNow } from './writing-desk.ts';

const SITE = 's_paste';
const PATH = `/sites/${SITE}/content/c_note`;

const TEXT =
  '<p>Water rises <strong>twice</strong> a day, <em>slowly</em>, see <a href="https://tides.example/today">the table</a>.</p>';
const LIST = '<ul><li><p>Springs</p><ul><li><p>at new moon</p></li></ul></li><li><p>Neaps</p></li></ul>';
const ROW = '<tr><td>Husum</td><td>12:40</td></tr>';
const TABLE = `<table><tbody><tr><td><strong>Port</strong></td><td><strong>High water</strong></td></tr>${ROW}</tbody></table>`;

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    site(SITE, { languages: ['en'] }),
    contentType(SITE, 'post', [
      { handle: 'body', name: 'Body', type: 'text', format: 'html' },
      { handle: 'notes', name: 'Notes', type: 'text', format: 'markdown' },
      { handle: 'rank', name: 'Rank', type: 'number' },
    ]),
    content({ id: 'c_note', site: SITE, content_type: 'post', status: 'draft', fields: {} }),
  ]);
  page = await panel.openAs(PATH);
});

afterAll(() => panel.close());

function findBody() {
  return page.getByRole('textbox', { name: 'Body' });
}

/** Puts text on the clipboard as another program would, and pastes it into an empty field. */
async function paste(html: string, plain = ''): Promise<void> {
  await page.getByRole('button', { name: 'Edit as HTML: Body' }).click();
  await findBody().fill('');
  await page.getByRole('button', { name: 'Edit visually: Body' }).click();
  await findBody().click();
  await pasteHere(html, plain);
}

async function pasteHere(html: string, plain: string, where = page, keys = 'Control+v'): Promise<void> {
  await where.evaluate(`document.addEventListener('copy', (event) => {
    event.clipboardData.setData('text/html', ${JSON.stringify(html)});
    event.clipboardData.setData('text/plain', ${JSON.stringify(plain)});
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { once: true, capture: true })`);
  await where.keyboard.press('Control+c');
  await where.keyboard.press(keys);
}

/** Puts text into the Markdown field, with the cursor or the selection in place of «». */
async function writeNotes(text: string): Promise<void> {
  const [before = '', chosen = '', after = ''] = text.split(/[«»]/);
  await findNotes().fill(`${before}${chosen}${after}`);
  const [start, end] = [before.length, before.length + chosen.length];
  await page.evaluate(`document.activeElement.setSelectionRange(${start}, ${end})`);
}

async function readSaved(): Promise<unknown> {
  await saveNow(page);
  const response = await page.request.get(`${panel.service.url}/manage/v1${PATH}`);
  const saved: { readonly fields: { readonly body?: { readonly text: string } } } = await response.json();
  return saved.fields.body?.text;
}

test.each([
  {
    source: 'google-docs',
    saved: `<h1>The tides</h1>${TEXT}${LIST}${TABLE}`,
    notice: '2 pictures were not pasted. Drop the pictures into the text instead.',
  },
  {
    source: 'word',
    saved: `<h1>Water</h1><h1>The tides</h1>${TEXT}${LIST.replace('new', '<strong>new</strong>')}<p>Then:</p><ol start="3"><li><p>Wait</p></li><li><p>Sail</p></li></ol>${TABLE}`,
    notice: '1 picture and 1 comment were not pasted. Drop the picture into the text instead.',
  },
  {
    source: 'word-for-the-web',
    saved: `<h1>The tides</h1><p>Water rises <strong>twice</strong> a day, <em>slowly</em></p>${LIST}`,
    notice: undefined,
  },
  { source: 'pages', saved: `<h1>The tides</h1>${TEXT}<h2>Kinds</h2>${LIST}`, notice: undefined },
  {
    source: 'notion',
    saved: `<h1>The tides</h1>${TEXT}${LIST}<ol><li><p>Wait</p></li><li><p>Sail</p></li></ol><blockquote><p>Time and tide</p></blockquote><pre><code>sail();</code></pre>`,
    notice: '1 picture was not pasted. Drop the picture into the text instead.',
  },
  {
    source: 'chrome-page',
    saved: `<h2>The tides</h2>${TEXT.replace('.</p>', '. 🌊</p>')}${LIST}<p>The harbour</p><table><tbody><tr><th>Port</th><th>High water</th></tr>${ROW}</tbody></table>`,
    notice: '1 picture and 1 video or embed were not pasted. Drop the picture into the text instead.',
  },
  {
    source: 'firefox-line',
    saved: '<p>rises <strong>twice</strong> a day</p>',
    notice: '1 link was not pasted. The text of the link was kept.',
  },
])(
  'keeps the formatting of text from $source, and reports parts that were not pasted',
  async ({ source, saved, notice }) => {
    await paste(readFileSync(new URL(`clipboard/${source}.txt`, import.meta.url), 'utf8'));
    expect(await readSaved()).toBe(saved);
    const told = page.getByRole('group', { name: 'Body' }).getByRole('status');
    expect(await told.allInnerTexts()).toEqual(notice === undefined ? [] : [notice]);
  },
);

test('shows a pasted table as a table with editable HTML', async () => {
  await paste(readFileSync(new URL('clipboard/google-docs.txt', import.meta.url), 'utf8'));
  const body = findBody();
  await body.getByRole('table').getByRole('cell', { name: 'Husum' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await body.getByRole('button', { name: 'Edit HTML' }).click();
  const source = page.getByRole('textbox', { name: 'HTML of this block' });
  await source.fill('<table><tbody><tr><td>Sylt</td><td>1:05</td></tr></tbody></table>');
  expect(await findAxeFaults(page)).toEqual([]);
  await body.getByRole('button', { name: 'Done' }).click();
  await body.getByRole('cell', { name: 'Sylt' }).waitFor();
  expect(await readSaved()).toContain('<td>Sylt</td><td>1:05</td>');
  await body.getByRole('button', { name: 'Remove HTML block' }).click();
  expect(await readSaved()).not.toContain('<table>');
});

test('pastes text copied from the editor without changing it', async () => {
  await paste(readFileSync(new URL('clipboard/word.txt', import.meta.url), 'utf8'));
  const before = await readSaved();
  await findBody().press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Delete');
  expect(await readSaved()).toBeUndefined();
  await page.keyboard.press('Control+v');
  expect(await readSaved()).toBe(before);
});

test('keeps the classes and IDs of text that is moved within the editor, but not of text from others', async () => {
  await page.getByRole('button', { name: 'Edit as HTML: Body' }).click();
  await findBody().fill('<p class="lead" id="tides">Springs</p><p>Neaps</p>');
  await page.getByRole('button', { name: 'Edit visually: Body' }).click();
  await findBody().press('Control+a');
  await page.keyboard.press('Control+x');
  expect(await readSaved()).toBeUndefined();
  await page.keyboard.press('Control+v');
  expect(await readSaved()).toBe('<p class="lead" id="tides">Springs</p><p>Neaps</p>');
  await paste('<p data-pm-slice="1 1 []" class="pm" id="root">Neaps</p>');
  expect(await readSaved()).toBe('<p>Neaps</p>');
});

test('keeps a table from another ProseMirror editor, and reports a picture that was not pasted', async () => {
  const cells = ROW.replaceAll(/<td>(.*?)<.td>/g, '<td><p>$1</p></td>');
  await paste(`<table data-pm-slice="1 1 []"><tbody>${cells}</tbody></table><img src="https://tides.example/a.png">`);
  await page.getByText('1 picture was not pasted.').waitFor();
  expect(await readSaved()).toContain(`<table><tbody>${ROW}</tbody></table>`);
});

test('keeps a space at each end of pasted words', async () => {
  await paste('<p>Ebb</p>');
  await pasteHere('<p><span>\u00a0</span>and<span>\u00a0</span><b>flood</b><span>\u00a0</span></p>', ' and flood ');
  await page.keyboard.type('now');
  expect(await findBody().textContent()).toMatch(/^Ebb\sand flood\snow$/);
});

test.each([
  ['', ''],
  ['<div>', '</div>'],
])('keeps a table that is in a cell of another table: %s', async (before, after) => {
  const html = `<table><tr><td>Intro</td></tr><tr><td>${before}<table>${ROW}</table>${after}</td></tr></table>`;
  await paste(html);
  expect(await readSaved()).toBe(
    `<table><tbody><tr><td>Intro</td></tr><tr><td><table><tbody>${ROW}</tbody></table></td></tr></tbody></table>`,
  );
  await findNotes().fill('');
  await pasteHere(html, 'without formatting');
  expect(await findNotes().inputValue()).toBe('| Intro |\n| --- |\n| Husum 12:40 |');
});

test.each([
  ['Chromium', '<span style="color: red">Ebb<span>\u00a0</span></span>'],
  ['Safari', '<span>Ebb<span class="Apple-converted-space">&nbsp;</span></span>'],
])('replaces a no-break space that %s wrote for a space, but keeps other no-break spaces', async (_name, html) => {
  await paste(`<p>${html}<b>and</b> 5&nbsp;m</p>`);
  expect(await readSaved()).toBe('<p>Ebb <strong>and</strong> 5\u00a0m</p>');
});

test('reports buttons, form fields and links that were not pasted', async () => {
  const controls =
    '<input type="hidden"><input type="checkbox"><select><option>Low</option></select><button>Copy</button>';
  const links =
    '<a href="ftp://tides.example">a table</a>, <a href="#low">below</a> and <a href="tel:+49">by phone</a>';
  await paste(`<form>${controls}<p>Ask for ${links}</p></form>`);
  await page
    .getByText('3 buttons or form fields and 2 links were not pasted. The text of the links was kept.')
    .waitFor();
  expect(await readSaved()).toBe('<p>Ask for a table, below and <a href="tel:+49">by phone</a></p>');
});

test.each([
  ['elements', '<p>H<sub>2</sub>O and m<sup>3</sup></p>'],
  [
    'styles',
    '<p>H<span style="vertical-align:sub">2</span>O and m<span style="font-size:0.6em;vertical-align:super">3</span></p>',
  ],
  ['elements of another ProseMirror editor', '<p data-pm-slice="1 1 []">H<sub>2</sub>O and m<sup>3</sup></p>'],
])('pastes superscript and subscript from %s as normal text, and says so', async (_name, html) => {
  await paste(html);
  await page.getByText('Superscript and subscript were pasted as normal text.', { exact: true }).waitFor();
  expect(await readSaved()).toBe('<p>H2O and m3</p>');
});

test('pastes plain text as paragraphs', async () => {
  await paste('', 'First\n\nSecond');
  expect(await readSaved()).toBe('<p>First</p><p>Second</p>');
});

test.each([
  ['plain text', '', 'Neaps'],
  ['text from the same kind of editor', '<p data-pm-slice="1 1 []">Neaps</p>', ''],
])('removes the notice about the last paste when somebody pastes %s', async (_name, html, plain) => {
  await paste('<p>Springs</p><img src="https://tides.example/a.png">');
  const notice = page.getByText('1 picture was not pasted.');
  await notice.waitFor();
  await paste(html, plain);
  expect(await readSaved()).toBe('<p>Neaps</p>');
  expect(await notice.count()).toBe(0);
});

const IN_MARKDOWN = 'Water rises **twice** a day, _slowly_, see [the table](https://tides.example/today).';
const LIST_IN_MARKDOWN = '- Springs\n  - at new moon\n- Neaps';
const TABLE_IN_MARKDOWN = '| **Port** | **High water** |\n| --- | --- |\n| Husum | 12:40 |';

function findNotes() {
  return page.getByRole('textbox', { name: 'Notes' });
}

test.each([
  {
    source: 'google-docs',
    written: ['# The tides', IN_MARKDOWN, LIST_IN_MARKDOWN, TABLE_IN_MARKDOWN],
    notice: '2 pictures were not pasted. Drop the pictures into the text instead.',
  },
  {
    source: 'word',
    written: [
      '# Water',
      '# The tides',
      IN_MARKDOWN,
      LIST_IN_MARKDOWN.replace('new', '**new**'),
      'Then:',
      '3. Wait\n4. Sail',
      TABLE_IN_MARKDOWN,
    ],
    notice: '1 picture and 1 comment were not pasted. Drop the picture into the text instead.',
  },
  {
    source: 'word-for-the-web',
    written: ['# The tides', 'Water rises **twice** a day, _slowly_', LIST_IN_MARKDOWN],
    notice: undefined,
  },
  { source: 'pages', written: ['# The tides', IN_MARKDOWN, '## Kinds', LIST_IN_MARKDOWN], notice: undefined },
  {
    source: 'notion',
    written: ['# The tides', IN_MARKDOWN, LIST_IN_MARKDOWN, '1. Wait\n2. Sail', '> Time and tide', '```\nsail();\n```'],
    notice: '1 picture was not pasted. Drop the picture into the text instead.',
  },
  {
    source: 'chrome-page',
    written: [
      '## The tides',
      `${IN_MARKDOWN} 🌊`,
      LIST_IN_MARKDOWN,
      'The harbour',
      '| Port | High water |\n| --- | --- |\n| Husum | 12:40 |',
    ],
    notice: '1 picture and 1 video or embed were not pasted. Drop the picture into the text instead.',
  },
  {
    source: 'firefox-line',
    written: ['rises **twice** a day'],
    notice: '1 link was not pasted. The text of the link was kept.',
  },
])('pastes text from $source into a Markdown field as Markdown', async ({ source, written, notice }) => {
  await findNotes().fill('');
  await pasteHere(readFileSync(new URL(`clipboard/${source}.txt`, import.meta.url), 'utf8'), 'without formatting');
  expect(await findNotes().inputValue()).toBe(written.join('\n\n'));
  const told = page.getByRole('group', { name: 'Notes' }).getByRole('status');
  expect(await told.allInnerTexts()).toEqual(notice === undefined ? [] : [notice]);
});

test.each([
  ['Ebb ', '<b>tide</b> [low]', 'Ebb **tide** \\[low\\]'],
  ['Ebb', '<h2>Tides</h2><p>Neaps</p>', 'Ebb\n\n## Tides\n\nNeaps'],
])('adds pasted text to “%s” as Markdown, and can undo and redo it: %s', async (before, html, after) => {
  await findNotes().fill('');
  await findNotes().pressSequentially(before);
  await pasteHere(html, 'without formatting');
  expect(await findNotes().inputValue()).toBe(after);
  await page.keyboard.press('Control+z');
  expect(await findNotes().inputValue()).toBe(before);
  await page.keyboard.press('Control+y');
  expect(await findNotes().inputValue()).toBe(after);
});

test.each([
  ['no HTML', '', 'Control+v'],
  ['HTML without formatting', '<div><span style="color: red"># Ebb</span><br>*flood*</div>', 'Control+v'],
  ['formatted text with Ctrl+Shift+V', '<h1>Ebb</h1>', 'Control+Shift+v'],
])('pastes plain text into a Markdown field as it is: %s', async (_name, html, keys) => {
  await findNotes().fill('');
  await pasteHere(html, '# Ebb\n*flood*', page, keys);
  expect(await findNotes().inputValue()).toBe('# Ebb\n*flood*');
});

test.each([
  ['«»tide', '<i>slowly</i><span>\u00a0</span>', 'slowly ', '_slowly_ tide'],
  ['Ebb«»', '<span><span>\u00a0</span>and </span><b>flood</b>', ' and flood', 'Ebb and **flood**'],
  ['Ebb«»', '<html>\n<body>\n<!--StartFragment--><b>low</b><!--EndFragment-->\n</body>\n</html>', 'low', 'Ebb**low**'],
  ['Ebb«and»', '<i>slow</i>', 'slow', 'Ebb*slow*'],
  ['«»tide', '<div><i>slow</i><br class="Apple-interchange-newline"></div>', 'slow\n', '*slow*tide'],
  ['(«»)', '<i>slow</i>', 'slow', '(_slow_)'],
  ['wait«»', '<p><b>(now)</b></p>', '(now)', 'wait(**now)**'],
])(
  'pastes words into the Markdown %s so that they stay formatted and separate: %j',
  async (text, html, plain, after) => {
    await writeNotes(text);
    await pasteHere(html, plain);
    expect(await findNotes().inputValue()).toBe(after);
  },
);

test.each([
  ['a heading', 'Ebb «» tide', '<h2>high</h2><br class="Apple-interchange-newline">', 'Ebb high tide'],
  ['a code block', 'Ebb «»', '<pre><code>high</code></pre>', 'Ebb high'],
  ['a heading, into a list', '- «»', '<div><h2>high</h2></div>', '- high'],
])('pastes words from %s into a line of Markdown as plain text', async (_name, text, html, after) => {
  await writeNotes(text);
  await pasteHere(html, 'high');
  expect(await findNotes().inputValue()).toBe(after);
});

test.each([
  ['a heading in an empty line', 'Ebb\n\n«»', '<h2>high</h2>', 'high', 'Ebb\n\n## high'],
  ['a heading in place of a whole line', '«Ebb»', '<h2>high</h2>', 'high', '## high'],
  ['code with several lines', 'Ebb«»', '<pre>one\ntwo</pre>', 'one\ntwo', 'Ebb\n\n```\none\ntwo\n```'],
])('keeps %s when it is pasted into Markdown', async (_name, text, html, plain, after) => {
  await writeNotes(text);
  await pasteHere(html, plain);
  expect(await findNotes().inputValue()).toBe(after);
});

const CODE_BLOCK = '```\nsail();\n```';

test.each([
  ['a code block', '```js\n«»\n```'],
  ['the second code block', `${CODE_BLOCK}\n\n~~~\n«»\n~~~`],
  ['a code block with backticks in it', '````\n```\n«»\n````'],
  ['a code block in a list', '1. ```\n   «»\n   ```'],
  ['inline code', '`a` and `b«»`'],
  ['the address of a link', '[table](https://«»)'],
])('pastes plain text into %s', async (_name, text) => {
  await writeNotes(text);
  await pasteHere('<p><b>Ebb</b> and <img src="https://tides.example/a.png"></p>', 'Ebb and');
  expect(await findNotes().inputValue()).toBe(text.replace('«»', 'Ebb and'));
});

test.each([
  ['a code block', `${CODE_BLOCK}\n«»`, `${CODE_BLOCK}\n**Ebb**`],
  ['text that is like code', '5` ```\n«»', '5` ```\n**Ebb**'],
  ['inline code', '`a` ``b`c`` \\` «»', '`a` ``b`c`` \\` **Ebb**'],
  ['a link', '[table](https://tides.example) «»', '[table](https://tides.example) **Ebb**'],
])('pastes formatted text after %s', async (_name, text, after) => {
  await writeNotes(text);
  await pasteHere('<p><b>Ebb</b></p>', 'Ebb');
  expect(await findNotes().inputValue()).toBe(after);
});

test.each([
  ['underlined', '<p>Ebb and <u>flood</u></p>', 'Ebb and flood'],
  ['struck through', '<p><b>Ebb</b> and <s>flood</s></p>', '**Ebb** and flood'],
])('pastes text that is %s into a Markdown field as normal text, and says so', async (_name, html, written) => {
  await findNotes().fill('');
  await pasteHere(html, 'Ebb and flood');
  await page.getByText('Underlined and struck-through text was pasted as normal text.', { exact: true }).waitFor();
  expect(await findNotes().inputValue()).toBe(written);
});

test('pastes text from a code editor into a Markdown field as it is', async () => {
  await findNotes().fill('');
  await page.evaluate(`document.addEventListener('copy', ({ clipboardData }) => {
    clipboardData.setData('vscode-editor-data', '{}');
  }, { once: true, capture: true })`);
  await pasteHere('<div><span style="font-weight: bold"># Ebb</span></div>', '# Ebb');
  expect(await findNotes().inputValue()).toBe('# Ebb');
});

test('keeps tables that are copied from rich text to Markdown', async () => {
  await paste(`<table><tr><td>Port</td><td>Time</td></tr>${ROW}</table><p>Low <em>tide</em></p>`);
  await findBody().press('Control+a');
  await page.keyboard.press('Control+c');
  await findNotes().fill('');
  await page.keyboard.press('Control+v');
  expect(await findNotes().inputValue()).toBe('| Port | Time |\n| --- | --- |\n| Husum | 12:40 |\n\nLow _tide_');
});

const MARK = encodeMark({ id: 'c_tide', path: 'name', language: 'en' });

test.each([
  ['Name', 'Ebb', ' and flood', 'Ebb and flood'],
  ['Notes', 'Ebb', `\n\nand${MARK}\nflood`, 'Ebb\n\nand\nflood'],
  ['Notes', 'Ebb ', '<em>and flood</em>', 'Ebb _and flood_'],
])('removes marks from text that is pasted into %s, and keeps undo', async (label, before, pasted, after) => {
  const input = page.getByRole('textbox', { name: label });
  await input.fill('');
  await input.pressSequentially(before);
  await pasteHere(`<p>${pasted}${MARK}</p>`, `${pasted}${MARK}`);
  expect(await input.inputValue()).toBe(after);
  await page.keyboard.press('Control+z');
  expect(await input.inputValue()).toBe(before);
});

test('removes marks from a list before it is split at commas', async () => {
  const settings = await panel.openAs(`/sites/${SITE}/assets/settings`);
  const types = settings.getByLabel('Allowed file types');
  await types.first().click();
  await pasteHere('', `image/x-tide, image/x-ebb${MARK}`, settings);
  await settings.getByText('image/x-ebb', { exact: true }).waitFor();
  expect(await types.first().inputValue()).toBe('');
  await settings.context().close();
});

test('removes marks from a number before it is read', async () => {
  const rank = page.getByRole('textbox', { name: 'Rank' });
  await rank.fill('2');
  await pasteHere('', `,5${MARK}`);
  expect(await rank.inputValue()).toBe('2.5');
});

test.each([
  ['text', '', `Springs${MARK}`],
  ['HTML', `<p>Springs${MARK}</p>`, `Springs${MARK}`],
  ['text from the same kind of editor', `<p data-pm-slice="1 1 []">Springs${MARK}</p>`, `Springs${MARK}`],
])('removes marks from %s that is pasted into rich text', async (_name, html, plain) => {
  await paste(html, plain);
  expect(await findBody().textContent()).toBe('Springs');
});

test('removes marks but keeps the other zero-width characters in text', async () => {
  const persian = 'می\u200cخواهم 👩\u200d💻';
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await pasteHere('', `${persian}${MARK}`);
  expect(await name.inputValue()).toBe(persian);
});

/** One of the programs copies an event handler. Newer versions of Chromium report that the policy blocks it. */
const BLOCKED_HANDLER = /^Executing inline event handler violates .* The action has been blocked\.$/;

test('logs no other errors in the browser console', () => {
  expect(panel.complaints.filter((complaint) => !BLOCKED_HANDLER.test(complaint))).toEqual([]);
});
