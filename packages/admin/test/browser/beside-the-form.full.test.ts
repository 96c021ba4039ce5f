// The tabs beside the form, and schedules: previewing a change, setting and cancelling a schedule, restoring a version, and more.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

const SITE = 's_press';
const PATH = `/sites/${SITE}/content/c_ink`;

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await panel.service.importRecords([
    site(SITE, { languages: ['en', 'fr', 'de'], url: 'https://press.example' }),
    contentType(SITE, 'post', [
      { handle: 'title', name: 'Headline', type: 'text' },
      { handle: 'related', name: 'Related', type: 'content_links' },
    ]),
    content({ id: 'c_paper', site: SITE, content_type: 'post', name: 'On paper', slug: 'paper' }),
    content({
      id: 'c_ink',
      site: SITE,
      content_type: 'post',
      name: 'On ink',
      slug: 'ink',
      fields: { title: { text: 'Seven kinds of black' }, related: { content_links: ['c_paper'] } },
    }),
  ]);
  page = await panel.openAs(`${PATH}/seo`, EDITOR);
});

afterAll(() => panel.close());

async function openTab(name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Views of this content' })
    .getByRole('link', { name, exact: true })
    .click();
}

test('shows SEO changes in the search preview immediately, and saves them automatically', async () => {
  await page.getByLabel('Title', { exact: true }).fill('All about ink');
  await page.getByText('13 of about 60 characters').waitFor();
  await page.getByRole('region', { name: 'Preview', exact: true }).getByText('All about ink').first().waitFor();
  await page.getByText('press.example › ink').waitFor();
  await page.getByRole('combobox', { name: 'Robots' }).fill('noindex');
  await page.getByText('Search engines are asked not to show this page.').waitFor();
});

test('shows the change in the preview on the API tab, beside the published version', async () => {
  await openTab('API');
  const published = page.getByRole('region', { name: 'Published' });
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('"title": "All about ink"').waitFor();
  expect(await published.locator('code').innerText()).toContain('"title": "On ink"');
});

test('offers code that works once its placeholder is replaced with a key', async () => {
  const { token } = await panel.service.createKey({ sites: [SITE], preview: true });
  const request = page.getByRole('region', { name: 'Request' });
  await request.getByText('Preview', { exact: true }).click();
  const curl = await request.locator('code').innerText();
  expect(curl).toContain('Bearer YOUR_API_KEY');
  const [, url = ''] = /curl '([^']+)'/.exec(curl) ?? [];
  const headers = [...curl.replace('YOUR_API_KEY', token).matchAll(/-H '([^:]+): ([^']+)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  expect(await (await fetch(url, { headers })).json()).toMatchObject({ seo: { title: 'All about ink' } });
  await request.getByText('Client', { exact: true }).click();
  await request.getByText("client.getContentById('c_ink')").waitFor();
});

test('refuses a schedule in the past, sets one in local time, and cancels it', async () => {
  const bar = page.getByRole('region', { name: 'Status' });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await dialog.getByLabel('Publish at', { exact: true }).fill('2020-01-01T09:00');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await dialog.locator('input[aria-invalid="true"]').waitFor();
  await dialog.getByText(/your time zone/).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByLabel('Publish at', { exact: true }).fill('2040-01-02T09:30');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await dialog.waitFor({ state: 'detached' });
  await bar.getByText('Jan 2, 2040, 9:30 AM').waitFor();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel schedule' }).click();
  await bar.getByText('Jan 2, 2040, 9:30 AM').waitFor({ state: 'detached' });
});

test('compares versions value by value in the history, and restores an old one', async () => {
  await openTab('History');
  const changes = page.getByRole('table', { name: /^Changes from version/ });
  // How fast the text was typed determines which values were saved together.
  await changes
    .getByRole('rowheader', { name: /^SEO › / })
    .first()
    .waitFor();
  await page.getByRole('link', { name: /^Version 1(?!\d)/ }).click();
  await page.getByText('This is the first version').waitFor();
  await page.getByText('Latest version', { exact: true }).click();
  await changes.getByRole('row', { name: /SEO › Title Empty All about ink/ }).waitFor();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Version 1 was restored.').waitFor();
  await openTab('SEO');
  await page.getByLabel('Title', { exact: true }).waitFor();
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('');
});

test('lists the links to and from this content', async () => {
  await openTab('Links');
  await page.getByText('Nothing links to this content.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('table', { name: 'Links from this content' }).getByRole('link', { name: 'On paper' }).click();
  await page.getByRole('heading', { name: 'On paper' }).waitFor();
  await openTab('Links');
  await page
    .getByRole('table', { name: 'Links to this content' })
    .getByRole('row', { name: /On ink/ })
    .waitFor();
  await page.getByRole('link', { name: 'On ink' }).click();
  await page.getByRole('heading', { name: 'On ink' }).waitFor();
});

test('creates a translation with the values from another language, and shows both side by side', async () => {
  await openTab('Languages');
  await page.getByText('2 languages are missing.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Translate into French' }).click();
  await page.getByText('French draft created.').waitFor();
  await openTab('Languages');
  const sides = page.getByRole('table', { name: 'Side by side' });
  await sides.getByRole('row', { name: /Headline Seven kinds of black Seven kinds of black/ }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Translate into German' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByText('German draft created.').waitFor();
});

test('shows a translation that somebody else has just created, and names its language', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_paper/languages`);
  const translate = page.getByRole('button', { name: 'Translate into French' });
  await translate.waitFor();
  await callAsOwner(panel, `/sites/${SITE}/content/c_paper/translations`, { language: 'fr' });
  await translate.click();
  await page.getByText('There is already a version in French.', { exact: true }).waitFor();
  await translate.waitFor({ state: 'detached' });
  expect(await findAxeFaults(page)).toEqual([]);
});

test('fits on a phone that is 360 px wide', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const tab of ['Languages', 'SEO', 'History', 'Links', 'API']) {
    await openTab(tab);
    await page.waitForURL(`**/${tab.toLowerCase()}`);
    expect([tab, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([tab, 360]);
  }
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
