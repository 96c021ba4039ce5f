import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  page = await panel.openAs('/sites');
});

afterAll(() => panel.close());

test('creates a site, and copies its ID from the list', async () => {
  await page.getByRole('link', { name: 'New site' }).click();
  await page.getByLabel('URL').fill('not a URL');
  await page.getByLabel('ID').fill('s_press');
  const languages = page.getByRole('combobox', { name: 'Languages' });
  await languages.fill('Germanish');
  await page.getByText('No language found.').waitFor();
  await languages.fill('deutsch');
  await page.getByRole('option', { name: /^German/ }).click();
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.getByText('Name is empty.').waitFor();
  await page.getByText('Enter a URL that starts with https://.').waitFor();
  await page.getByLabel('Name').fill('x'.repeat(256));
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.getByText('Name can have at most 255 characters.').waitFor();
  await page.getByLabel('Name').fill('Saltmarsh Press');
  await page.getByText('Name can have at most 255 characters.').waitFor({ state: 'detached' });
  await page.getByText('Enter a URL that starts with https://.').waitFor();
  await page.getByLabel('URL').fill('https://saltmarsh.example');
  await page.getByText('Enter a URL that starts with https://.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  const row = page.getByRole('row', { name: /Saltmarsh Press/ });
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(
    expect.arrayContaining(['s_press', 'saltmarsh.example', 'English, German']),
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: 'Copy site ID' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('s_press');
});

test("changes a site's name and languages", async () => {
  await page.getByRole('link', { name: 'Saltmarsh Press' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name').fill('Saltmarsh');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /Site Saltmarsh$/ }).waitFor();
  const added = page.getByRole('combobox', { name: 'Add a language' });
  await added.fill('French');
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('option', { name: /^French français/ }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Make default: French' }).click();
  await page.getByRole('button', { name: 'Remove English' }).click();
  await page.getByRole('button', { name: 'Remove English' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove German' }).click();
  await page.getByText('German was removed.').waitFor();
  expect(await listLanguages()).toEqual([expect.stringContaining('French fr')]);
});

test("undoes a removal with the toast's button, and then hides the toast", async () => {
  const toast = page.getByRole('alert').filter({ hasText: 'German was removed.' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Remove German' }).waitFor();
  await toast.waitFor({ state: 'detached' });
  expect(await listLanguages()).toEqual([expect.stringContaining('French fr'), expect.stringContaining('German de')]);
});

test('names both languages when missing translations prevent a language from becoming the default', async () => {
  const type = { handle: 'post', name: 'Post', object_type: 'page', uri_pattern: '{slug}', fields: [] };
  await callAsOwner(panel, '/sites/s_press/types', type);
  await callAsOwner(panel, '/sites/s_press/content', { content_type: 'post', name: 'Ebbe', language: 'fr' });
  await page.getByRole('button', { name: 'Make default: German' }).click();
  await page
    .getByText('German cannot become the default language: 1 page in French has no German translation.')
    .waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test('keeps the site in the sidebar on account pages', async () => {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.getByRole('button', { name: /Site Saltmarsh$/ }).waitFor();
  // The site is still there after a reload and in a new tab.
  await page.reload();
  await page.getByRole('button', { name: /Site Saltmarsh$/ }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${panel.service.url}/admin/account/users`);
  await tab.getByRole('button', { name: /Site Saltmarsh$/ }).waitFor();
  await tab.close();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

test("changes the organisation's name", async () => {
  await page.getByRole('link', { name: 'Organisation' }).click();
  // The previous page also has a field called “Name”.
  await page.getByRole('heading', { name: 'Organisation', level: 1 }).waitFor();
  await page.getByLabel('Name').fill('Saltmarsh Publishers');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  expect(await page.getByLabel('Name').inputValue()).toBe('Saltmarsh Publishers');
});

function listLanguages(): Promise<readonly string[]> {
  return page.getByRole('region', { name: 'Languages' }).getByRole('listitem').allInnerTexts();
}

test('creates a key, and shows a curl command that works until the key is revoked', async () => {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('link', { name: 'New API key' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Name is empty.').waitFor();
  await page.getByLabel('Name').fill('Website');
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'Your new key' }).waitFor();
  const curl = await page.locator('figure', { hasText: 'terminal' }).locator('code').innerText();
  const [, url = ''] = /curl '([^']+)'/.exec(curl) ?? [];
  const headers = [...curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]);
  expect((await fetch(url, { headers })).status).toBe(200);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Website' }).click();
  await page.getByRole('dialog').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /Website Revoked/i }).waitFor();
  expect((await fetch(url, { headers })).status).toBe(401);
});

test('shows editors the sites but not the keys, and does not let them change anything', async () => {
  const other = await panel.openAs('/account/keys', EDITOR);
  await other.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await other.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await other.getByRole('link', { name: 'Sites', exact: true }).click();
  await other.getByRole('link', { name: 'Saltmarsh', exact: true }).click();
  await other.getByRole('link', { name: 'Settings' }).waitFor();
  const entries = await other.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
  expect(entries).toEqual(['Dashboard', 'Content', 'Content types', 'Authors', 'Assets', 'Settings', 'Sites']);
  await other.getByRole('link', { name: 'Settings' }).click();
  await other.getByText('Only owners can change these settings.').waitFor();
  expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await other.context().close();
});

test('fits on a phone that is 360 px wide, where a button opens the navigation', async () => {
  const phone = await panel.openAs('/account/keys', undefined, { viewport: { width: 360, height: 740 } });
  await phone.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await phone.getByRole('button', { name: 'Open navigation' }).click();
  await phone.getByRole('link', { name: 'Sites', exact: true }).click();
  await phone.getByRole('heading', { name: 'Sites' }).waitFor();
  await phone.getByRole('button', { name: 'Open navigation' }).waitFor();
  await phone.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
