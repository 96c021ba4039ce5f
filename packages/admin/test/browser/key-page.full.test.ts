// The page for an API key. Changed permissions apply from the next request.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

let panel: Panel;
let page: Page;
let keyId: string;
let token: string;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  for (const [id, name] of [
    ['s_press', 'Press'],
    ['s_marsh', 'Marsh'],
  ] as const) {
    await panel.service.importRecords([
      site(id, { name }),
      contentType(id, 'note', []),
      content({ id: 'c_1', site: id }),
      content({ id: 'c_2', site: id, status: 'draft' }),
    ]);
  }
  ({ id: keyId, token } = await panel.service.createKey({ sites: ['s_press', 's_marsh'], rateLimit: 600 }));
  page = await panel.openAs('/account/keys');
});

afterAll(() => panel.close());

async function read(siteId: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(`${panel.service.url}/api/v1/content`, {
    headers: { authorization: `Bearer ${token}`, 'x-service-site': siteId, ...headers },
  });
  return response.status;
}

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
}

test('opens the page for a key from the list', async () => {
  await page.getByRole('link', { name: 'test', exact: true }).click();
  await page.getByRole('heading', { name: 'test' }).waitFor();
  const facts = page.getByRole('definition');
  expect(await facts.allInnerTexts()).toEqual([
    `${token.slice(0, 10)}…`,
    expect.stringMatching(/\d{4}, \d+:\d\d [AP]M/),
    'Never',
  ]);
  await page.getByText(keyId).waitFor();
  expect(await page.getByLabel('Requests per minute').inputValue()).toBe('600');
  expect(await page.content()).not.toContain(token);
});

test('refuses access to a site as soon as the site is removed from the key', async () => {
  expect([await read('s_press'), await read('s_marsh')]).toEqual([200, 200]);
  const sites = page.getByRole('combobox', { name: 'Sites' });
  await sites.focus();
  await page.keyboard.press('Backspace');
  await save();
  expect([await read('s_press'), await read('s_marsh')].toSorted()).toEqual([200, 403]);
});

test('applies changes to preview access and limits immediately, and shows an error next to an invalid name', async () => {
  const preview = { 'x-service-preview': 'true' };
  await page.getByRole('radio', { name: 'All sites' }).check();
  expect(await read('s_press', preview)).toBe(403);
  await page.getByRole('switch', { name: 'Can read previews' }).check();
  await page.getByLabel('Name').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('input[aria-invalid="true"]').and(page.getByLabel('Name')).waitFor();
  await page.getByLabel('Name').fill('Both sites');
  await page.getByLabel('Requests per minute').fill('50');
  await save();
  await page.getByRole('heading', { name: 'Both sites' }).waitFor();
  expect([await read('s_press', preview), await read('s_marsh', preview)]).toEqual([200, 200]);
});

test('renames an expired key, and extends its expiry', async () => {
  const { id, token: old } = await panel.service.createKey({ allSites: true, expires: Date.UTC(2020, 0, 1) });
  const other = await panel.openAs(`/account/keys/${id}`);
  await other.getByText('Expired', { exact: true }).waitFor();
  await other.getByLabel('Name').fill('Old');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByRole('heading', { name: 'Old' }).waitFor();
  await other.getByRole('button', { name: 'Clear expiry' }).click();
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Active', { exact: true }).waitFor();
  token = old;
  expect(await read('s_press')).toBe(200);
  await other.context().close();
});

test('shows a revoked key, which can no longer be changed', async () => {
  await page.goto(`${panel.service.url}/admin/account/keys/${keyId}`);
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The key can no longer be changed.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
});

test('hides the page from editors', async () => {
  const other = await panel.openAs(`/account/keys/${keyId}`, EDITOR);
  await other.getByRole('heading', { name: 'Page not found' }).waitFor();
  await other.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
