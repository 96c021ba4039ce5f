// Uploads in the editor: into an assets field, its picker, Markdown and rich text.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeFaults, type Panel } from './panel.ts';
import { drawPicture, drawPictures, dropFiles, pasteFiles } from './pictures.ts';
import { SITE, STORY, STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startWriting();
  page = await panel.openAs(STORY_PATH);
});

afterAll(() => panel.close());

function findField(name: string) {
  return page.getByRole('group', { name, exact: true });
}

async function closeUploads(): Promise<void> {
  const region = page.getByRole('region', { name: 'Uploads' });
  await region.getByRole('button', { name: 'Close' }).click();
  await region.waitFor({ state: 'detached' });
}

async function readFields(): Promise<Record<string, Record<string, unknown>>> {
  await saveNow(page);
  const response = await page.request.get(`${panel.service.url}/manage/v1/sites/${SITE}/content/${STORY}`);
  return (await response.json()).fields;
}

async function nameAssets(ids: unknown): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  for (const id of Array.isArray(ids) ? ids : []) {
    const response = await page.request.get(`${panel.service.url}/manage/v1/sites/${SITE}/assets/${id}`);
    names.push((await response.json()).name);
  }
  return names;
}

test('adds dropped pictures to a field in order, and refuses other files', async () => {
  const manual = { name: 'Manual.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
  await dropFiles(page, findField('Pictures'), [...drawPictures(5), manual]);
  await page.getByText('Pictures does not allow “Manual.pdf”.').waitFor();
  await expect
    .poll(() =>
      findField('Pictures')
        .getByRole('button', { name: /^Move / })
        .count(),
    )
    .toBe(5);
  expect(await findAxeFaults(page)).toEqual([]);
  await closeUploads();
  const { pictures } = await readFields();
  expect(await nameAssets(pictures?.assets)).toEqual(drawPictures(5).map(({ name }) => name.replace('.png', '')));
});

test('uploads a file in the picker, and selects it there', async () => {
  await page.getByRole('button', { name: 'Add assets to Pictures' }).click();
  const picker = page.getByRole('dialog', { name: 'Add assets to Pictures' });
  await picker.getByRole('checkbox', { name: /Heron/ }).waitFor();
  await dropFiles(page, picker.getByRole('list'), [drawPicture('Egret', { left: [9, 90, 9], right: [90, 9, 9] })]);
  await expect.poll(() => picker.getByRole('checkbox', { name: /Egret/ }).isChecked()).toBe(true);
  expect(await findAxeFaults(page)).toEqual([]);
  await picker.getByRole('button', { name: 'Add 1' }).click();
  await findField('Pictures').getByText('Egret').waitFor();
  await closeUploads();
});

test('inserts a pasted screenshot into Markdown', async () => {
  const area = page.getByRole('textbox', { name: 'Notes' });
  await area.fill('Before\n\nAfter');
  await page.evaluate('document.activeElement.setSelectionRange(6, 6)');
  const screenshot = { ...drawPicture('image', { left: [1, 1, 90], right: [90, 1, 1] }), name: 'image.png' };
  await pasteFiles(page, [screenshot]);
  await expect
    .poll(() => area.inputValue())
    .toMatch(/^Before\n\n!\[Screenshot [^\]]+\]\(http[^)]+\/assets\/s_marsh\/[^)]+\.png\)\n\nAfter$/);
  await closeUploads();
  const written = await area.inputValue();
  await findField('Notes').getByText('Preview').click();
  await page
    .getByRole('region', { name: 'Preview of Notes' })
    .getByRole('img', { name: /^Screenshot/ })
    .waitFor();
  expect((await readFields()).notes?.text).toBe(written);
});

test('inserts dropped pictures into rich text, between its paragraphs', async () => {
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.click();
  await page.keyboard.type('One');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Two');
  await dropFiles(page, body.getByText('One'), drawPictures(2, 'Rich'));
  await expect.poll(() => body.getByRole('img').count()).toBe(2);
  const { body: saved } = await readFields();
  expect(String(saved?.text)).toMatch(/^<p>One<\/p><p><img [^>]+><\/p><p><img [^>]+><\/p><p>Two<\/p>$/);
  expect(String(saved?.text)).toContain('alt="Rich 1"');
  expect(await findAxeFaults(page)).toEqual([]);
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
