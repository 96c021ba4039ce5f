// Slugs that follow the name, URLs that two pages cannot share, and discarding changes in one call.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';
import { beginContent, goTo, openTab, publish } from './panel-steps.ts';
import { saveNow } from './writing-desk.ts';

const SITE = 's_urls';

let panel: Panel;
let page: Page;
let slug: Locator;
let name: Locator;

const pageType = (handle: string, title: string) => ({
  kind: 'content_type',
  id: `t_${handle}`,
  site: SITE,
  handle,
  name: title,
  object_type: 'page',
  uri_pattern: '{slug}',
  fields: [{ handle: 'text', name: 'Text', type: 'text' }],
});

const person = (id: string, title: string) => ({
  kind: 'content',
  id,
  site: SITE,
  content_type: 'person',
  language: 'en',
  slug: title.toLowerCase(),
  name: title,
  status: 'published',
  fields: {},
});

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    {
      kind: 'site',
      id: SITE,
      name: 'URLs',
      default_language: 'en',
      languages: ['en', 'de'],
      url: 'https://urls.example',
    },
    pageType('article', 'Article'),
    pageType('person', 'Person'),
    person('c_ada', 'Ada'),
    person('c_grace', 'Grace'),
  ]);
  page = await panel.openAs(`/sites/${SITE}/content`);
  slug = page.getByLabel('Slug');
  name = page.getByRole('form', { name: 'Content' }).getByLabel('Name');
});

afterAll(() => panel.close());

async function rename(text: string, expected: string): Promise<void> {
  await name.fill(text);
  await page.getByRole('heading', { name: text }).waitFor();
  await saveNow(page);
  await expect.poll(() => slug.inputValue()).toBe(expected);
}

test('lets the slug of a draft follow its name, even after a reload', async () => {
  await beginContent(page, 'First name');
  await expect.poll(() => slug.inputValue()).toBe('first-name');
  await page.getByText('Updated to match the name until you publish.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await rename('Second name', 'second-name');
  await page.getByText('URL: https://urls.example/second-name').waitFor();
  await page.reload();
  await rename('Third name', 'third-name');
});

test('keeps a slug that was entered by hand until it is cleared', async () => {
  await slug.fill('chosen');
  await page.getByText('Updated to match the name until you publish.').waitFor({ state: 'detached' });
  await saveNow(page);
  await rename('Fourth name', 'chosen');
  await page.reload();
  await rename('Fifth name', 'chosen');
  await slug.fill('');
  await slug.blur();
  await saveNow(page);
  await expect.poll(() => slug.inputValue()).toBe('fifth-name');
  await rename('Sixth name', 'sixth-name');
});

test('keeps the slug after the first publication', async () => {
  await publish(page, 'Sixth name');
  await page.getByText('Updated to match the name until you publish.').waitFor({ state: 'detached' });
  await rename('Seventh name', 'sixth-name');
});

test('discards changes in one call, which also cancels their scheduled publication', async () => {
  const status = page.getByRole('region', { name: 'Status' });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Publish at', { exact: true }).fill('2040-01-02T09:30');
  await page.getByRole('dialog').getByRole('button', { name: 'Save schedule' }).click();
  await status.getByText('Jan 2, 2040, 9:30 AM').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
  });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Discard changes' }).click();
  const text =
    'Your changes will stay in the history. The publication scheduled for Jan 2, 2040, 9:30 AM will be cancelled.';
  await page.getByRole('dialog').getByText(text).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('Changes discarded.').waitFor();
  expect(await name.inputValue()).toBe('Sixth name');
  await status.getByText('Published', { exact: true }).waitFor();
  expect(await status.getByText('Jan 2, 2040').count()).toBe(0);
  expect(sent).toEqual(['discard-changes']);
  page.removeAllListeners('request');
});

test('does not publish a page at the URL of another page, and links to that page', async () => {
  await beginContent(page, 'Ada');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const alert = page.getByRole('status').filter({ hasText: 'This URL belongs to the page Ada' });
  await alert.waitFor();
  await page.getByText('“Ada” already uses the URL /ada.').waitFor();
  expect(await alert.getByRole('link', { name: 'Ada' }).getAttribute('href')).toMatch(/content\/c_ada$/);
  expect(await findAxeFaults(page)).toEqual([]);
  await slug.fill('about-ada');
  await saveNow(page);
  await alert.waitFor({ state: 'detached' });
  await publish(page, 'Ada');
});

test('publishes a page at the same URL in another language, with a warning and a link', async () => {
  await openTab(page, 'Languages');
  await page.getByRole('button', { name: /German/ }).click();
  await page.getByRole('region', { name: 'Status' }).getByText('Draft', { exact: true }).waitFor();
  // The original's slug was entered by hand; the translation's slug is derived from its name.
  await expect.poll(() => slug.inputValue()).toBe('ada');
  await publish(page, 'Ada');
  const warning = page.getByRole('status').filter({ hasText: 'These published pages have the same URL' });
  await warning.getByText('Ada (English)').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await warning.getByRole('link', { name: 'Ada' }).click();
  await page.getByRole('region', { name: 'Status' }).getByText('Published', { exact: true }).waitFor();
  await page.waitForURL(/c_ada$/);
});

test('lists the selected pages whose URL is taken, each with the page that uses it', async () => {
  await beginContent(page, 'Grace');
  await goTo(page, 'Content');
  await page
    .getByRole('row', { name: /Grace.*Article/ })
    .getByRole('checkbox')
    .check();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish 1 item' }).click();
  await page.getByRole('dialog').getByText('The URL /grace is already used by').waitFor();
  const links = page.getByRole('dialog').getByRole('link', { name: 'Grace' });
  expect(await links.last().getAttribute('href')).toMatch(/content\/c_grace$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
});

test('includes the language in the URLs of a new type on a site with several languages', async () => {
  await goTo(page, 'Content types');
  await page.getByRole('link', { name: 'New content type' }).first().click();
  expect(await page.getByLabel('URL pattern').inputValue()).toBe('{language}/{slug}');
});

test('warns about a pattern that gives all pages the same URL', async () => {
  const pattern = page.getByLabel('URL pattern');
  const warning = page.getByText('Only one in each language can be published.');
  expect(await warning.count()).toBe(0);
  await pattern.fill('{language}/welcome');
  await warning.waitFor();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
