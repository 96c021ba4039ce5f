// A field input saves exactly the value that it shows, even during editing.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';
import { saveNow } from './writing-desk.ts';

const SITE = 's_inputs';
const PATH = `/sites/${SITE}/content/c_note`;
const TABLE = '<table><tbody><tr><td>Springs</td></tr></tbody></table>';
const FIGURE =
  '<figure class="wide"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="A heron"><figcaption>A heron</figcaption></figure>';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await panel.service.importRecords([
    site(SITE, { languages: ['en'] }),
    contentType(SITE, 'quote', [{ handle: 'words', name: 'Words', type: 'text', required: true }], {
      object_type: 'block',
    }),
    contentType(SITE, 'post', [
      { handle: 'title', name: 'Headline', type: 'text' },
      { handle: 'body', name: 'Body', type: 'text', format: 'html' },
      { handle: 'depth', name: 'Depth', type: 'number' },
      { handle: 'rank', name: 'Rank', type: 'number', integer: true },
      { handle: 'seen_on', name: 'Seen on', type: 'date' },
      { handle: 'points', name: 'Points', type: 'list' },
      { handle: 'agreed', name: 'Agreed', type: 'boolean', required: true },
      { handle: 'sections', name: 'Sections', type: 'blocks' },
    ]),
    content({
      id: 'c_note',
      site: SITE,
      content_type: 'post',
      status: 'draft',
      fields: { body: { text: '<p>Neaps</p>' }, seen_on: { date: '2026-03-15T08:30:00+00:00' } },
    }),
  ]);
  page = await panel.openAs(PATH);
});

afterAll(() => panel.close());

/** The stored value of a field, once everything is saved. */
async function readSaved(handle: string): Promise<unknown> {
  await saveNow(page);
  const response = await page.request.get(`${panel.service.url}/manage/v1${PATH}`);
  const saved: { readonly fields: Readonly<Record<string, unknown>> } = await response.json();
  return saved.fields[handle];
}

/** Puts text on the clipboard. */
async function copy(text: string): Promise<void> {
  await page.evaluate(`document.addEventListener('copy', (event) => {
    event.clipboardData.setData('text/plain', ${JSON.stringify(text)});
    event.preventDefault();
  }, { once: true })`);
  await page.keyboard.press('Control+c');
}

test('saves the number that it shows, even during editing', async () => {
  const depth = page.getByLabel('Depth');
  await depth.pressSequentially('12.05');
  expect(await readSaved('depth')).toEqual({ number: 12.05 });
  await depth.press('Backspace');
  expect(await depth.inputValue()).toBe('12.0');
  expect(await readSaved('depth')).toEqual({ number: 12 });
  await depth.pressSequentially('7');
  expect(await depth.inputValue()).toBe('12.07');
  expect(await readSaved('depth')).toEqual({ number: 12.07 });
  await depth.fill('');
  await depth.pressSequentially('90071992547409910');
  expect(await depth.inputValue()).toBe('9007199254740991');
  expect(await readSaved('depth')).toEqual({ number: 9007199254740991 });
  await depth.fill('10.');
  await depth.blur();
  expect(await depth.inputValue()).toBe('10');
  expect(await readSaved('depth')).toEqual({ number: 10 });
  await depth.fill('-');
  expect(await readSaved('depth')).toBeUndefined();
  await depth.blur();
  expect(await depth.inputValue()).toBe('');
});

test.each([
  ['Depth', '1,5', { number: 1.5 }, undefined],
  ['Depth', '1.234,5', { number: 1234.5 }, undefined],
  ['Depth', '1,234', undefined, '“1,234” could mean 1234 or 1.234. Enter it without the comma.'],
  ['Depth', 'deep', undefined, '“deep” is not a number.'],
  ['Rank', '1,5', undefined, 'Rank must be a whole number.'],
  ['Rank', '12', { number: 12 }, undefined],
] as const)('in the %s field, pastes %s as a number or shows an error', async (name, text, saved, refusal) => {
  const input = page.getByLabel(name);
  await input.fill('');
  await copy(text);
  await input.press('Control+v');
  if (refusal === undefined) await expect.poll(() => input.getAttribute('aria-invalid')).not.toBe('true');
  else await page.getByText(refusal).waitFor();
  expect(await readSaved(name.toLowerCase())).toEqual(saved);
});

test('treats a typed comma as a decimal point', async () => {
  const depth = page.getByLabel('Depth');
  await depth.fill('');
  await depth.pressSequentially('2,5');
  expect(await readSaved('depth')).toEqual({ number: 2.5 });
});

test('keeps a date while somebody changes part of it, and removes the date when the input is cleared completely', async () => {
  const date = page.getByLabel('Seen on');
  const kept = { date: '2026-03-15T08:30:00+00:00' };
  await date.focus();
  await page.keyboard.press('Backspace');
  await page.getByText('Enter a complete date and time.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Headline').fill('Half a date');
  expect(await readSaved('title')).toEqual({ text: 'Half a date' });
  expect(await readSaved('seen_on')).toEqual(kept);
  await date.focus();
  await page.keyboard.press('0');
  await page.keyboard.press('4');
  await page.getByText('Enter a complete date and time.').waitFor({ state: 'detached' });
  expect(await readSaved('seen_on')).toEqual({ date: '2026-04-15T08:30:00+00:00' });
  await page.getByLabel('Headline').focus();
  await date.focus();
  for (let part = 0; part < 6; part++) {
    await page.keyboard.press('Backspace');
    await page.keyboard.press('ArrowRight');
  }
  await page.getByText('Enter a complete date and time.').waitFor({ state: 'detached' });
  expect(await readSaved('seen_on')).toBeUndefined();
});

test('keeps the date when a five-digit year is entered', async () => {
  const date = page.getByLabel('Seen on');
  await date.fill('2026-05-01T10:00');
  expect(await readSaved('seen_on')).toEqual({ date: '2026-05-01T10:00:00+00:00' });
  await date.fill('12026-05-01T10:00');
  await page.getByLabel('Headline').fill('Far ahead');
  expect(await readSaved('title')).toEqual({ text: 'Far ahead' });
  expect(await date.inputValue()).toBe('2026-05-01T10:00');
  expect(await readSaved('seen_on')).toEqual({ date: '2026-05-01T10:00:00+00:00' });
  await date.fill('2026-05-02T10:00');
  expect(await readSaved('seen_on')).toEqual({ date: '2026-05-02T10:00:00+00:00' });
});

test('shows text in the direction of its script, marked with its language', async () => {
  const inputs = [page.getByLabel('Headline'), page.getByRole('textbox', { name: 'Body' }), page.getByLabel('Name')];
  for (const input of inputs) {
    expect(await input.getAttribute('dir')).toBe('auto');
    expect(await input.getAttribute('lang')).toBe('en');
  }
});

test('shows empty items but does not save them', async () => {
  await page.getByRole('button', { name: 'Add item to Points' }).click();
  await page.keyboard.type('first');
  await page.keyboard.press('Enter');
  expect(await readSaved('points')).toEqual({ list: ['first'] });
  expect(await page.getByLabel('Points 2', { exact: true }).inputValue()).toBe('');
  await page.keyboard.press('Enter');
  await page.keyboard.type('third');
  expect(await readSaved('points')).toEqual({ list: ['first', 'third'] });
  expect(await page.getByLabel('Points 3', { exact: true }).inputValue()).toBe('third');
});

test('shows that a required switch has no value yet', async () => {
  const agreed = page.getByRole('radiogroup', { name: 'Agreed' });
  expect(await agreed.getByRole('radio', { checked: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Agreed is empty.').waitFor();
  await agreed.getByRole('radio', { name: 'Yes' }).and(page.locator(':focus')).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await agreed.getByRole('radio', { name: 'No' }).check();
  expect(await readSaved('agreed')).toEqual({ is_on: false });
});

test('focuses the input with the error when publishing is refused, but not again when the tab is reopened', async () => {
  await page.getByRole('button', { name: 'Add block to Sections' }).click();
  await page.getByRole('menuitem', { name: 'quote' }).click();
  await page.getByRole('textbox', { name: 'Words' }).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const words = page.getByRole('textbox', { name: 'Words' });
  await page.getByText('Words is empty.').waitFor();
  await words.and(page.locator(':focus')).waitFor();
  const tabs = page.getByRole('navigation', { name: 'Views of this content' });
  await tabs.getByRole('link', { name: 'SEO' }).click();
  await page.getByLabel('Canonical URL').waitFor();
  await tabs.getByRole('link', { name: 'Edit' }).click();
  await words.waitFor();
  expect(await words.and(page.locator(':focus')).count()).toBe(0);
  await words.fill('Low water');
});

test('makes the visual editor read-only while content is archived', async () => {
  const body = page.getByRole('textbox', { name: 'Body' });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.locator('[aria-label="Body"][contenteditable="false"]').waitFor();
  await page.getByRole('button', { name: 'Restore as a draft' }).click();
  await page.locator('[aria-label="Body"][contenteditable="true"]').waitFor();
  await body.fill('Springs and neaps');
  expect(await readSaved('body')).toEqual({ text: '<p>Springs and neaps</p>' });
});

test.each([
  ['example.org/x', 'https://example.org/x'],
  ['/stories/ebb', '/stories/ebb'],
  ['#low', '#low'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
])('saves a link to %s as %s', async (typed, href) => {
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill('Tide');
  await body.press('Control+a');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill(typed);
  await page.keyboard.press('Enter');
  expect(await readSaved('body')).toEqual({ text: `<p><a href="${href}">Tide</a></p>` });
});

test('shows pictures and tables that another editor added, and keeps them in place while somebody writes', async () => {
  const edgar = await panel.openAs(PATH, EDITOR);
  await edgar.getByRole('button', { name: 'Edit as HTML: Body' }).click();
  await edgar.getByRole('textbox', { name: 'Body' }).fill(`<p>Before</p>${TABLE}<p>After</p>${FIGURE}`);
  await saveNow(edgar);
  await edgar.context().close();
  await page.getByLabel('Headline').fill('Meanwhile');
  expect(await readSaved('title')).toEqual({ text: 'Meanwhile' });
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.getByRole('cell', { name: 'Springs' }).waitFor();
  await body.getByRole('img', { name: 'A heron' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await body.getByText('After').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' noon');
  expect(await readSaved('body')).toEqual({ text: `<p>Before</p>${TABLE}<p>After noon</p>${FIGURE}` });
});

/** Replaces the rich text by editing its source. */
async function writeBody(html: string) {
  await page.getByRole('button', { name: 'Edit as HTML: Body' }).click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill(html);
  await page.getByRole('button', { name: 'Edit visually: Body' }).click();
  return body;
}

const RICH_TEXTS = [
  '<h2 id="contest" class="mantine-Overlay-root">Low tide</h2>',
  '<p class="lead" title="At noon" role="note" aria-label="Low" data-step="2">Low tide</p>',
  '<p lang="ar" dir="rtl">Low tide</p>',
  '<ul class="plain"><li id="low"><p>Low tide</p></li></ul>',
  '<ol start="3" class="steps"><li data-step="3"><p class="lead">Low tide</p></li></ol>',
  '<blockquote class="wide"><p>Low tide</p></blockquote>',
  '<pre class="wide"><code class="language-js">Low tide</code></pre>',
  '<p class="lead">Ebb</p><hr class="wave"><p id="low">Low<br class="phone">tide</p>',
  '<p><strong class="key">Low</strong> <em lang="la" title="a &quot;b&quot; style=c">tide</em></p>',
  '<p><a href="https://tides.example" class="button" id="today">Today</a>: low tide</p>',
];

test.each(RICH_TEXTS)('keeps the attributes of text that somebody edits visually: %s', async (html) => {
  const body = await writeBody(html);
  await body.getByText(/tide/).last().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' at noon');
  expect(await readSaved('body')).toEqual({ text: html.replace(/tide(?=<)/, 'tide at noon') });
  expect(await body.getByRole('button', { name: 'Edit HTML' }).count()).toBe(0);
  expect(await page.locator('.lead, .mantine-Overlay-root, #contest, #low, #today').count()).toBe(0);
});

test('opens text with attributes in the visual editor', async () => {
  const body = await writeBody(RICH_TEXTS.join(''));
  expect(await readSaved('body')).toEqual({ text: RICH_TEXTS.join('') });
  await page.reload();
  await body.getByText(/tide/).last().waitFor();
  expect(await body.getByText(/tide/).count()).toBeGreaterThanOrEqual(RICH_TEXTS.length);
  expect(await body.getByRole('button', { name: 'Edit HTML' }).count()).toBe(0);
});

test('does not copy IDs when somebody splits text', async () => {
  const body = await writeBody('<h2 id="low" class="wide">Low tide</h2>');
  await body.getByText('Low tide').click();
  for (const cursor of ['Low'.length, ' tide'.length]) {
    await page.evaluate(`new Promise((resolve) => {
      document.addEventListener('selectionchange', resolve, { once: true });
      getSelection().collapse(document.querySelector('[aria-label="Body"] h2:last-of-type').firstChild, ${cursor});
    })`);
    await page.keyboard.press('Enter');
  }
  expect(await readSaved('body')).toEqual({
    text: '<h2 id="low" class="wide">Low</h2><h2 class="wide"> tide</h2><p></p>',
  });
});

test('shows text as HTML if it contains an unknown attribute', async () => {
  const body = await writeBody('<p>Ebb</p><p><a name="low" href="https://tides.example">Low tide</a></p>');
  await body.getByRole('button', { name: 'Edit HTML' }).waitFor();
  expect(await body.getByRole('button', { name: 'Edit HTML' }).count()).toBe(1);
});

test('shows the saved HTML when the user leaves the field, and until then says that the HTML was corrected', async () => {
  const state = page.getByRole('region', { name: 'Status' }).getByRole('status');
  await page.getByRole('button', { name: 'Edit as HTML: Body' }).click();
  const source = page.getByRole('textbox', { name: 'Body' });
  await source.fill('<p>Ebb');
  await expect.poll(() => state.textContent()).toBe('Saved with corrected HTML');
  await source.fill('<p style="color: red">Ebb</p><iframe src="https://video.example"></iframe>');
  await page.getByText('Removed from Body (not allowed): style, <iframe>, src.').waitFor();
  await expect.poll(() => state.textContent()).toBe('Saved, except the HTML that was removed');
  expect(await source.inputValue()).toContain('<iframe');
  await source.blur();
  await expect.poll(() => source.inputValue()).toBe('<p>Ebb</p>');
  await expect.poll(() => state.textContent()).toBe('Saved');
  await page.getByRole('button', { name: 'Edit visually: Body' }).click();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
