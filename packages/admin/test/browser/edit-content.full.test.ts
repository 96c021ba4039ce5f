import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../client/src/index.ts';
import { findAxeFaults, type Panel } from './panel.ts';
import { callAs } from './preview-website.ts';
import { SITE, STORY, STORY_PATH, saveNow, startWriting, waitUntilSaved } from './writing-desk.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startWriting();
  page = await panel.openAs(STORY_PATH);
});

afterAll(() => panel.close());

/** The labels of the status bar's buttons that do not fit. */
const CUT_OFF = `[...document.querySelectorAll('section[aria-label="Status"] button *')]
.filter((part) => part.scrollWidth > part.clientWidth)
.map((part) => part.textContent)`;

test('has an input for every kind of field', async () => {
  await page.getByLabel('Slug').fill('the-tide');
  await page.getByRole('combobox', { name: 'Author' }).click();
  await page.getByRole('option', { name: 'Ada' }).click();
  await page.getByRole('textbox', { name: 'Notes' }).fill('High water');
  await page.getByRole('textbox', { name: 'Notes' }).press('Control+a');
  await page.getByRole('textbox', { name: 'Notes' }).press('Control+b');
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.getByRole('button', { name: 'Italic' }).last().click();
  await page.keyboard.type('slowly');
  await page.getByLabel('Rank').fill('42');
  await page.getByRole('switch', { name: 'Featured' }).check();
  await page.getByLabel('Seen on').fill('2026-03-01T08:30');
  await page.getByRole('radio', { name: 'Wild' }).check();
  await page.getByRole('button', { name: 'Add item to Points' }).click();
  await page.keyboard.type('first');
  await page.keyboard.press('Enter');
  await page.keyboard.type('second');
  expect(await page.getByLabel('Points 2').inputValue()).toBe('second');
});

test('searches for assets and links, adds them and reorders them', async () => {
  await page.getByRole('button', { name: 'Add assets to Pictures' }).click();
  await page.getByRole('checkbox', { name: /Heron/ }).check();
  await page.getByRole('checkbox', { name: /Reeds/ }).check();
  await page.getByRole('button', { name: 'Add 2' }).click();
  await page.getByRole('button', { name: 'Actions for Reeds' }).click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await page.getByRole('button', { name: 'Add links to Related' }).click();
  await page.getByLabel('Search content by name').fill('eb');
  await page.getByRole('checkbox', { name: /Flood/ }).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: /Ebb/ }).check();
  await page.getByRole('button', { name: 'Add 1' }).click();
  await page.getByRole('group', { name: 'Related' }).getByText('Ebb').waitFor();
});

test('nests blocks and moves them with the keyboard', async () => {
  const sections = page.getByRole('group', { name: 'Sections' });
  await sections.getByRole('button', { name: 'Add block to Sections' }).click();
  await page.getByRole('menuitem', { name: 'Columns' }).click();
  await sections.getByRole('button', { name: 'Add block to Parts' }).click();
  await page.getByRole('menuitem', { name: 'Quotation' }).click();
  await sections.getByRole('textbox', { name: 'Words' }).and(page.locator(':focus')).fill('Inner');
  await sections.getByRole('button', { name: 'Add block to Sections' }).click();
  await page.getByRole('menuitem', { name: 'Quotation' }).click();
  await sections.getByRole('textbox', { name: 'Words' }).last().fill('Outer');
  await sections.getByRole('button', { name: 'Move Quotation 2' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByText('Quotation 2 was moved to position 1 of 2.').waitFor({ state: 'attached' });
  const moved = sections.getByRole('button', { name: 'Move Quotation 1' }).and(page.locator(':focus'));
  expect(await moved.count()).toBe(1);
});

test('shows the reason next to the field that prevented publishing, and focuses the field', async () => {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const summary = page.getByLabel('Summary');
  await page.getByText('Summary is empty.').waitFor();
  expect(await summary.and(page.locator(':focus')).count()).toBe(1);
  expect(await findAxeFaults(page)).toEqual([]);
  // The error disappears before the text is saved.
  await page.route('**/manage/v1/sites/*/content/*', (route) => route.abort());
  await summary.fill('Twice a day');
  await page.locator('textarea[aria-invalid="true"]').waitFor({ state: 'detached' });
  expect(await page.getByText('Summary is empty.').count()).toBe(0);
  await page.unrouteAll();
});

test('publishes values that the client can read', async () => {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('“Tide” was published.').waitFor();
  const view = page.getByRole('alert').getByRole('link', { name: 'View page' });
  expect(await view.getAttribute('href')).toBe('https://marsh.example/stories/the-tide');
  const { token } = await panel.service.createKey({ sites: [SITE] });
  const client = createClient({ apiURL: `${panel.service.url}/api/v1`, apiKey: token, siteId: SITE });
  const { slug, author, fields } = await client.getContentById(STORY);
  expect({ slug, author: author?.name }).toEqual({ slug: 'the-tide', author: 'Ada' });
  expect(fields).toMatchObject({
    summary: { text: 'Twice a day' },
    notes: { text: '**High water**' },
    body: { text: '<p><em>slowly</em></p>' },
    rank: { number: 42 },
    featured: { is_on: true },
    seen_on: { date: '2026-03-01T08:30:00+00:00' },
    points: { list: [{ text: 'first' }, { text: 'second' }] },
    mood: { selected_option: { value: 'wild' } },
    pictures: { assets: [{ asset: { name: 'Reeds' } }, { asset: { name: 'Heron' } }] },
    related: { content_links: [{ content_link: { name: 'Ebb' } }] },
    sections: {
      blocks: [
        { content_type: { handle: 'quote' }, fields: { words: { text: 'Outer' } } },
        {
          content_type: { handle: 'columns' },
          fields: { parts: { blocks: [{ fields: { words: { text: 'Inner' } } }] } },
        },
      ],
    },
  });
});

test('says that there are no changes to publish until somebody changes published content', async () => {
  const other = await panel.openAs(`/sites/${SITE}/content/c_ebb`);
  const bar = other.getByRole('region', { name: 'Status' });
  const upToDate = bar.getByRole('button', { name: 'No changes to publish' });
  await upToDate.waitFor();
  expect(await upToDate.isDisabled()).toBe(true);
  expect(await bar.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
  const size = other.viewportSize() ?? { width: 1280, height: 720 };
  await other.setViewportSize({ width: 360, height: 740 });
  expect(await other.evaluate(CUT_OFF)).toEqual([]);
  await other.setViewportSize(size);
  await other.keyboard.press('Control+Enter');
  await other.getByText('There are no changes to publish. Readers already see this version.').waitFor();
  expect(await findAxeFaults(other)).toEqual([]);
  await other.getByLabel('Summary').fill('Twice a day');
  await bar.getByRole('button', { name: 'Publish changes' }).click();
  await other.getByText('“Ebb” was published.').waitFor();
  await upToDate.waitFor();
  await other.context().close();
});

test('discards changes and unpublishes content', async () => {
  await page.getByLabel('Summary').fill('Changed');
  await page.getByRole('region', { name: 'Status' }).getByText('Changes pending', { exact: true }).waitFor();
  await waitUntilSaved(page);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Summary').inputValue()).toBe('Twice a day');
  const bar = page.getByRole('region', { name: 'Status' });
  await bar.getByText('Published', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  await page.getByRole('dialog').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
  await bar.getByText('Unpublished', { exact: true }).waitFor();
});

test('restores a removed block with Undo', async () => {
  const sections = page.getByRole('group', { name: 'Sections' });
  await sections.getByRole('button', { name: 'Actions for Quotation 1' }).first().click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await sections.getByText('Outer').waitFor({ state: 'detached' });
  await page.getByText('“Quotation 1” was removed.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await sections.getByRole('listitem').first().getByText('Outer').waitFor();
  await page.getByText('“Quotation 1” was removed.').waitFor({ state: 'detached' });
  await saveNow(page);
});

test('duplicates content, including its latest changes, as a new draft', async () => {
  await page.getByLabel('Summary').fill('Twice a day, or once');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Tide (copy)' }).waitFor();
  expect(await page.getByLabel('Summary').inputValue()).toBe('Twice a day, or once');
  expect(await page.getByLabel('Points 2').inputValue()).toBe('second');
  await page.getByRole('region', { name: 'Status' }).getByText('Draft', { exact: true }).waitFor();
  await page.getByLabel('Summary').fill('Only here');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('“Tide (copy)” was published.').waitFor();
  await page.goto(`${panel.service.url}/admin${STORY_PATH}`);
  await page.getByRole('region', { name: 'Status' }).getByText('Unpublished', { exact: true }).waitFor();
  expect(await page.getByLabel('Summary').inputValue()).toBe('Twice a day, or once');
});

test('fits on a phone that is 360 px wide', async () => {
  const phone = await panel.openAs(STORY_PATH, undefined, { viewport: { width: 360, height: 740 } });
  await phone.getByRole('textbox', { name: 'Body' }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findAxeFaults(phone)).toEqual([]);
  await phone.context().close();
});

test('logs no other errors in the browser console', () => {
  expect(panel.complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([]);
});

describe('content with a picture and nested blocks', () => {
  const quote = (words: string) => ({ content_type: 'quote', name: null, fields: { words: { text: words } } });

  beforeAll(async () => {
    const columns = { content_type: 'columns', name: null, fields: { parts: { blocks: [quote('Inner')] } } };
    const fields = {
      summary: { text: 'Flood' },
      pictures: { assets: ['a_0'] },
      sections: { blocks: [columns, quote('Outer')] },
    };
    await callAs(page, 'PUT', `/sites/${SITE}/content/c_flood`, { version: 1, name: 'Flood', fields });
    await page.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_flood`);
  });

  const remove = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
  };

  test('shows the name of a removed picture', async () => {
    const pictures = page.getByRole('group', { name: 'Pictures' });
    await pictures.getByText('Heron').waitFor();
    await pictures.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('“Heron” was removed.').waitFor();
  });

  test('does not change another block if somebody undoes a change in a block that was removed afterwards', async () => {
    const sections = page.getByRole('group', { name: 'Sections' });
    await sections.getByRole('button', { name: /^Columns/ }).click();
    await page.getByRole('group', { name: 'Parts' }).getByRole('button', { name: 'Actions for Quotation 1' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await remove('Columns 1');
    const toast = page.getByRole('alert').filter({ hasText: '“Quotation 1” was removed.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await saveNow(page);
    await page.reload();
    await sections.getByText('Outer').waitFor();
    expect(await sections.getByRole('listitem').count()).toBe(1);
  });

  test('changes only the copy of a block when somebody types in the copy', async () => {
    const sections = page.getByRole('group', { name: 'Sections' });
    await page.getByRole('button', { name: 'Actions for Quotation 1' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await sections
      .getByRole('listitem')
      .nth(1)
      .getByRole('button', { name: /^Quotation/ })
      .click();
    await sections.getByRole('textbox', { name: 'Words' }).fill('Copied');
    await expect
      .poll(() => sections.getByRole('listitem').allInnerTexts())
      .toEqual([expect.stringContaining('Outer'), expect.stringContaining('Copied')]);
  });
});
