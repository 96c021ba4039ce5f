// Share links: creating and revoking them, and the notice for addresses that do not support them.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDITOR, findAxeFaults, type Panel } from './panel.ts';
import { savePreviewAddresses } from './preview-website.ts';
import { SITE, STORY_PATH, startWriting } from './writing-desk.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startWriting();
  const owner = await panel.openAs('/sites');
  await savePreviewAddresses(owner, SITE, [
    { name: 'Website', address: 'https://marsh.example' },
    { name: 'Old website', address: 'https://old.marsh.example', pattern: '{base}/preview/{id}' },
  ]);
  await owner.context().close();
  page = await panel.openAs(STORY_PATH, EDITOR);
});

afterAll(() => panel.close());

test('an editor creates a link, which is shown once', async () => {
  await page.getByRole('button', { name: 'Share preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share preview' });
  await dialog.getByText('There are no active links.').waitFor();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.locator('figure', { hasText: 'Your link' }).locator('code').innerText();
  expect(link).toMatch(/^https:\/\/marsh\.example\/api\/draft\?secret=gsh_[\w-]+&id=c_story$/);
  const row = dialog.getByRole('row', { name: 'Website' });
  await row.getByText(EDITOR.name).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share preview' }).click();
  await dialog.getByRole('row', { name: 'Website' }).waitFor();
  expect(await dialog.getByText('gsh_').count()).toBe(0);
});

test('says that a website that checks only the preview secret cannot show shared pages', async () => {
  const dialog = page.getByRole('dialog', { name: 'Share preview' });
  await dialog.getByText('Websites that check only the preview secret cannot show the page.').waitFor();
});

test('says that previews cannot be shared at an address whose pattern does not contain the secret', async () => {
  const dialog = page.getByRole('dialog', { name: 'Share preview' });
  await dialog.getByRole('combobox', { name: 'Preview address' }).click();
  await page.getByRole('option', { name: 'Old website' }).click();
  await dialog.getByText('Old website cannot share previews').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create link' }).count()).toBe(0);
});

test('revokes a link', async () => {
  const dialog = page.getByRole('dialog', { name: 'Share preview' });
  await dialog.getByRole('button', { name: 'Revoke the link to Website' }).click();
  await dialog.getByText('There are no active links.').waitFor();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
