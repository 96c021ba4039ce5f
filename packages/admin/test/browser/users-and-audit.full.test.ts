import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN_ACCOUNT_NO } from '../../../server/src/storage/accounts/accounts.ts';
import { insertAuditEntry } from '../../../server/src/storage/accounts/audit-entries.ts';
import { insertManagementToken } from '../../../server/src/storage/accounts/management-tokens.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, OWNER, type Panel, startPanel } from './panel.ts';
import { savePreviewAddresses } from './preview-website.ts';

const SITE = '/sites/s_press';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { id: 's_press', name: 'Saltmarsh Press' });
  await callAsOwner(panel, `${SITE}/authors`, { id: 'u_ada', name: 'Ada Marsh' });
  page = await panel.openAs('/account/users');
});

afterAll(() => panel.close());

test('creates a user with a generated password, and shows the password once', async () => {
  await page.getByRole('row', { name: /Olive Owner You/ }).waitFor();
  await page.getByRole('link', { name: 'New user' }).click();
  await page.getByLabel('Name').fill(EDITOR.name);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByRole('button', { name: 'Generate' }).click();
  const password = await page.getByLabel('Password', { exact: true }).inputValue();
  expect(password).toMatch(/^(\w{5}-){3}\w{5}$/);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('main').getByRole('alert').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Email').fill(EDITOR.email);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('heading', { name: 'User created' }).waitFor();
  expect(await page.locator('pre').innerText()).toContain(password);
  expect(await findAxeFaults(page)).toEqual([]);

  const other = await panel.openAs('/account/users', { ...EDITOR, password });
  await other.getByRole('heading', { name: 'Page not found' }).waitFor();
  const entries = await other.getByRole('navigation').getByRole('link').allInnerTexts();
  expect(entries).toEqual(['Sites']);
  for (const path of ['keys', 'tokens/new', 'audit']) {
    await other.goto(`${panel.service.url}/admin/account/${path}`);
    await other.getByRole('heading', { name: 'Page not found' }).waitFor();
  }
  for (const path of ['keys', 'tokens', 'users', 'audit']) {
    expect((await other.request.get(`${panel.service.url}/manage/v1/${path}`)).status(), path).toBe(403);
  }
  await other.goto(`${panel.service.url}/admin${SITE}/authors`);
  await other.getByRole('link', { name: 'New author' }).waitFor();

  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('link', { name: EDITOR.name }).click();
  await page.getByRole('button', { name: 'Suspend user' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend user' }).click();
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.context().close();
});

test('does not let owners suspend themselves or change their own role', async () => {
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('link', { name: OWNER.name }).click();
  await page.getByText('You can’t change your own role.').waitFor();
  expect(await page.getByRole('radio', { name: 'Editor' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Suspend user' }).count()).toBe(0);
  await page.getByLabel('Name').fill('Olive Olsen');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /Olive Olsen Owner/ }).waitFor();
});

test('shows a management token once, with a curl command that works until the token is revoked', async () => {
  await page.getByRole('link', { name: 'Management tokens' }).click();
  await page.getByRole('link', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Nightly import');
  await page.getByRole('button', { name: 'Create token' }).click();
  const curl = await page.locator('figure', { hasText: 'terminal' }).locator('code').innerText();
  const [, url = ''] = /curl '([^']+)'/.exec(curl) ?? [];
  const [, authorization = ''] = /Authorization: ([^']+)'/.exec(curl) ?? [];
  expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('row', { name: /Nightly import Active Editor .*Olive Olsen/ }).waitFor();
  await page.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /Nightly import Revoked/ }).waitFor();
  expect((await fetch(url, { headers: { authorization } })).status).toBe(401);
});

test('shows how many tokens will stop working when a user is suspended, and marks them in the list', async () => {
  const person = { email: 'tess@galley.example', name: 'Tess Tokens', role: 'owner', password: OWNER.password };
  await callAsOwner(panel, '/users', person);
  const other = await panel.openAs('/account/tokens/new', person);
  for (const [index, name] of ['Import', 'Export'].entries()) {
    if (index > 0) await other.goto(`${panel.service.url}/admin/account/tokens/new`);
    await other.getByLabel('Name').fill(name);
    await other.getByRole('radio', { name: 'Owner' }).check();
    await other.getByRole('button', { name: 'Create token' }).click();
    await other.getByRole('heading', { name: 'Your new token' }).waitFor();
  }
  await other.context().close();
  await page.goto(`${panel.service.url}/admin/account/users`);
  await page.getByRole('link', { name: person.name }).click();
  await page.getByRole('radio', { name: 'Editor' }).check();
  await page.getByText('2 owner tokens that they created will stop working.').waitFor();
  await page.getByRole('button', { name: 'Suspend user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 management tokens that they created won’t work while they are suspended.').waitFor();
  expect(await dialog.getByText('preview secret').count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Suspend user' }).click();
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  await page.goto(`${panel.service.url}/admin/account/tokens`);
  for (const name of ['Import', 'Export']) {
    await page.getByRole('row', { name: new RegExp(`${name} Suspended Owner .*Tess Tokens`) }).waitFor();
  }
  expect(await findAxeFaults(page)).toEqual([]);
});

test('marks tokens whose creator is unknown, and explains what to do', async () => {
  await page.getByText('Galley has no record of who created').waitFor({ state: 'detached' });
  await panel.service.storage.transaction((transaction) =>
    transaction.run(
      insertManagementToken({
        id: 'n_old',
        accountNo: MAIN_ACCOUNT_NO,
        name: 'Old',
        role: 'editor',
        tokenHash: 'unknown',
        prefix: 'gm_old',
        createdAt: Date.now(),
        expiresAt: null,
        makerKind: null,
        makerId: null,
      }),
    ),
  );
  await page.reload();
  await page.getByRole('row', { name: /Old Active Editor .*Unknown/ }).waitFor();
  await page.getByText('Galley has no record of who created').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test('shows the audit log as sentences with details, and filters it by person, action and day', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/authors/u_ada`);
  await page.getByLabel('Name').fill('Ada Saltmarsh');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('rowheader', { name: 'Ada Saltmarsh' }).waitFor();
  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('main').getByRole('listitem');
  for (const sentence of [
    'Olive Olsen revoked the token Nightly import',
    'Olive Owner renamed Olive Owner to Olive Olsen',
    'Olive Owner suspended Edgar Editor',
    'Edgar Editor signed in',
    'Olive Owner created the user Edgar Editor (editor)',
    'Olive Olsen changed the author Ada Saltmarsh',
    'Olive Owner created the site Saltmarsh Press',
  ]) {
    await log.filter({ hasText: sentence }).waitFor();
  }
  const change = log.filter({ hasText: 'changed the author Ada Saltmarsh' });
  await change.click();
  await change.getByText('Ada Marsh → Ada Saltmarsh').waitFor();

  const show = page.getByRole('combobox', { name: 'Show' });
  await show.click();
  await page.getByRole('option', { name: EDITOR.name }).click();
  await change.waitFor({ state: 'detached' });
  expect(new Set(await log.locator('strong').allInnerTexts())).toEqual(new Set([EDITOR.name]));
  await show.fill('Author changed');
  await page.getByRole('option', { name: 'Author changed' }).click();
  await change.waitFor();
  expect(await log.count()).toBe(1);
  await page.goto(`${panel.service.url}/admin/account/audit?day=2020-01-31`);
  await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await change.waitFor();
});

test('loads a long log page by page while scrolling', async () => {
  const log = page.getByRole('main').getByRole('listitem');
  const more = page.getByRole('button', { name: /Loading more|Show more/ });
  expect(await more.count()).toBe(0);
  const before = await log.count();
  await panel.service.storage.transaction(async (transaction) => {
    for (let index = 0; index < 120; index++) await transaction.run(insertPublish(index));
  });
  await page.reload();
  await log.filter({ hasText: 'Schedule published Post 119' }).waitFor();
  for (;;) {
    const known = await log.count();
    if ((await more.count()) === 0) break;
    await page.keyboard.press('End');
    await log.nth(known).waitFor();
  }
  expect(await log.count()).toBe(before + 120);
});

test('recommends replacing the preview secrets that a suspended or deleted user may know', async () => {
  const person = { email: 'paul@galley.example', name: 'Paul Preview', role: 'editor', password: OWNER.password };
  await callAsOwner(panel, '/users', person);
  for (const [id, name] of [
    ['s_fen', 'Fen'],
    ['s_marsh', 'Marsh'],
    ['s_moor', 'Moor'],
  ] as const) {
    await callAsOwner(panel, '/sites', { id, name });
  }
  const addresses = [{ name: 'Website', address: 'https://site.example' }];
  for (const site of ['s_fen', 's_moor']) await savePreviewAddresses(page, site, addresses);
  await page.goto(`${panel.service.url}/admin/account/users`);
  await page.getByRole('link', { name: person.name }).click();
  const dialog = page.getByRole('dialog');
  for (const name of ['Suspend user', 'Delete user']) {
    await page.getByRole('button', { name }).click();
    await dialog.getByText('They may know the preview secrets of Fen and Moor.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});

function insertPublish(index: number): ReturnType<typeof insertAuditEntry> {
  return insertAuditEntry({
    accountNo: MAIN_ACCOUNT_NO,
    at: Date.now(),
    actorKind: 'schedule',
    actorId: null,
    actorName: 'Schedule',
    address: null,
    action: 'content.publish',
    siteId: 's_press',
    subjectId: `c_${index}`,
    subjectName: `Post ${index}`,
    details: null,
  });
}
