// One complete workflow, done entirely in the panel as a person would: from an empty installation to an article in two
// languages that a front end reads. After that, the article changes.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, FieldsBody } from '../../../client/src/index.ts';
import { buildSetUpToken } from '../../../server/src/authoring/people/set-up.ts';
import { addField } from './field-lines.ts';
import { OWNER, type Panel, startPanel } from './panel.ts';
import { beginContent, beginType, createKey, goTo, openTab, publish } from './panel-steps.ts';
import { ARTICLE_VALUES, FRENCH_VALUES, fillArticle, PICTURE, translateArticle } from './story-article.ts';
import { saveNow } from './writing-desk.ts';

const HOUR_MS = 3_600_000;

let panel: Panel;
let page: Page;
/** The offset of the service's clock. */
let aheadMs = 0;
let site: string;
let reader: Client;
let previewer: Client;

beforeAll(async () => {
  panel = await startPanel({}, { now: () => Date.now() + aheadMs });
  panel.service.startClock();
  page = await panel.open(`/set-up#token=${buildSetUpToken(panel.service.storage)}`, { timezoneId: 'UTC' });
});

afterAll(() => panel.close());

test('sets up an owner, and creates a site with two languages', async () => {
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Create owner' }).click();
  await page.getByRole('link', { name: 'New site' }).click();
  await page.getByLabel('Name').fill('Saltmarsh Press');
  await page.getByLabel('URL').fill('https://saltmarsh.example');
  await page.getByRole('combobox', { name: 'Languages' }).fill('French');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await goTo(page, 'Sites');
  const row = page.getByRole('row', { name: /Saltmarsh Press/ });
  const text = await row.innerText();
  expect(text).toContain('English, French');
  site = /s_\w+/.exec(text)?.[0] ?? '';
  await page.getByRole('link', { name: 'Saltmarsh Press' }).click();
  await page.getByRole('heading', { name: 'This site is empty' }).waitFor();
});

test('creates a block type, and a content type with every kind of field', async () => {
  await beginType(page, 'Pull quote', () => page.getByRole('radio', { name: 'Block' }).click());
  await addField(page, 'Text', 'Words');
  await beginType(page, 'Article', () => page.getByLabel('URL pattern').fill('{language}/articles/{slug}'));
  await addField(page, 'Text', 'Standfirst', (form) => form.getByLabel('Required').check());
  await addField(page, 'Text', 'Notes', (form) => form.getByText('Markdown').click());
  await addField(page, 'Text', 'Body', (form) => form.getByText('Rich text (HTML)').click());
  await addField(page, 'Number', 'Reading time', (form) => form.getByLabel('Whole numbers only').check());
  await addField(page, 'Switch', 'Featured');
  await addField(page, 'Date', 'Reported on');
  await addField(page, 'Choice', 'Section', async (form) => {
    await form.getByLabel('Label of option 1').fill('Long reads');
    await form.getByRole('button', { name: 'Add option' }).click();
    await form.getByLabel('Label of option 2').fill('News');
  });
  await addField(page, 'List', 'Key points');
  await addField(page, 'Assets', 'Cover');
  await addField(page, 'Links', 'Related');
  await addField(page, 'Blocks', 'Quotes');
});

test('creates an author and a picture', async () => {
  await goTo(page, 'Authors');
  await page.getByRole('link', { name: 'New author' }).first().click();
  await page.getByLabel('Name').fill('Ada Marsh');
  await page.getByLabel('Email').fill('ada@saltmarsh.example');
  await page.getByRole('button', { name: 'Create author' }).click();
  await page.getByRole('rowheader', { name: 'Ada Marsh' }).waitFor();
  await goTo(page, 'Assets');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Add from URL' }).click();
  await page.getByLabel('URL').fill(PICTURE);
  await page.getByLabel('Name').fill('Two stripes');
  await page.getByLabel('Alt text').fill('Blue over white');
  await page.getByText('3 × 2').waitFor();
  await page.getByRole('button', { name: 'Add asset' }).click();
  await page.getByRole('link', { name: /Two stripes/ }).waitFor();
});

test('fills in every field of an article in two languages, and publishes both', async () => {
  await beginContent(page, 'On paper');
  await page.getByLabel('Standfirst').fill('What ink is put on');
  await publish(page, 'On paper');
  await beginContent(page, 'On ink');
  await fillArticle(page);
  await publish(page, 'On ink');
  await openTab(page, 'Languages');
  await page.getByRole('button', { name: 'Translate into French' }).click();
  await page.getByText('French draft created.').waitFor();
  await translateArticle(page);
  await publish(page, 'De l’encre');
});

test('lets a front end read every value in both languages, with a key from the panel', async () => {
  reader = await createKey(page, { name: 'Website', isPreview: false });
  const { fields, ...article } = await reader.getContentBySlug('on-ink', 'article');
  expect(article).toEqual({
    id: expect.stringMatching(/^c_/),
    published_at: expect.stringMatching(/\+00:00$/),
    slug: 'on-ink',
    name: 'On ink',
    uri: 'articles/on-ink',
    url: 'https://saltmarsh.example/articles/on-ink',
    language: 'en',
    author: {
      id: expect.stringMatching(/^u_/),
      name: 'Ada Marsh',
      email: 'ada@saltmarsh.example',
      profile_photo_url: null,
    },
    content_type: { id: expect.stringMatching(/^t_/), name: 'Article', handle: 'article', object_type: 'page' },
    seo: expect.objectContaining({ title: 'On ink' }),
    created_at: expect.stringMatching(/\+00:00$/),
    updated_at: expect.stringMatching(/\+00:00$/),
  });
  expect(readValues(fields)).toEqual(ARTICLE_VALUES);

  const french = await reader.getContentBySlug('de-l-encre', 'article', { language: 'fr' });
  expect(french).toMatchObject({ name: 'De l’encre', language: 'fr', uri: 'fr/articles/de-l-encre' });
  expect(readValues(french.fields)).toEqual(FRENCH_VALUES);
});

test('shows a change only in the preview until its scheduled time', async () => {
  previewer = await createKey(page, { name: 'Editorial preview', isPreview: true });
  await openContent('On ink');
  await page.getByLabel('Standfirst').fill('Eight kinds of black');
  await saveNow(page);
  expect(await readStandfirst(previewer)).toEqual({ text: 'Eight kinds of black' });
  expect(await readStandfirst(reader)).toEqual({ text: 'Seven kinds of black' });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await dialog.getByLabel('Publish at', { exact: true }).fill(formatSeconds(Date.now() + HOUR_MS));
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await page.getByRole('region', { name: 'Status' }).getByText('Will be published on').waitFor();
  expect(await readStandfirst(reader)).toEqual({ text: 'Seven kinds of black' });
  aheadMs = HOUR_MS;
  await expect.poll(() => readStandfirst(reader)).toEqual({ text: 'Eight kinds of black' });
});

test('restores and publishes an older version', async () => {
  await page.reload();
  await openTab(page, 'History');
  const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('link');
  await versions.nth(1).click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText(/^Version \d+ was restored\.$/).waitFor();
  expect(await readStandfirst(reader)).toEqual({ text: 'Eight kinds of black' });
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('“On ink” was published.').waitFor();
  expect(await readStandfirst(reader)).toEqual({ text: 'Seven kinds of black' });
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});

async function openContent(name: string): Promise<void> {
  if (!page.url().includes(`/sites/${site}`)) {
    await goTo(page, 'Sites');
    await page.getByRole('link', { name: 'Saltmarsh Press' }).click();
  }
  await goTo(page, 'Content');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name }).waitFor();
}

async function readStandfirst(client: Client): Promise<object> {
  const { fields } = await client.getContentBySlug('on-ink', 'article');
  return readValues(fields).standfirst ?? {};
}

/** The value of each field, without the properties that describe the field. */
function readValues(fields: FieldsBody): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(fields).map(([handle, { id, name, handle: _, help_text, type, ...value }]) => [handle, value]),
  );
}

/** Local time to the second, in the input's format, which omits the seconds if they are zero. */
function formatSeconds(time: number): string {
  const text = new Date(time).toISOString().slice(0, 19);
  return text.endsWith(':00') ? formatSeconds(time + 1_000) : text;
}
