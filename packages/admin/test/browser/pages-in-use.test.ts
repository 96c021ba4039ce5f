// Messages shown before removing something that other pages use: they contain counts and names, never IDs or API paths.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

const SITE = '/sites/s_coast';
const PAGES = ['Anchors', 'Buoys', 'Capes', 'Docks'];

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await callAsOwner(panel, '/sites', { id: 's_coast', name: 'Coast', languages: ['en', 'de'] });
  await callAsOwner(panel, `${SITE}/types`, {
    handle: 'article',
    name: 'Article',
    object_type: 'page',
    uri_pattern: '{slug}',
    fields: [
      { handle: 'headline', name: 'Headline', type: 'text', required: true },
      { handle: 'pictures', name: 'Pictures', type: 'assets' },
      { handle: 'related', name: 'Related', type: 'content_links' },
    ],
  });
  await callAsOwner(panel, `${SITE}/authors`, { id: 'u_ada', name: 'Ada Marsh' });
  await callAsOwner(panel, `${SITE}/assets`, { id: 'a_light', name: 'Lighthouse', url: 'https://coast.example/l.png' });
  const fields = { headline: { text: 'Tides' } };
  await callAsOwner(panel, `${SITE}/content`, { id: 'c_tides', content_type: 'article', name: 'Tides', fields });
  await publish('c_tides');
  for (const name of PAGES) {
    const id = `c_${name.toLowerCase()}`;
    await callAsOwner(panel, `${SITE}/content`, {
      id,
      content_type: 'article',
      name,
      author: 'u_ada',
      fields: {
        headline: { text: name },
        pictures: { assets: ['a_light'] },
        related: { content_links: ['c_tides'] },
      },
    });
    await publish(id);
  }
  await callAsOwner(panel, `${SITE}/content`, { content_type: 'article', name: 'Unfinished' });
  const german = { content_type: 'article', name: 'Gezeiten', language: 'de', slug: 'tides', fields };
  await callAsOwner(panel, `${SITE}/content`, german);
  page = await panel.openAs(`${SITE}/assets/a_light`, EDITOR);
});

afterAll(() => panel.close());

function publish(id: string): Promise<unknown> {
  return callAsOwner(panel, `${SITE}/content/${id}/publish`, { version: 1 });
}

test.each([
  ['asset', 'assets/a_light'],
  ['author', 'authors/u_ada'],
])('shows how many pages use an %s, and links to them', async (kind, path) => {
  await page.goto(`${panel.service.url}/admin${SITE}/${path}`);
  await page.getByRole('button', { name: `Delete ${kind}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Delete ${kind}` }).click();
  const alert = dialog.getByRole('alert');
  await alert.getByText('Used in 4 pages. Remove it there first.').waitFor();
  const names = await alert.getByRole('link').allInnerTexts();
  expect(names.toSorted()).toEqual(PAGES);
  expect(await alert.innerText()).not.toMatch(/[acu]_/);
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

test('lists the reason for each selected item that was not changed', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/content`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('checkbox', { name: 'Select Tides' }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await dialog.getByRole('button', { name: 'Archive 1 item' }).click();
  await dialog.getByText('0 archived, 1 not archived').waitFor();
  await dialog.getByText('4 published pages link here. Their links will stop working.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('checkbox', { name: 'Select Unfinished' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByRole('button', { name: 'Publish 1 item' }).click();
  await dialog.getByText('0 published, 1 not published').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Unfinished\s+Headline is empty\.$/),
  ]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

test('names the page that has the same URL', async () => {
  const dialog = page.getByRole('dialog');
  await page.getByRole('checkbox', { name: 'Select Gezeiten' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByRole('button', { name: 'Publish 1 item' }).click();
  await dialog.getByText('1 published', { exact: true }).waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Gezeiten\s+Same URL as “Tides” \(English\)$/),
  ]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

test('asks again before it unpublishes a page that published pages link to', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/content/c_tides`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  const alert = dialog.getByRole('alert');
  await alert
    .getByText('4 published pages link here. Their links will stop working. Unpublish anyway?', { exact: true })
    .waitFor();
  expect((await alert.getByRole('listitem').allInnerTexts()).toSorted()).toEqual(PAGES);
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  await page.getByRole('region', { name: 'Status' }).getByText('Unpublished', { exact: true }).waitFor();
});

test('names the parts of an old version that are no longer valid', async () => {
  const fields = { headline: { text: 'Shore' } };
  await callAsOwner(panel, `${SITE}/assets`, { id: 'a_chart', name: 'Chart', url: 'https://coast.example/c.png' });
  await callAsOwner(panel, `${SITE}/content`, {
    id: 'c_shore',
    content_type: 'article',
    name: 'Shore',
    fields: { ...fields, pictures: { assets: ['a_chart'] } },
  });
  await send('PUT', 'content/c_shore', { version: 1, fields: { ...fields, pictures: { assets: [] } } });
  await send('DELETE', 'assets/a_chart');
  await page.goto(`${panel.service.url}/admin${SITE}/content/c_shore/history`);
  await page.getByRole('row', { name: /^Pictures › 1 Deleted asset/ }).waitFor();
  await page.getByRole('link', { name: /^Version 1(?!\d)/ }).click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Some old values are no longer valid and were left out: Pictures.').waitFor();
});

/** Calls the management API as the page's user. */
async function send(method: string, path: string, body?: object): Promise<void> {
  const isDone = await page.evaluate<boolean>(`(async () => {
    const { csrf_token } = await (await fetch('/manage/v1/session')).json();
    const { ok } = await fetch('/manage/v1${SITE}/${path}', {
      method: '${method}',
      headers: { 'x-csrf-token': csrf_token, ${body === undefined ? '' : "'content-type': 'application/json'"} },
      body: ${body === undefined ? 'undefined' : JSON.stringify(JSON.stringify(body))},
    });
    return ok;
  })()`);
  expect(isDone).toBe(true);
}

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
