// Shortcuts do not work while a dialog is open, and single-key shortcuts can be turned off.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeFaults, OWNER, type Panel } from './panel.ts';
import { SITE, STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startWriting();
  page = await panel.openAs(STORY_PATH);
});

afterAll(() => panel.close());

test('ignores the publish shortcut while a dialog is open', async () => {
  const published: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/publish')) published.push(request.url());
  });
  await page.getByLabel('Summary').fill('Twice a day');
  await saveNow(page);
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await dialog.getByLabel('Publish at', { exact: true }).press('Control+Enter');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(published).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.getByText('“Tide” was published.').waitFor();
  expect(published).toHaveLength(1);
});

test('ignores page shortcuts while the list of shortcuts is open', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/authors`);
  await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
  await page.keyboard.press('Shift+?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('New author').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/authors$/);
});

test('keeps single-key shortcuts off until they are turned on again', async () => {
  const menu = page.getByRole('button', { name: OWNER.name });
  const choice = page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' });
  await menu.click();
  await choice.and(page.locator('[aria-checked="true"]')).click();
  await choice.and(page.locator('[aria-checked="false"]')).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.reload();
  await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
  for (const key of ['Shift+?', '/', 'n']) await page.keyboard.press(key);
  expect(await page.getByRole('searchbox').and(page.locator(':focus')).count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(page.url()).toMatch(/authors$/);
  await menu.click();
  await choice.click();
  await page.keyboard.press('Escape');
  await choice.waitFor({ state: 'detached' });
  await page.keyboard.press('n');
  await page.waitForURL('**/authors/new');
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
