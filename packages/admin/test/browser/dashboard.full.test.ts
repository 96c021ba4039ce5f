// A site's dashboard: content counts, recent changes, schedules and traffic.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await callAsOwner(panel, '/sites', { id: 's_dash', name: 'Deckle' });
  page = await panel.openAs('/sites', EDITOR);
});

afterAll(() => panel.close());

test('explains the first step on an empty site', async () => {
  await page.getByRole('link', { name: 'Deckle' }).click();
  await page.getByRole('heading', { name: 'This site is empty' }).waitFor();
  await page.getByText('An owner needs to create the first one').waitFor();
  expect(await page.getByRole('button', { name: 'New content' }).count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
});

test('counts content, and links to the matching lists', async () => {
  const fields = [{ handle: 'title', name: 'Title', type: 'text' }];
  await callAsOwner(panel, '/sites/s_dash/types', { handle: 'post', name: 'Post', object_type: 'page', fields });
  for (const id of ['c_one', 'c_two', 'c_three']) {
    await callAsOwner(panel, '/sites/s_dash/content', { id, content_type: 'post', name: `Post ${id}` });
  }
  await callAsOwner(panel, '/sites/s_dash/content/c_one/publish', {});
  const publishAt = '2090-01-02T03:04:05+00:00';
  await callAsOwner(panel, '/sites/s_dash/content/c_two/schedule', { publish_at: publishAt });
  await page.reload();
  const states = page.getByRole('list', { name: 'Content by status' });
  await states.waitFor();
  expect(await states.getByRole('listitem').allInnerTexts()).toEqual([
    '3\nTotal',
    '1\nPublished',
    '2\nDraft',
    '0\nUnpublished',
    '0\nArchived',
  ]);
  const scheduled = page.getByRole('region', { name: 'Scheduled next' });
  expect(await scheduled.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Post c_two\s+Publish\s+English\s+Jan \d, 2090/),
  ]);
  expect(await page.getByRole('region', { name: 'Content by type' }).innerText()).toMatch(/Post\s+3/);
  expect(await page.getByRole('region', { name: 'Recently changed' }).getByRole('listitem').count()).toBe(3);
  await states.getByRole('link', { name: 'Draft' }).click();
  await page.getByRole('row', { name: /Post c_two/ }).waitFor();
  expect(page.url()).toContain('status=draft');
  await page.goBack();
});

test('counts each object once, with figures that add up to the total and match the linked lists', async () => {
  await callAsOwner(panel, '/sites/s_dash/content/c_three/publish', {});
  await callAsOwner(panel, '/sites/s_dash/content', { id: 'c_four', content_type: 'post', name: 'Post c_four' });
  await callAsOwner(panel, '/sites/s_dash/content/c_four/archive', {});
  const saved = await page.evaluate<number>(`(async () => {
    const { csrf_token } = await (await fetch('/manage/v1/session')).json();
    const answer = await fetch('/manage/v1/sites/s_dash/content/c_one', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf_token },
      body: JSON.stringify({ version: 1, name: 'Post c_one, changed', fields: {} }),
    });
    return answer.status;
  })()`);
  expect(saved).toBe(200);
  await page.reload();
  const states = page.getByRole('list', { name: 'Content by status' });
  await states.getByText('1 with pending changes').waitFor();
  const texts = await states.getByRole('listitem').allInnerTexts();
  const figures = texts.map((text) => Number.parseInt(text, 10));
  const [total = 0, ...counts] = figures;
  expect(total).toBe(4);
  expect(counts.reduce((sum, count) => sum + count)).toBe(total);
  const tiles = await states.getByRole('listitem').getByRole('link').all();
  for (const [index] of tiles.entries()) {
    const tile = states.getByRole('link').nth(index);
    const count = Number.parseInt(await tile.innerText(), 10);
    await tile.click();
    await page.getByRole('heading', { name: 'Content', level: 1 }).waitFor();
    const rows = page.getByRole('row').filter({ hasText: 'Post c_' });
    await expect.poll(() => rows.count()).toBe(count);
    await page.goBack();
    await states.waitFor();
  }
});

test('shows read requests in the chart, including those served from the cache', async () => {
  const { token } = await panel.service.createKey({ sites: ['s_dash'] });
  for (let count = 0; count < 4; count++) {
    await fetch(`${panel.service.url}/api/v1/content?limit=9`, {
      headers: { authorization: `Bearer ${token}`, 'x-service-site': 's_dash' },
    });
  }
  await page.reload();
  await page.getByRole('img', { name: '4 reads in the last hour, 3 of them from the cache' }).waitFor();
  expect(await page.getByRole('region', { name: 'Reads in the last hour' }).innerText()).toContain('75 %');
  expect(await findAxeFaults(page)).toEqual([]);
});

test('fits on a phone', async () => {
  const phone = await panel.openAs('/sites/s_dash', EDITOR, { viewport: { width: 360, height: 740 } });
  await phone.getByRole('region', { name: 'Content by type' }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findAxeFaults(phone)).toEqual([]);
  await phone.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
