// The history of content that was saved more than a hundred times while somebody was writing it.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

const SITE = 's_press';
const HISTORY = `/sites/${SITE}/content/c_ink/history`;
/** There is more than one page of versions; an import created the first version. */
const NEWEST = 105;

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await panel.service.importRecords([
    site(SITE, { languages: ['en', 'de'] }),
    contentType(SITE, 'post', [{ handle: 'body', name: 'Body', type: 'text', format: 'html' }]),
    content({ id: 'c_ink', site: SITE, content_type: 'post', name: 'On ink', slug: 'ink' }),
    content({
      id: 'c_paper',
      site: SITE,
      content_type: 'post',
      name: 'On white paper',
      slug: 'paper',
      language: 'en',
      fields: {
        body: { text: '<h2>Rags</h2><p>Old <em>linen</em> was beaten.</p><p>Same.</p><p>Then dried in lofts.</p>' },
      },
      draft: {
        name: 'On blue paper',
        fields: {
          body: {
            text: '<h2>Rags</h2><p>Old <strong>cotton</strong> was cut.</p><p>Same.</p><p>Then dried in attics.</p>',
          },
        },
      },
    }),
    content({
      id: 'c_papier',
      site: SITE,
      content_type: 'post',
      name: 'Papier',
      slug: 'papier',
      language: 'de',
      translation_of: 'c_paper',
      fields: { body: { text: '<p>Alte <em>Lumpen</em>.</p>' } },
    }),
  ]);
  page = await panel.openAs('/sites', EDITOR);
  await saveAsEditor();
  await page.goto(`${panel.service.url}/admin${HISTORY}`);
});

afterAll(() => panel.close());

/** Saves new names until the given version exists, as the editor would in a different browser. */
async function saveAsEditor(first = 1, last = NEWEST): Promise<void> {
  const manage = `${panel.service.url}/manage/v1`;
  const { email, password } = EDITOR;
  const context = await panel.browser.newContext();
  const session = await context.request.post(`${manage}/session`, { data: { email, password } });
  const { csrf_token: csrfToken }: { csrf_token: string } = await session.json();
  for (let version = first; version < last; version += 1) {
    const saved = await context.request.put(`${manage}/sites/${SITE}/content/c_ink`, {
      data: { version, name: `On ink, ${version + 1}` },
      headers: { 'x-csrf-token': csrfToken },
    });
    expect(saved.status()).toBe(200);
  }
  await context.close();
}

function findVersion(number: number) {
  return page
    .getByRole('navigation', { name: 'Versions' })
    .getByRole('link', { name: `Version ${number} `, exact: false });
}

function findChanges(from: number, to: number) {
  return page.getByRole('table', { name: `Changes from version ${from} to version ${to}`, exact: true });
}

test('shows the saves in a session as one entry, which grows when the next page is loaded', async () => {
  const entries = page.getByRole('navigation', { name: 'Versions' }).getByRole('link');
  await page.getByRole('button', { name: '100+ saves up to version 105', exact: true }).waitFor();
  expect(await entries.count()).toBe(1);
  await findChanges(5, NEWEST).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('button', { name: '104 saves up to version 105', exact: true }).waitFor();
  expect(await entries.allInnerTexts()).toEqual([
    expect.stringMatching(/^Version 105\s+Latest[\s\S]*by Edgar Editor$/i),
    expect.stringMatching(/^Version 1\s+Published[\s\S]*Import$/i),
  ]);
  expect(await findAxeFaults(page)).toEqual([]);
});

test('compares a whole session with the version before it', async () => {
  await findChanges(1, NEWEST).getByRole('row', { name: 'Name On ink On ink, 105' }).waitFor();
  await page.getByText('Before these saves', { exact: true }).waitFor();
});

test('compares each save separately when the entry is expanded', async () => {
  const toggle = page.getByRole('button', { name: '104 saves up to version 105' });
  await toggle.press('Enter');
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  await findVersion(NEWEST).last().click();
  await findChanges(104, NEWEST).waitFor();
  await findVersion(50).click();
  await findChanges(49, 50).getByRole('row', { name: 'Name On ink, 49 On ink, 50' }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Versions' }).locator('[aria-current]').count()).toBe(1);
  expect(await findAxeFaults(page)).toEqual([]);
});

test('expands the session when a link to one of its saves is opened', async () => {
  await page.reload();
  await findChanges(49, 50).waitFor();
  expect(await findVersion(50).getAttribute('aria-current')).not.toBe(null);
  await page.getByRole('button', { name: '100+ saves up to version 105' }).click();
  await findVersion(50).waitFor({ state: 'detached' });
});

test('shows restored and published versions as separate entries', async () => {
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await findVersion(106).getByText('Restored from version 50').waitFor();
  await page.getByRole('button', { name: '99+ saves up to version 105' }).waitFor();
  await page.getByRole('button', { name: 'Publish changes', exact: true }).click();
  await findVersion(106).getByText('Published').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await findVersion(1).getByText('Was published').waitFor();
  await page.getByRole('button', { name: '104 saves up to version 105' }).waitFor();
});

test('restores the latest version of a session from its entry', async () => {
  await findVersion(NEWEST).click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await findVersion(107).getByText('Restored from version 105').waitFor();
  await page.getByRole('heading', { name: 'On ink, 105' }).waitFor();
});

test('refuses a restore after somebody else has saved, and accepts it on the next attempt', async () => {
  const newest = Number(/\d+/.exec(await page.getByRole('navigation', { name: 'Versions' }).innerText())?.[0]);
  await page.goto(`${panel.service.url}/admin${HISTORY}?version=50&alone=true`);
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await saveAsEditor(newest, newest + 1);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByText(`has since saved version ${newest + 1}`).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await findVersion(newest + 2).waitFor();
});

test('shows rich text with its formatting, and marks each changed word', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_paper/history`);
  const changes = findChanges(1, 2);
  const row = changes.getByRole('row', { name: /^Body/ });
  const [before, after] = [row.getByRole('cell').nth(0), row.getByRole('cell').nth(1)];
  await before.waitFor();
  expect(await before.locator('del').allInnerTexts()).toEqual(['linen', 'beaten', 'lofts']);
  expect(await after.locator('ins').allInnerTexts()).toEqual(['cotton', 'cut', 'attics']);
  expect(await before.locator('em del').innerText()).toBe('linen');
  expect(await after.locator('strong ins').innerText()).toBe('cotton');
  expect(await row.innerText()).not.toContain('<');
  const name = changes.getByRole('row', { name: /^Name/ });
  expect(await name.locator('del').allInnerTexts()).toEqual(['white']);
  expect(await findAxeFaults(page)).toEqual([]);
});

test('shows two languages side by side with their formatting', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_paper/languages`);
  const row = page.getByRole('table', { name: 'Side by side' }).getByRole('row', { name: /^Body/ });
  await row.getByRole('cell').nth(0).locator('strong', { hasText: 'cotton' }).waitFor();
  await row.getByRole('cell').nth(1).locator('em', { hasText: 'Lumpen' }).waitFor();
  expect(await row.innerText()).not.toContain('<');
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
