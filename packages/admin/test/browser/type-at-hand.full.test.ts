import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, type Panel, startPanel } from './panel.ts';

let panel: Panel;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { name: 'Saltmarsh', id: 's_press' });
});

afterAll(() => panel.close());

test('lets people create content of a new type immediately', async () => {
  const page = await panel.openAs('/sites/s_press');
  await page.getByRole('heading', { name: 'This site is empty' }).waitFor();
  const navigation = page.getByRole('navigation');
  await navigation.getByRole('link', { name: 'Content types' }).click();
  await page.getByRole('link', { name: 'New content type' }).first().click();
  await page.getByLabel('Name').fill('Recipe');
  await page.getByRole('button', { name: 'Create content type' }).click();
  await page.getByRole('heading', { name: 'Recipe' }).waitFor();
  await navigation.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByRole('button', { name: 'New content' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Samphire soup');
  expect(panel.complaints).toEqual([]);
});
