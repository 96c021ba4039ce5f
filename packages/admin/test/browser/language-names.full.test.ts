// Wherever the panel shows a language, it shows the language's name. Only lists of a site's languages also show the tags.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { createOwner, type Panel, startPanel } from './panel.ts';
import { navigate } from './panel-steps.ts';

const ID = 's_coast';
const SITE = `/sites/${ID}`;
const FIELDS = [{ handle: 'related', name: 'Related', type: 'content_links' }];

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    site(ID, { languages: ['en', 'de', 'pt-BR'] }),
    contentType(ID, 'post', FIELDS, { name: 'Post' }),
    article('c_tides', 'Tides', 'en', { fields: { related: { content_links: ['c_ebbe'] } } }),
    article('c_ebbe', 'Ebbe', 'de', { translation_of: 'c_tides' }),
    article('c_mare', 'Mar', 'pt-BR', {
      translation_of: 'c_tides',
      fields: { related: { content_links: ['c_ebbe'] } },
    }),
  ]);
  page = await panel.openAs(SITE);
});

afterAll(() => panel.close());

function article(id: string, name: string, language: string, parts: object): object {
  return content({ id, site: ID, content_type: 'post', name, slug: id, language, ...parts });
}

const LISTS_OF_LANGUAGES = ['/content/c_tides/languages', '/settings'];
const TAG = /(?<![\w./-])(?:en|de|pt-BR)(?![\w./-])/;

test.each([
  ['the dashboard', '', ['Post · English', 'Post · German', 'Post · Brazilian Portuguese']],
  ['the content list', '/content', ['English', 'German', 'Brazilian Portuguese']],
  ['the editor', '/content/c_ebbe', ['German']],
  ['links between content', '/content/c_ebbe/links', ['English', 'Brazilian Portuguese']],
  ['translations', '/content/c_tides/languages', ['English', 'German', 'Brazilian Portuguese']],
  ['the history', '/content/c_ebbe/history', []],
  ['the site’s settings', '/settings', ['German']],
])('%s: shows the names of languages', async (_place, path, names) => {
  await navigate(page, `${SITE}${path}`);
  const main = page.getByRole('main');
  await main.getByRole('heading').first().waitFor();
  for (const name of names) await main.getByText(name).first().waitFor();
  if (!LISTS_OF_LANGUAGES.includes(path)) expect(await main.innerText()).not.toMatch(TAG);
});

test('a link to content in another language: shows the name of the language', async () => {
  await navigate(page, `${SITE}/content/c_tides`);
  const related = page.getByRole('group', { name: 'Related' });
  await related.getByText('Post · German').waitFor();
  await navigate(page, `${SITE}/content/c_ebbe`);
  await related.getByRole('button').first().click();
  await page.getByText('Post · Brazilian Portuguese').waitFor();
});

test.each([
  ['the filter of the content list', '/content', 'Language'],
  ['the choice of languages for a webhook', '/webhooks/new', 'List: languages'],
])('%s: offers languages by name', async (_place, path, label) => {
  await navigate(page, `${SITE}${path}`);
  if (path === '/webhooks/new') await page.getByLabel('Selected languages').check();
  await page.getByRole('combobox', { name: label }).click();
  const options = page.getByRole('option');
  await options.first().waitFor();
  expect(await options.allInnerTexts()).toEqual(['English', 'German', 'Brazilian Portuguese']);
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
