// The article for `whole-story.test.ts`, in English and French: the steps to write it in the panel, and the values that clients read.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

export async function fillArticle(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Author' }).click();
  await page.getByRole('option', { name: 'Ada Marsh' }).click();
  await page.getByLabel('Standfirst').fill('Seven kinds of black');
  await page.getByRole('textbox', { name: 'Notes' }).fill('Check the dates');
  await page.getByRole('textbox', { name: 'Notes' }).press('Control+a');
  await page.getByRole('textbox', { name: 'Notes' }).press('Control+b');
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.getByRole('group', { name: 'Body' }).getByRole('button', { name: 'Italic' }).click();
  await page.keyboard.type('slowly');
  await page.getByLabel('Reading time').fill('4');
  await page.getByRole('switch', { name: 'Featured' }).check();
  await page.getByLabel('Reported on').fill('2026-03-01T08:30');
  await page.getByRole('radio', { name: 'News' }).check();
  await page.getByRole('button', { name: 'Add item to Key points' }).click();
  await page.keyboard.type('oak gall');
  await page.keyboard.press('Enter');
  await page.keyboard.type('soot');
  await page.getByRole('button', { name: 'Add assets to Cover' }).click();
  await page.getByRole('checkbox', { name: /Two stripes/ }).check();
  await page.getByRole('button', { name: 'Add 1' }).click();
  await page.getByRole('button', { name: 'Add links to Related' }).click();
  await page.getByRole('checkbox', { name: /On paper/ }).check();
  await page.getByRole('button', { name: 'Add 1' }).click();
  await page.getByRole('button', { name: 'Add block to Quotes' }).click();
  await page.getByRole('menuitem', { name: 'Pull quote' }).click();
  await page.getByRole('textbox', { name: 'Words' }).fill('Black is a colour');
}

/** Starts with the English values, and translates them into French. */
export async function translateArticle(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('De l’encre');
  await page.getByLabel('Slug').fill('de-l-encre');
  await page.getByLabel('Standfirst').fill('Sept sortes de noir');
  await page.getByRole('textbox', { name: 'Notes' }).fill('# À relire');
  await page.getByRole('textbox', { name: 'Body' }).fill('lentement');
  await page.getByLabel('Reading time').fill('5');
  await page.getByLabel('Key points 2').fill('la suie');
  await page.getByRole('button', { name: /^Pull quote/ }).click();
  await page.getByRole('textbox', { name: 'Words' }).fill('Le noir est une couleur');
}

export const ARTICLE_VALUES = {
  standfirst: { text: 'Seven kinds of black' },
  notes: { text: '**Check the dates**' },
  body: { text: '<p><em>slowly</em></p>' },
  reading_time: { number: 4 },
  featured: { is_on: true },
  reported_on: { date: '2026-03-01T08:30:00+00:00' },
  section: { selected_option: { label: 'News', value: 'news' } },
  key_points: buildList('oak gall', 'soot'),
  cover: {
    assets: [
      {
        sort: 1,
        asset: {
          id: expect.stringMatching(/^a_/),
          name: 'Two stripes',
          description: 'Blue over white',
          path: expect.any(String),
          url: PICTURE,
          extension: 'png',
          size: expect.any(Number),
          mime_type: 'image/png',
          is_image: true,
          width: 3,
          height: 2,
          focal_point: null,
          placeholder: null,
        },
      },
    ],
  },
  related: { content_links: [{ sort: 1, content_link: expect.objectContaining({ slug: 'on-paper' }) }] },
  quotes: buildQuotes('Black is a colour'),
};

export const FRENCH_VALUES = {
  ...ARTICLE_VALUES,
  standfirst: { text: 'Sept sortes de noir' },
  notes: { text: '# À relire' },
  body: { text: expect.stringMatching(/^<p>(<em>)?lentement(<\/em>)?<\/p>$/) },
  reading_time: { number: 5 },
  key_points: buildList('oak gall', 'la suie'),
  quotes: buildQuotes('Le noir est une couleur'),
};

function buildList(...texts: readonly string[]): object {
  return { list: texts.map((text, index) => ({ sort: index + 1, text })) };
}

function buildQuotes(words: string): object {
  return {
    blocks: [
      {
        sort: 1,
        name: null,
        content_type: expect.objectContaining({ handle: 'pull_quote' }),
        fields: { words: expect.objectContaining({ text: words }) },
      },
    ],
  };
}
