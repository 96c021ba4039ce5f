// Checks how pages behave without a connection, and that secrets do not stay in memory after a page is closed.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

const LONG = 6 * 60_000;
/** Browsers log each request that could not be sent, and React logs each error that led to an error page. */
const LOST =
  /net::ERR_(INTERNET_DISCONNECTED|FAILED)|status of 50[02]|^(ConnectionError|PageNotLoaded|ApiError: Server error)/;

let panel: Panel;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { id: 's_press', name: 'Press' });
});

afterAll(() => panel.close());

test('reports a lost connection on a page without cached data, and loads the page once the connection is back', async () => {
  const page = await panel.openAs('/sites/s_press/authors');
  await page.clock.install();
  await page.goto(`${panel.service.url}/admin/sites/s_press/authors`);
  await page.getByRole('heading', { name: 'No authors yet' }).waitFor();
  await page.getByRole('link', { name: 'Assets' }).hover();
  await page.clock.fastForward(LONG);
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Assets' }).click();
  await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No assets yet' }).waitFor();
  await page.context().close();
});

test('if the code for a page cannot be loaded, reports that the service cannot be reached, and opens the page later', async () => {
  const page = await panel.openAs('/sites/s_press/authors');
  await page.getByRole('heading', { name: 'No authors yet' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'New author' }).first().click();
  await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Create author' }).waitFor();
  await page.context().close();
});

test('reports a lost connection when a proxy responds on behalf of a service that is down', async () => {
  const page = await panel.openAs('/sites/s_press/authors');
  await page.getByRole('heading', { name: 'No authors yet' }).waitFor();
  await page.route('**/admin/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.getByRole('link', { name: 'New author' }).first().click();
  await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
  await page.context().close();
});

test("removes a token from the panel's memory once its page is closed", async () => {
  const page = await panel.openAs('/account/keys/new');
  await page.getByLabel('Name').fill('Reader');
  await page.getByRole('button', { name: 'Create key' }).click();
  const token = (await page.locator('code').first().innerText()).trim();
  expect(token.length).toBeGreaterThan(20);
  expect(await isHeld(page, token)).toBe(true);
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  await expect.poll(() => isHeld(page, token)).toBe(false);
  await page.context().close();
});

/** Whether the text is anywhere in the page's memory after garbage collection. */
async function isHeld(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  const parts: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => parts.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return parts.join('').includes(text);
}

test('explains in its own words why a page could not be shown', async () => {
  const page = await panel.openAs('/sites');
  await page.route('**/manage/v1/keys*', (route) =>
    route.fulfill({ status: 500, json: { message: 'Server error.', code: 'server_error' } }),
  );
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await page.getByText('The service is having problems. Try again in a moment.').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.context().close();
});

const ITEMS = [
  { kind: 'content', field: 'Related', path: 'content/c_ebb', name: 'Ebb' },
  { kind: 'asset', field: 'Pictures', path: 'assets/a_heron', name: 'Heron' },
] as const;

describe('a field that refers to other records', () => {
  beforeAll(async () => {
    await panel.service.importRecords([
      site('s_tides'),
      contentType('s_tides', 'note', [
        { handle: 'related', name: 'Related', type: 'content_links' },
        { handle: 'pictures', name: 'Pictures', type: 'assets' },
      ]),
      { kind: 'asset', id: 'a_heron', site: 's_tides', name: 'Heron', url: 'https://cdn.example/heron.pdf' },
      content({ id: 'c_ebb', site: 's_tides', name: 'Ebb', slug: 'ebb' }),
      content({
        id: 'c_tide',
        site: 's_tides',
        name: 'Tide',
        slug: 'tide',
        fields: { related: { content_links: ['c_ebb'] }, pictures: { assets: ['a_heron'] } },
      }),
    ]);
  });

  test('offers to load them again after an error', async () => {
    const page = await panel.openAs('/sites');
    for (const failure of [{ status: 500, json: { message: 'Server error.' } }, undefined]) {
      for (const { path } of ITEMS) {
        await page.route(`**/manage/v1/sites/s_tides/${path}`, (route) =>
          failure === undefined ? route.abort() : route.fulfill(failure),
        );
      }
      await page.goto(`${panel.service.url}/admin/sites/s_tides/content/c_tide`);
      for (const { kind, field } of ITEMS) {
        await page.getByRole('group', { name: field }).getByText(`This ${kind} could not be loaded.`).waitFor();
      }
      expect(await findAxeFaults(page)).toEqual([]);
      await page.unrouteAll();
      for (const { field, name } of ITEMS) {
        const group = page.getByRole('group', { name: field });
        await group.getByRole('button', { name: 'Try again' }).click();
        await group.getByText(name, { exact: true }).waitFor();
      }
    }
    await page.context().close();
  });

  test('says that they no longer exist if the service cannot find them', async () => {
    const page = await panel.openAs('/sites');
    for (const { path } of ITEMS) {
      await page.route(`**/manage/v1/sites/s_tides/${path}`, (route) =>
        route.fulfill({ status: 404, json: { message: 'Not found.' } }),
      );
    }
    await page.goto(`${panel.service.url}/admin/sites/s_tides/content/c_tide`);
    for (const { kind, field } of ITEMS) {
      const group = page.getByRole('group', { name: field });
      await group.getByText(`This ${kind} no longer exists.`).waitFor();
      expect(await group.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    }
    await page.context().close();
  });
});

test('logs no other errors in the browser console', () => {
  expect(panel.complaints.filter((complaint) => !LOST.test(complaint))).toEqual([]);
});
