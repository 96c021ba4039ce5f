// Permanent deletion in the panel: an owner must type the name to confirm.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, OWNER, type Panel, startPanel } from './panel.ts';

const SITE = '/sites/s_press';
const COLLEAGUE = { ...EDITOR, name: 'Cleo Colleague', email: 'cleo@galley.example' };

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { id: 's_press', name: 'Saltmarsh Press' });
  await callAsOwner(panel, `${SITE}/types`, { handle: 'article', name: 'Article', object_type: 'page', fields: [] });
  await callAsOwner(panel, `${SITE}/authors`, { id: 'u_ada', name: 'Ada Marsh' });
  await callAsOwner(panel, `${SITE}/authors`, { id: 'u_bo', name: 'Bo Fen' });
  await callAsOwner(panel, `${SITE}/content`, {
    id: 'c_tides',
    content_type: 'article',
    name: 'Tides',
    author: 'u_ada',
  });
  await callAsOwner(panel, `${SITE}/content`, { id: 'c_old', content_type: 'article', name: 'Old  news' });
  await callAsOwner(panel, `${SITE}/content/c_old/archive`, {});
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await callAsOwner(panel, '/users', { ...COLLEAGUE, role: 'owner' });
  page = await panel.openAs(`${SITE}/content/c_old`);
});

afterAll(() => panel.close());

/** The button in the dialog is enabled only once the whole name has been typed. */
async function confirmTyped(name: string, label: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: label });
  const input = dialog.getByLabel(`Type “${name}” to confirm`);
  await input.fill(name.slice(0, -1));
  expect(await button.isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  expect(await findAxeFaults(page)).toEqual([]);
  await input.fill(name);
  await button.click();
}

async function readStatus(path: string): Promise<number> {
  return (await page.request.get(`${panel.service.url}/manage/v1${path}`)).status();
}

test('lets an owner delete archived content after typing its name', async () => {
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await confirmTyped('Old news', 'Delete for good');
  await page.getByText('“Old news” was deleted.').waitFor();
  await page.getByRole('heading', { name: 'Content', exact: true }).waitFor();
  await page.getByText('Tides').waitFor();
  expect(await page.getByText('Old news', { exact: true }).count()).toBe(0);
  expect(await readStatus(`${SITE}/content/c_old`)).toBe(404);
});

test('does not let editors delete archived content or the site', async () => {
  await callAsOwner(panel, `${SITE}/content`, { id: 'c_kept', content_type: 'article', name: 'Kept' });
  await callAsOwner(panel, `${SITE}/content/c_kept/archive`, {});
  const other = await panel.openAs(`${SITE}/content/c_kept`, EDITOR);
  await other.getByRole('button', { name: 'Restore as a draft' }).waitFor();
  expect(await other.getByRole('button', { name: 'Delete for good' }).count()).toBe(0);
  await other.goto(`${panel.service.url}/admin${SITE}/settings`);
  await other.getByText('Only owners can change these settings.').waitFor();
  expect(await other.getByRole('button', { name: 'Delete site' }).count()).toBe(0);
  await other.context().close();
});

test('replaces a deleted author in content', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/authors/u_ada`);
  await page.getByRole('button', { name: 'Delete author' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete author' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ada Marsh still has content' });
  await dialog.getByRole('link', { name: 'Tides' }).waitFor();
  await dialog.getByLabel('New author').click();
  await page.getByRole('option', { name: 'Bo Fen' }).click();
  await confirmTyped('Ada Marsh', 'Delete author');
  await page.getByText('Ada Marsh was deleted.').waitFor();
  const content = await page.request.get(`${panel.service.url}/manage/v1${SITE}/content/c_tides`);
  expect(await content.json()).toMatchObject({ author: 'u_bo' });
});

test('deletes a user after their email address is typed, and removes their name from the audit log', async () => {
  await page.goto(`${panel.service.url}/admin/account/users`);
  await page.getByRole('link', { name: EDITOR.name }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await confirmTyped(EDITOR.email, 'Delete user');
  await page.getByText(`${EDITOR.name} was deleted.`).waitFor();
  await page.getByRole('link', { name: EDITOR.name }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText(/Olive Owner deleted the user m_/).waitFor();
  expect(await page.getByRole('main').getByText(EDITOR.name).count()).toBe(0);
});

test('signs out people who delete themselves, and refuses to delete the last owner', async () => {
  const other = await panel.openAs('/account/users', COLLEAGUE);
  await other.getByRole('link', { name: COLLEAGUE.name }).click();
  await other.getByRole('button', { name: 'Delete user' }).click();
  await other.getByText('You will be signed out').waitFor();
  await other.getByLabel(`Type “${COLLEAGUE.email}” to confirm`).fill(COLLEAGUE.email);
  await other.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.context().close();

  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('link', { name: OWNER.name }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await confirmTyped(OWNER.email, 'Delete user');
  await page.getByRole('alert').getByText('This is the last active owner of the account.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
});

test('deletes a site after its ID is typed, and removes it from the panel', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/settings`);
  await page.getByRole('button', { name: 'Delete site' }).click();
  await confirmTyped('s_press', 'Delete site');
  await page.getByText('“Saltmarsh Press” was deleted.').waitFor();
  await page.getByRole('heading', { name: 'No sites yet' }).waitFor();
  expect(await readStatus(SITE)).toBe(404);
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
