// The content list with two thousand objects: scrolling to the end, searching, sorting, and opening content with the keyboard.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importListSite, LIST_PATH } from './list-site.ts';
import { createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

const TOTAL = 2_000;

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await importListSite(panel, TOTAL);
  page = await panel.openAs(LIST_PATH);
});

afterAll(() => panel.close());

/** Scrolls down whenever the list has grown, until it is complete. Resolves to the largest number of rows that were on the page at once. */
const WALK_TO_END = `new Promise((resolve) => {
  let most = 0;
  const goOn = () => {
    most = Math.max(most, document.querySelectorAll('[data-row-link]').length);
    window.scrollTo(0, document.documentElement.scrollHeight);
    if (document.querySelector('[aria-rowcount="${TOTAL + 1}"]')) resolve(most);
  };
  new ResizeObserver(goOn).observe(document.body);
})`;

const row = (name: string | RegExp) => page.getByRole('row', { name });
const readNames = (): Promise<string[]> => page.locator('[data-row-link]').allInnerTexts();
const readPath = (): string => page.url().slice(page.url().indexOf('/admin') + '/admin'.length);

/** Retries, because a list of options closes when the page re-renders after the previous choice takes effect. */
async function choose(label: string, option: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label }).last();
  const choice = page.getByRole('option', { name: option, exact: true });
  const isChosen = async (): Promise<boolean> => (await box.inputValue()) === option;
  await expect
    .poll(async () => {
      if (!(await choice.isVisible())) await box.click();
      // The list of options may close while the page renders. A second click on a chosen option would clear it.
      await choice.click({ timeout: 1000 }).catch(() => {});
      return expect
        .poll(isChosen, { timeout: 2000 })
        .toBe(true)
        .then(
          () => true,
          () => false,
        );
    })
    .toBe(true);
}

test('lists all objects, most recently changed first, and renders only a few rows at a time', async () => {
  await row(/Object 01999/).waitFor();
  expect(await row(/Object 01998/).innerText()).toMatch(/Post\s+English\s+Published\s+Ada Quill\s+Jan 2, 2024/);
  const grid = page.getByRole('grid', { name: 'Content' });
  const most = await page.evaluate<number>(WALK_TO_END);
  await row(/Object 00000/).waitFor();
  expect(most).toBeLessThan(100);
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(TOTAL + 1));
});

test('keeps the search, filters and sort order in the URL, which opens the same list again', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('object 012');
  await row(/Object 01299/).waitFor();
  await choose('Type', 'Note');
  await choose('Status', 'Draft');
  await choose('Author', 'Ada Quill');
  await choose('Sort', 'Name A to Z');
  const expected = ['Object 01209', 'Object 01239', 'Object 01269', 'Object 01299'];
  await expect.poll(readNames).toEqual(expected);
  expect(readPath()).toBe(
    `${LIST_PATH}?search=object%20012&content_type=note&status=draft&author=u_ada&sort=name%3Aasc`.replace('%20', '+'),
  );
  await page.reload();
  await expect.poll(readNames).toEqual(expected);
  expect(await page.getByRole('searchbox').inputValue()).toBe('object 012');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect.poll(readNames).toEqual([...expected].reverse());
  await page.getByRole('searchbox').fill('no such name');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(/Object 01999/).waitFor();
});

test('lets people select and open rows with the keyboard, and returns to the same row', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}`);
  await row(/Object 01999/).waitFor();
  await page.keyboard.press('j');
  for (const key of ['j', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key);
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  expect(await focused()).toBe('Object 01997');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
  for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Object 01937');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Object 01937' }).waitFor();
  expect(readPath()).toBe('/sites/s_list/content/c_01937');
  await page.goBack();
  await row(/Object 01937/).waitFor();
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('Object 01937');
});

test('creates content with a type and a language, and opens it in the editor', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}`);
  await row(/Object/)
    .first()
    .waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create and open' }).click();
  await dialog.locator('input[aria-invalid="true"]').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('Une lettre');
  await choose('Type', 'Note');
  expect(await page.getByRole('option', { name: 'Card' }).count()).toBe(0);
  await choose('Language', 'French');
  await dialog.getByRole('button', { name: 'Create and open' }).click();
  await page.getByRole('heading', { name: 'Une lettre' }).waitFor();
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  expect(await row(/Une lettre/).innerText()).toMatch(/Note\s+French\s+Draft\s+No author/);
});

test('fits on a phone, where a button opens the filters', async () => {
  const phone = await panel.openAs(LIST_PATH, undefined, { viewport: { width: 360, height: 740 } });
  await phone.getByRole('row', { name: /Une lettre/ }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await phone.getByRole('button', { name: 'Filters' }).click();
  await phone.getByRole('combobox', { name: 'Type' }).waitFor();
  await phone.getByRole('checkbox', { name: 'Select Une lettre' }).click();
  await phone.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findAxeFaults(phone)).toEqual([]);
  await phone.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
