// The list of content: ten thousand objects, found, sorted, walked by keyboard, published together.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

const TOTAL = 10_000;
const LIST = '/sites/s_list/content';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    { kind: 'site', id: 's_list', name: 'List', default_language: 'en', languages: ['en', 'fr'] },
    { kind: 'author', id: 'u_ada', site: 's_list', name: 'Ada Quill' },
    { kind: 'author', id: 'u_bob', site: 's_list', name: 'Bob Nib' },
    contentType('post', 'Post', 'page'),
    contentType('note', 'Note', 'entry'),
    contentType('card', 'Card', 'block'),
    ...Array.from({ length: TOTAL }, (_, index) => content(index)),
  ]);
  page = await panel.openAs(LIST);
}, 60_000);

afterAll(() => panel.close());

function contentType(handle: string, name: string, objectType: string): object {
  const fields = [{ handle: 'title', name: 'Title', type: 'text', required: true }];
  return { kind: 'content_type', id: `t_${handle}`, site: 's_list', handle, name, object_type: objectType, fields };
}

/** The greater the number, the later it was changed; every tenth is a draft, of which one in two cannot be published. */
function content(index: number): object {
  const number = String(index).padStart(5, '0');
  const isDraft = index % 10 === 9;
  const time = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString().replace('.000Z', '+00:00');
  return {
    kind: 'content',
    id: `c_${number}`,
    site: 's_list',
    content_type: index % 2 === 0 ? 'post' : 'note',
    author: index % 3 === 0 ? 'u_ada' : 'u_bob',
    language: index % 50 === 0 ? 'fr' : 'en',
    slug: `object-${number}`,
    name: `Object ${number}`,
    status: isDraft ? 'draft' : 'published',
    created_at: time,
    updated_at: time,
    fields: index % 20 === 19 ? {} : { title: { text: number } },
  };
}

const row = (name: string | RegExp) => page.getByRole('row', { name });
const readNames = (): Promise<string[]> => page.locator('[data-row-link]').allInnerTexts();
const readPath = (): string => page.url().slice(page.url().indexOf('/admin') + '/admin'.length);

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('the list begins with what was changed last, and goes on to the last object with few rows in the page', async () => {
  await row(/Object 09999/).waitFor();
  expect(await row(/Object 09998/).innerText()).toMatch(/Post\s+en\s+Published\s+Bob Nib\s+Jan 7, 2024/);
  const grid = page.getByRole('grid', { name: 'Content' });
  let most = 0;
  const isAtEnd = async (): Promise<boolean> => (await page.getByText('All 10,000 objects').count()) > 0;
  while (!(await isAtEnd())) {
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    most = Math.max(most, await grid.getByRole('row').count());
  }
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
  await row(/Object 00000/).waitFor();
  expect(most).toBeLessThan(80);
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(TOTAL + 1));
});

test('search, filters and sort make the list and stand in the address, which can be opened again', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('object 012');
  await row(/Object 01299/).waitFor();
  await choose('Type', 'Note');
  await choose('Status', 'Draft');
  await choose('Author', 'Ada Quill');
  await choose('Sort', 'Name, A to Z');
  const expected = ['Object 01209', 'Object 01239', 'Object 01269', 'Object 01299'];
  await expect.poll(readNames).toEqual(expected);
  expect(readPath()).toBe(
    `${LIST}?search=object%20012&content_type=note&status=draft&author=u_ada&sort=name%3Aasc`.replace('%20', '+'),
  );
  await page.reload();
  await expect.poll(readNames).toEqual(expected);
  expect(await page.getByRole('searchbox').inputValue()).toBe('object 012');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect.poll(readNames).toEqual([...expected].reverse());
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('searchbox').fill('nothing is called so');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(/Object 09999/).waitFor();
});

test('the keyboard walks the list, selects, opens, and is where it was after coming back', async () => {
  await page.goto(`${panel.service.url}/admin${LIST}`);
  await row(/Object 09999/).waitFor();
  await page.keyboard.press('j');
  for (const key of ['j', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key);
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  expect(await focused()).toBe('Object 09997');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
  for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Object 09937');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Object 09937' }).waitFor();
  expect(readPath()).toBe('/sites/s_list/content/c_09937');
  await page.goBack();
  await row(/Object 09937/).waitFor();
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('Object 09937');
});

test('a selection is published together, with what cannot be listed by name, and then unpublished', async () => {
  await page.goto(`${panel.service.url}/admin${LIST}?search=object+0999&status=draft`);
  await page.goto(`${panel.service.url}/admin${LIST}?search=object+099`);
  await row(/Object 09999/).waitFor();
  await page.getByRole('checkbox', { name: 'Select Object 09999' }).click();
  await page.getByRole('checkbox', { name: 'Select Object 09980' }).click({ modifiers: ['Shift'] });
  await page.getByText('20 selected').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('18 selected objects need nothing').waitFor();
  await dialog.getByRole('button', { name: 'Publish 2 objects' }).press('Enter');
  await dialog.getByText('Done: 1 object.').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([expect.stringMatching(/Object 09999\s.*title/s)]);
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await row(/Object 09989/).innerText()).toContain('Published');
  expect(await row(/Object 09999/).innerText()).toContain('Draft');
  await page.getByRole('checkbox', { name: 'Select Object 09989' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await dialog.getByRole('button', { name: 'Unpublish 1 object' }).click();
  await dialog.getByText('Done: 1 object.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await row(/Object 09989/).innerText()).toContain('Unpublished');
});

test('work on many can be stopped, and says how much of it was not begun', async () => {
  await page.goto(`${panel.service.url}/admin${LIST}?status=published`);
  await row(/Object 09998/).waitFor();
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await page.route('**/unpublish', async (route) => {
    await route.continue();
    if (!isStopped) await stop();
  });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    isStopped = true;
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
  };
  await page.getByRole('button', { name: /^Unpublish \d+ objects$/ }).click();
  const said = await page.getByText(/Stopped\. Done: .* not begun: \d+ objects/).innerText();
  expect(Number(/not begun: (\d+)/.exec(said)?.[1])).toBeGreaterThan(10);
  await page.unroute('**/unpublish');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
});

test('new content has a type and a language, and opens in the editor', async () => {
  await page.goto(`${panel.service.url}/admin${LIST}`);
  await row(/Object/)
    .first()
    .waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create and open' }).click();
  await dialog.locator('input[aria-invalid="true"]').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('Une lettre');
  await choose('Type', 'Note');
  expect(await page.getByRole('option', { name: 'Card' }).count()).toBe(0);
  await choose('Language', 'fr');
  await dialog.getByRole('button', { name: 'Create and open' }).click();
  await page.getByRole('heading', { name: 'Une lettre' }).waitFor();
  await page.getByRole('link', { name: 'Content' }).click();
  expect(await row(/Une lettre/).innerText()).toMatch(/Note\s+fr\s+Draft\s+No author/);
});

test('on a phone nothing is wider than the screen, and the filters open from their button', async () => {
  const phone = await panel.openAs(LIST, undefined, { viewport: { width: 360, height: 740 } });
  await phone.getByRole('row', { name: /Une lettre/ }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await phone.getByRole('button', { name: 'Filters' }).click();
  await phone.getByRole('combobox', { name: 'Type' }).waitFor();
  await phone.getByRole('checkbox', { name: 'Select Une lettre' }).click();
  await phone.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findAxeFaults(phone)).toEqual([]);
  await phone.context().close();
});

test('the browser has nothing to complain of', () => {
  expect(panel.complaints).toEqual([]);
});
