// A failed schedule is shown on the dashboard, in the list and in the editor until somebody resolves it.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fireDue } from '../../../server/src/authoring/schedule/fire-due.ts';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';
import { navigate } from './panel-steps.ts';

const SITE = 's_late';
const DUE = '2026-01-05T09:00:00+00:00';
const TITLE = /^Could not be published as scheduled on Jan 5, 2026/;
const BARE = { place: { text: 'Pier 4' } };
const FULL = { ...BARE, title: { text: 'At last' } };
const QUOTED = { ...FULL, parts: { blocks: [{ content_type: 'quote', fields: {} }] } };
/** Most of the content has no headline. One object has the URL of a published page. */
const PARTICULAR: Readonly<Record<string, object>> = {
  'Lost anchor': { fields: FULL, uri: 'pier' },
  'Night ferry': { fields: QUOTED },
};
const NAMES = ['Tide tables', 'Spring fair', 'Harbour news', 'Lost anchor', 'Night ferry', 'Old pier'];

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  const scheduled = { site: SITE, content_type: 'post', status: 'draft', publish_at: DUE } as const;
  await panel.service.importRecords([
    site(SITE),
    contentType(
      SITE,
      'post',
      [
        { handle: 'title', name: 'Headline', type: 'text', required: true },
        { handle: 'place', name: 'Place', type: 'text', required: true },
        { handle: 'parts', name: 'Sections', type: 'blocks' },
      ],
      { object_type: 'page', uri_pattern: '{slug}' },
    ),
    contentType(SITE, 'quote', [{ handle: 'words', name: 'Quotation', type: 'text', required: true }], {
      object_type: 'block',
    }),
    content({
      id: 'c_open',
      site: SITE,
      content_type: 'post',
      name: 'Open day',
      slug: 'open',
      uri: 'pier',
      fields: FULL,
    }),
    content({ id: 'c_fine', site: SITE, content_type: 'post', name: 'Fine', slug: 'fine', status: 'draft' }),
    ...NAMES.map((name, index) =>
      content({
        ...scheduled,
        id: `c_${index}`,
        name,
        slug: `s-${index}`,
        fields: BARE,
        ...PARTICULAR[name],
      }),
    ),
  ]);
  const clock = { storage: panel.service.storage, now: Date.now, newUuid: randomUUIDv7, randomBytes };
  for await (const { failure } of fireDue(clock, Date.now())) expect(failure).not.toBe(null);
  page = await panel.openAs(`/sites/${SITE}`, EDITOR);
});

afterAll(() => panel.close());

test('shows the latest failed schedules on the dashboard, with the reasons and a link to all of them', async () => {
  const card = page.getByRole('region', { name: 'Failed schedules' });
  await card.waitFor();
  expect(await card.getByRole('listitem').count()).toBe(5);
  expect(await card.getByRole('listitem').first().innerText()).toMatch(
    /^Old pier\s+Publish\s+English\s+Jan 5, 2026, .*\s+Headline is empty\.$/,
  );
  await card
    .getByRole('listitem')
    .filter({ hasText: 'Night ferry' })
    .getByText('Sections, block 1: Quotation is empty.')
    .waitFor();
  await card
    .getByRole('listitem')
    .filter({ hasText: 'Lost anchor' })
    .getByText('“Open day” already uses the URL /pier.')
    .waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await card.getByRole('link', { name: 'All 6 failed schedules' }).click();
  await page.getByRole('row', { name: /Tide tables/ }).waitFor();
  expect(page.url()).toContain('status=failed');
});

test('marks failed schedules in the content list, and filters the list by them', async () => {
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Draft' }).click();
  await page.getByRole('row', { name: /Fine/ }).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Schedule failed' }).click();
  await page.getByRole('row', { name: /Fine/ }).waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /Tide tables/ });
  await row.getByRole('img', { name: TITLE }).waitFor();
  await row.getByRole('link', { name: 'Tide tables' }).click();
});

test('shows the failure and its reason in the editor until somebody dismisses it', async () => {
  const banner = page.getByRole('region', { name: TITLE });
  await banner.getByText('Headline is empty.').waitFor();
  expect(await banner.getByText('These problems have been fixed.').count()).toBe(0);
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Headline').fill('High water at noon');
  await banner.getByText('These problems have been fixed.').waitFor();
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await banner.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Headline').inputValue()).toBe('High water at noon');
  await page.reload();
  await page.getByLabel('Headline').waitFor();
  expect(await banner.count()).toBe(0);
});

test('clears the failure when the content is scheduled again or published', async () => {
  const banner = page.getByRole('region', { name: TITLE });
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_1`);
  await page.getByLabel('Headline').fill('Swings and roundabouts');
  await banner.getByText('These problems have been fixed.').waitFor();
  await banner.getByRole('button', { name: 'Schedule again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await dialog.getByLabel('Publish at', { exact: true }).fill('2040-01-02T09:30');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Status' }).getByText('Jan 2, 2040, 9:30 AM').waitFor();

  await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_2`);
  await page.getByLabel('Headline').fill('Two new cranes');
  await banner.getByText('These problems have been fixed.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await banner.waitFor({ state: 'detached' });
  await page.goto(`${panel.service.url}/admin/sites/${SITE}`);
  const card = page.getByRole('region', { name: 'Failed schedules' });
  await card.waitFor();
  expect(await card.getByRole('listitem').count()).toBe(3);
});

test('names the page that already uses the URL of a scheduled page', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_3`);
  await page.getByRole('region', { name: TITLE }).getByText('“Open day” already uses the URL /pier.').waitFor();
});

test('explains failures in the audit log with the names of fields and content', async () => {
  const log = await panel.openAs('/account/audit?action=schedule.fail');
  const entries = log.getByRole('main').getByRole('listitem');
  for (const [name, reason] of [
    ['Tide tables', 'Headline is empty.'],
    ['Night ferry', 'Sections, block 1: Quotation is empty.'],
    ['Lost anchor', '“Open day” already uses the URL /pier.'],
  ] as const) {
    const entry = entries.filter({ hasText: `The schedule for ${name} failed` });
    await entry.click();
    await entry.getByText(reason).waitFor();
    expect(await entry.getByRole('term').allInnerTexts()).toEqual(
      expect.arrayContaining(['Scheduled action', 'Scheduled for', 'Reason']),
    );
    const text = await entry.innerText();
    expect(text).toContain('Jan 5, 2026');
    expect(text).not.toMatch(/fields\.|due_at|c_open/);
  }
  expect(await findAxeFaults(log)).toEqual([]);
  await log.context().close();
});

test('fits on a phone', async () => {
  const phone = { viewport: { width: 360, height: 740 } };
  const small = await panel.openAs('/sites', EDITOR, phone);
  for (const path of ['', '/content?status=failed', '/content/c_3']) {
    await navigate(small, `/sites/${SITE}${path}`);
    await small.getByText('Lost anchor').first().waitFor();
    expect(await small.evaluate('document.documentElement.scrollWidth')).toBe(360);
  }
  await small.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
