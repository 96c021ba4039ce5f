import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

const SITE = '/sites/s_press';
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { id: 's_press', name: 'Saltmarsh Press' });
  await callAsOwner(panel, `${SITE}/types`, { name: 'Article', handle: 'article', fields: [] });
  page = await panel.openAs(`${SITE}/authors`);
});

afterAll(() => panel.close());

test('creates an author with the keyboard, finds them, and refuses to delete an author used in content', async () => {
  await page.getByRole('heading', { name: 'No authors yet' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.keyboard.press('n');
  await page.getByLabel('Name').fill('Ada Marsh');
  await page.getByLabel('Email').fill('not an email address');
  await page.getByLabel('ID').fill('u_ada');
  await page.keyboard.press('Enter');
  await page.locator('input[aria-invalid="true"]').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Email').fill('');
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'Ada Marsh' }).waitFor();

  await callAsOwner(panel, `${SITE}/authors`, { name: 'Émile Roux' });
  await callAsOwner(panel, `${SITE}/content`, { content_type: 'article', name: 'Tides', author: 'u_ada' });
  await page.getByRole('heading', { name: 'Authors' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('emil');
  await page.getByRole('rowheader', { name: 'Émile Roux' }).waitFor();
  await page.getByRole('rowheader', { name: 'Ada Marsh' }).waitFor({ state: 'detached' });
  expect(page.url()).toContain('search=emil');
  await page.keyboard.type(' nobody');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByRole('link', { name: 'Ada Marsh' }).click();

  await page.getByRole('button', { name: 'Delete author' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete author' }).click();
  // Ada is used in content, so the dialog lists that content and requires more than a click.
  const inUse = page.getByRole('dialog', { name: 'Ada Marsh still has content' });
  await inUse.getByRole('link', { name: 'Tides' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await inUse.getByRole('button', { name: 'Delete author' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByLabel('Name').fill('Ada Saltmarsh');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('rowheader', { name: 'Ada Saltmarsh' }).waitFor();
  await page.getByRole('link', { name: 'Émile Roux' }).click();
  await page.getByRole('button', { name: 'Delete author' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete author' }).click();
  await page.getByText('Émile Roux was deleted.').waitFor();
  await page.getByRole('rowheader', { name: 'Émile Roux' }).waitFor({ state: 'detached' });
});

test('adds a picture from its URL, shows it, and fills in its size', async () => {
  await page.getByRole('link', { name: 'Assets' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Add from URL' }).click();
  await page.getByLabel('URL').fill(PICTURE);
  await page.getByLabel('Name').fill('Two stripes');
  await page.getByText('3 × 2').waitFor();
  expect(await page.getByLabel('Width').inputValue()).toBe('3');
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add asset' }).click();
  await page.getByRole('link', { name: /Two stripes.*PNG · 3 × 2/ }).waitFor();
  await callAsOwner(panel, `${SITE}/assets`, { name: 'Manual', url: 'https://files.example/manual.pdf' });
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Documents' }).click();
  await page.getByRole('link', { name: /Manual/ }).waitFor();
  expect(await page.getByRole('link', { name: /Two stripes/ }).count()).toBe(0);
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
