// Before somebody removes something that pages use, the panel shows a message with counts and names, never with IDs or API paths.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { author, type ContentParts, content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

const ID = 's_coast';
const SITE = `/sites/${ID}`;
const PAGES = ['Anchors', 'Buoys', 'Capes', 'Docks'];

let panel: Panel;
let page: Page;

const FIELDS = [
  { handle: 'headline', name: 'Headline', type: 'text', required: true },
  { handle: 'files', name: 'Files', type: 'assets' },
  { handle: 'related', name: 'Related', type: 'content_links' },
];

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await panel.service.importRecords([
    site(ID, { languages: ['en', 'de'] }),
    contentType(ID, 'article', FIELDS, { object_type: 'page', uri_pattern: '{slug}' }),
    author('u_ada', 'Ada Marsh', { site: ID }),
    file('a_table', 'Tide table'),
    file('a_chart', 'Chart'),
    article('Tides', { slug: 'tides' }),
    ...PAGES.map((name) =>
      article(name, {
        author: 'u_ada',
        fields: {
          headline: { text: name },
          files: { assets: ['a_table'] },
          related: { content_links: ['c_tides'] },
        },
      }),
    ),
    article('Unfinished', { status: 'draft', fields: {} }),
    article('Gezeiten', { status: 'draft', language: 'de', slug: 'tides' }),
    article('Shore', {
      status: 'draft',
      fields: { headline: { text: 'Shore' }, files: { assets: ['a_chart'] } },
    }),
  ]);
  page = await panel.openAs(`${SITE}/assets/a_table`, EDITOR);
});

afterAll(() => panel.close());

function file(id: string, name: string): object {
  return {
    kind: 'asset',
    id,
    site: ID,
    name,
    description: null,
    path: `${id}.pdf`,
    url: `https://coast.example/${id}.pdf`,
    extension: 'pdf',
    size: 120,
    mime_type: 'application/pdf',
    width: null,
    height: null,
  };
}

function article(name: string, parts: Omit<ContentParts, 'id'>): object {
  const slug = name.toLowerCase();
  return content({
    id: `c_${slug}`,
    site: ID,
    content_type: 'article',
    name,
    slug,
    fields: { headline: { text: name } },
    ...parts,
  });
}

test.each([
  ['asset', 'assets/a_table'],
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

test('asks again before it archives a page that published pages link to', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/content/c_tides`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Archive' }).click();
  await dialog.getByText('4 published pages link here. Their links will stop working. Archive anyway?').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('asks again before it unpublishes a page that published pages link to', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  const alert = dialog.getByRole('alert');
  await alert.getByText('4 published pages link here. Their links will stop working. Unpublish anyway?').waitFor();
  expect((await alert.getByRole('listitem').allInnerTexts()).toSorted()).toEqual(PAGES);
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  await page.getByRole('region', { name: 'Status' }).getByText('Unpublished', { exact: true }).waitFor();
});

test('names the parts of an old version that are no longer valid', async () => {
  await send('PUT', 'content/c_shore', {
    version: 1,
    fields: { headline: { text: 'Shore' }, files: { assets: [] } },
  });
  await send('DELETE', 'assets/a_chart');
  await page.goto(`${panel.service.url}/admin${SITE}/content/c_shore/history`);
  await page.getByRole('row', { name: /^Files › 1 Deleted asset/ }).waitFor();
  await page.getByRole('link', { name: /^Version 1(?!\d)/ }).click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Some old values are no longer valid and were left out: Files.').waitFor();
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
