// The Markdown field: keyboard shortcuts and the preview.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeFaults, type Panel } from './panel.ts';
import { STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="teal"/></svg>')}`;
const TEXT = `## Tides

Twice a **day**: [a table](https://tides.example/today), [the ebb](/stories/ebb), [a trap](javascript:alert(1)).

<script>document.title = 'taken'</script>

Some <b onclick="alert(1)">bold</b> HTML, and \`code\`.

- ![A heron](${PICTURE})
- ![A script](javascript:alert(1))

> Quoted

| Port | High *water* |
|:-----|------:|
| Husum | 12:40 |
| Sylt \\| List | [later](/stories/ebb) |
`;

let panel: Panel;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  panel = await startWriting();
  page = await panel.openAs(STORY_PATH);
  page.on('request', (request) => asked.push(request.url()));
});

afterAll(() => panel.close());

function findWriting() {
  return page.getByRole('textbox', { name: 'Notes' });
}

function findPreview() {
  return page.getByRole('region', { name: 'Preview of Notes' });
}

test('formats text with the keyboard', async () => {
  await findWriting().fill('word');
  for (const [key, expected] of [
    ['Control+b', '**word**'],
    ['Control+b', 'word'],
    ['Control+i', '_word_'],
    ['Control+i', 'word'],
    ['Control+k', '[word](https://)'],
  ] as const) {
    if (key === 'Control+b' && expected === '**word**') await findWriting().press('Control+a');
    await findWriting().press(key);
    expect(await findWriting().inputValue()).toBe(expected);
  }
});

test('loads the preview when it is selected with the arrow keys', async () => {
  await findWriting().fill(TEXT);
  expect(asked.filter((url) => url.includes('markdown-preview'))).toEqual([]);
  const views = page.getByRole('radiogroup', { name: 'View for Notes' });
  await views.getByRole('radio', { name: 'Write' }).focus();
  await page.keyboard.press('ArrowRight');
  await findPreview().getByRole('heading', { name: 'Tides', level: 2 }).waitFor();
  expect(asked.filter((url) => url.includes('markdown-preview'))).not.toEqual([]);
  expect(await findWriting().count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
});

test('opens external links and links to the site in a new tab, and never runs a script', async () => {
  const links = await findPreview()
    .getByRole('link')
    .evaluateAll((elements) =>
      elements.map((element) => ['href', 'target', 'rel'].map((name) => element.getAttribute(name))),
    );
  expect(links).toEqual([
    ['https://tides.example/today', '_blank', 'noopener noreferrer'],
    ['https://marsh.example/stories/ebb', '_blank', 'noopener noreferrer'],
    ['https://marsh.example/stories/ebb', '_blank', 'noopener noreferrer'],
  ]);
  await findPreview().getByText('a trap').waitFor();
  expect(await page.content()).not.toContain('href="javascript:');
});

test('shows tables', async () => {
  const rows = findPreview().getByRole('table').getByRole('row');
  expect(await rows.count()).toBe(3);
  expect(await rows.nth(0).getByRole('columnheader').allInnerTexts()).toEqual(['Port', 'High water']);
  expect(await rows.nth(1).getByRole('cell').allInnerTexts()).toEqual(['Husum', '12:40']);
  expect(await rows.nth(2).getByRole('cell').allInnerTexts()).toEqual(['Sylt | List', 'later']);
  await rows.nth(0).locator('em', { hasText: 'water' }).waitFor();
});

test('shows HTML as text', async () => {
  await findPreview().getByText("<script>document.title = 'taken'</script>").waitFor();
  await findPreview().getByText('<b onclick="alert(1)">bold</b>').waitFor();
  expect(await findPreview().locator('script, b, [onclick]').count()).toBe(0);
  expect(await page.title()).not.toBe('taken');
});

test('shows pictures that the page may load, and the alt text of others', async () => {
  expect(await findPreview().getByRole('img').count()).toBe(1);
  await findPreview().getByRole('img', { name: 'A heron' }).waitFor();
  await findPreview().getByText('A script').waitFor();
});

/** @param on a page with one Markdown field */
async function choosePreview(on: Page): Promise<void> {
  await on.getByRole('radiogroup', { name: 'View for Notes' }).getByText('Preview').click();
}

test('keeps the selection and the undo history during a preview', async () => {
  await page.getByRole('radio', { name: 'Preview' }).press('ArrowLeft');
  await findWriting().press('Control+End');
  await page.keyboard.type('More.');
  await choosePreview(page);
  await findPreview().getByText('More.').waitFor();
  await page.getByText('Write', { exact: true }).click();
  expect(await findWriting().inputValue()).toBe(`${TEXT}More.`);
  await findWriting().press('Control+z');
  expect(await findWriting().inputValue()).not.toContain('More.');
  await saveNow(page);
});

test('fits on a phone that is 360 px wide', async () => {
  const phone = await panel.openAs(STORY_PATH, undefined, { viewport: { width: 360, height: 740 } });
  await choosePreview(phone);
  await phone.getByRole('region', { name: 'Preview of Notes' }).getByText('Quoted').waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await phone.context().close();
});

test('offers a reload when the preview cannot be loaded, and keeps the form usable', async () => {
  const offline = await panel.openAs(STORY_PATH);
  await offline.getByRole('textbox', { name: 'Notes' }).waitFor();
  await offline.context().setOffline(true);
  await choosePreview(offline);
  await offline.getByText('This part could not be loaded.').waitFor();
  await offline.getByText('Write', { exact: true }).click();
  await offline.getByRole('textbox', { name: 'Notes' }).fill('Written offline.');
  await choosePreview(offline);
  await offline.context().setOffline(false);
  await offline.getByRole('button', { name: 'Reload' }).click();
  await choosePreview(offline);
  await offline.getByRole('region', { name: 'Preview of Notes' }).getByText('Written offline.').waitFor();
  await offline.context().close();
});

test('logs no other errors in the browser console', () => {
  expect(panel.complaints.filter((complaint) => !complaint.includes('INTERNET_DISCONNECTED'))).toEqual([]);
});
