// Click-to-edit on a page that requests marks: the panel opens the field that the page names, even in nested blocks, and tells the page
// which field is being edited.

import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDITOR, type Panel } from './panel.ts';
import { readFocusedField } from './panel-steps.ts';
import { callAs, savePreviewAddresses, startWebsite, type Website } from './preview-website.ts';
import { SITE, STORY, STORY_PATH, startWriting } from './writing-desk.ts';

const FIELDS = {
  summary: { text: 'Twice a day' },
  notes: { text: 'To be checked' },
  body: { text: '<p>The water comes and goes.</p>' },
  points: { list: ['Moon', 'Sun', 'Wind'] },
  pictures: { assets: ['a_0', 'a_1'] },
  related: { content_links: ['c_flood'] },
  sections: {
    blocks: [
      { content_type: 'quote', name: null, fields: { words: { text: 'First' } } },
      {
        content_type: 'columns',
        name: null,
        fields: {
          parts: {
            blocks: [
              { content_type: 'quote', name: null, fields: { words: { text: 'Left' } } },
              { content_type: 'quote', name: null, fields: { words: { text: 'Right' } } },
            ],
          },
        },
      },
    ],
  },
};

let panel: Panel;
let website: Website;
let page: Page;
let shown: FrameLocator;

/** Posts the same messages as the library. `edit` does what the library does on a click. */
const buildPage = (origin: string): string => `<h1>Marked</h1><ol></ol><script>
  const post = (message) => parent.postMessage(message, ${JSON.stringify(origin)});
  const edit = (id, path) => post({ message: 'service-edit-field', id, path, language: 'en' });
  addEventListener('message', ({ data }) => {
    if (data.message === 'service-update-content') {
      const { name, source_map } = JSON.parse(data.content);
      document.querySelector('h1').textContent = name;
      document.querySelector('h1').dataset.marks = String(name.includes('\u200b') && source_map.length > 0);
    }
    const line = document.createElement('li');
    line.textContent = data.message + ' ' + data.id + ' ' + data.path;
    if (data.message === 'service-edited-field') document.querySelector('ol').append(line);
  });
  post('live-preview-enabled');
  post({ message: 'service-live-preview', marks: true });
  post('loaded');
</script>`;

beforeAll(async () => {
  panel = await startWriting();
  website = await startWebsite(panel.service.url);
  website.answer = ({ pathname }) => (pathname === '/page' ? { html: buildPage(panel.service.url) } : undefined);
  page = await panel.openAs(STORY_PATH);
  await savePreviewAddresses(page, SITE, [{ name: 'Website', address: website.origin }]);
  await callAs(page, 'PUT', `/sites/${SITE}/content/${STORY}`, { version: 1, name: 'Tide', fields: FIELDS });
  await page.reload();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  shown = page.frameLocator('iframe');
  await shown.getByRole('heading', { name: 'Tide' }).waitFor();
});

afterAll(async () => {
  await panel.close();
  await website.close();
});

/** Has the same effect as clicking the field on the page. */
async function clickOnPage(path: string, id = STORY): Promise<void> {
  await shown.locator('html').evaluate(`edit(${JSON.stringify(id)}, ${JSON.stringify(path)})`);
}

const readFocus = (): Promise<string> => readFocusedField(page);

test('sends updates with marks to a page that asked for them', async () => {
  await shown.locator('h1[data-marks="true"]').waitFor();
});

test.each([
  ['name', 'name: Tide'],
  ['fields.summary', 'fields.summary: Twice a day'],
  ['fields.notes', 'fields.notes: To be checked'],
  ['fields.body', 'fields.body: The water comes and goes.'],
  ['fields.points.list[1]', 'fields.points.list[1]: Sun'],
  ['fields.sections.blocks[0].fields.words', 'fields.sections.blocks[0].fields.words: First'],
  [
    'fields.sections.blocks[1].fields.parts.blocks[1].fields.words',
    'fields.sections.blocks[1].fields.parts.blocks[1].fields.words: Right',
  ],
])('opens and focuses %s', async (path, focus) => {
  await clickOnPage(path);
  await expect.poll(readFocus).toBe(focus);
  expect(await page.evaluate('document.activeElement.getBoundingClientRect().top >= 0')).toBe(true);
  await shown.getByText(`service-edited-field ${STORY} ${path}`, { exact: true }).last().waitFor();
});

test('focuses the picture whose caption was clicked', async () => {
  await clickOnPage('fields.pictures.assets[1]');
  await expect.poll(readFocus).toContain('fields.pictures.assets[1]: Reeds');
});

test('opens the same field again after somebody has collapsed the block around it', async () => {
  const path = 'fields.sections.blocks[0].fields.words';
  await clickOnPage(path);
  await expect.poll(readFocus).toBe(`${path}: First`);
  await page.getByRole('button', { name: 'Quotation First' }).click();
  await page.getByLabel('Name').focus();
  await clickOnPage(path);
  await expect.poll(readFocus).toBe(`${path}: First`);
});

test('shows the Markdown source if its preview is open', async () => {
  await page.getByRole('radiogroup', { name: 'View for Notes' }).getByText('Preview').click();
  await clickOnPage('fields.notes');
  await expect.poll(readFocus).toBe('fields.notes: To be checked');
});

test('opens the form if another tab is open', async () => {
  await page.getByRole('navigation', { name: 'Views of this content' }).getByRole('link', { name: 'SEO' }).click();
  await page.getByRole('form', { name: 'SEO' }).waitFor();
  await clickOnPage('fields.summary');
  await expect.poll(readFocus).toBe('fields.summary: Twice a day');
});

test('shows the surrounding part if the form does not have the field', async () => {
  await clickOnPage('fields.sections.blocks[0].fields.gone');
  await expect.poll(readFocus).toContain('fields.sections.blocks[0]');
});

test('offers to open the field in other content, and keeps unsaved changes', async () => {
  await page.getByLabel('Summary').fill('Not saved yet');
  await clickOnPage('fields.summary', 'c_flood');
  await page.getByText('This text belongs to other content').waitFor();
  expect(page.url()).toContain(STORY);
  await page.getByRole('link', { name: 'Open “Flood”' }).click();
  await page.getByRole('heading', { name: 'Flood', level: 1 }).waitFor();
  await expect.poll(readFocus).toBe('fields.summary: Flood');
  await shown.getByRole('heading', { name: 'Flood' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Tide', level: 1 }).waitFor();
  expect(await page.getByLabel('Summary').inputValue()).toBe('Not saved yet');
});

test('offers to open an asset', async () => {
  await shown.getByRole('heading', { name: 'Tide' }).waitFor();
  await clickOnPage('description', 'a_1');
  await page.getByText('This text belongs to an asset').waitFor();
  await page.getByRole('link', { name: 'Open “Reeds”' }).click();
  await page.getByRole('heading', { name: 'Reeds' }).waitFor();
});

test('lets editors, not only owners, preview and edit', async () => {
  const editor = await panel.openAs(`${STORY_PATH}#fields.points.list[2]`, EDITOR);
  // Opening a link to a field focuses the field.
  await expect.poll(() => editor.evaluate<string>('document.activeElement.value ?? ""')).toBe('Wind');
  await editor.getByRole('button', { name: 'Preview', exact: true }).click();
  await editor.frameLocator('iframe').getByRole('heading', { name: 'Tide' }).waitFor();
  await editor.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints.filter((each) => !each.startsWith(`requested ${website.origin}/`))).toEqual([]);
});
