import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldLine, openField, readFields } from './field-lines.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';

const ARTICLE = {
  handle: 'article',
  name: 'Article',
  fields: [
    { handle: 'reading_time', type: 'number' },
    {
      handle: 'section',
      type: 'option',
      options: [
        { label: 'Long reads', value: 'long_reads' },
        { label: 'News', value: 'news' },
      ],
    },
    { handle: 'sections', type: 'blocks', allowed_types: ['pull_quote'] },
  ],
};

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await callAsOwner(panel, '/sites', { name: 'Saltmarsh', id: 's_press' });
  const quote = { handle: 'pull_quote', name: 'Pull quote', object_type: 'block' };
  await callAsOwner(panel, '/sites/s_press/types', { ...quote, fields: [{ handle: 'words', type: 'text' }] });
  await callAsOwner(panel, '/sites/s_press/types', ARTICLE);
  await callAsOwner(panel, '/sites/s_press/content', {
    content_type: 'article',
    name: 'Tides',
    fields: { section: { selected_option: 'news' }, reading_time: { number: 4 } },
  });
  page = await panel.openAs('/sites/s_press/types/article');
});

afterAll(() => panel.close());

test('asks for confirmation before removing options and fields that content uses', async () => {
  const choice = await openField(page, 'Section');
  await choice.getByRole('button', { name: 'Remove option 2' }).click();
  await choice.getByRole('button', { name: 'Save field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('“News” is used in 1 object.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await choice.waitFor({ state: 'detached' });
  expect((await readFields(page)).find(({ handle }) => handle === 'section')?.options).toHaveLength(1);

  const number = await openField(page, 'Reading time');
  await number.getByRole('button', { name: 'Delete field' }).click();
  await dialog.getByText('1 object has a value in “Reading time”.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete field and values' }).click();
  await fieldLine(page, 'Reading time').waitFor({ state: 'detached' });
  expect((await readFields(page)).map(({ handle }) => handle)).toEqual(['section', 'sections']);
});

test('refuses to delete a type that is in use, and says what uses it', async () => {
  await page.getByRole('button', { name: 'Delete content type' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete content type' }).click();
  await dialog.getByText('“Article” cannot be deleted: 1 object is of this type.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Delete content type' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.goto(`${panel.service.url}/admin/sites/s_press/types/pull_quote`);
  await page.getByRole('button', { name: 'Delete content type' }).click();
  await dialog.getByRole('button', { name: 'Delete content type' }).click();
  await dialog.getByText('“Pull quote” cannot be deleted: the field “Sections” in “Article” allows it.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

test('deletes a type that is not in use', async () => {
  await callAsOwner(panel, '/sites/s_press/types', { handle: 'note', name: 'Note', fields: [] });
  await page.goto(`${panel.service.url}/admin/sites/s_press/types/note`);
  await page.getByRole('button', { name: 'Delete content type' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete content type' }).click();
  await page.getByRole('heading', { name: 'Content types' }).waitFor();
  await page.getByRole('row', { name: /Note/ }).waitFor({ state: 'detached' });
  expect(await page.getByRole('row').count()).toBe(3);
  await page.getByRole('link', { name: 'Pull quote' }).click();
});

test('renames a type, and asks for confirmation before unsaved changes to a field are lost', async () => {
  const general = page.getByRole('region', { name: 'General' });
  await general.getByLabel('Name').fill('Quotation');
  await general.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Quotation' }).waitFor();
  const words = await openField(page, 'Words');
  await words.getByLabel('Name').fill('Said');
  await page.getByRole('link', { name: 'Content types' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
  expect(await words.getByLabel('Name').inputValue()).toBe('Said');
  await page.getByRole('link', { name: 'Content types' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('row', { name: /Quotation pull_quote .*Block 1$/ }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test('shows editors the types, but does not let them change anything', async () => {
  const other = await panel.openAs('/sites/s_press/types', EDITOR);
  await other.getByRole('link', { name: 'Article' }).click();
  await other.getByRole('heading', { name: 'Article' }).waitFor();
  await other.getByText('Only owners can change content types.').waitFor();
  expect(await other.getByRole('list', { name: 'Fields' }).getByRole('listitem').count()).toBe(2);
  for (const name of [/^Add field/, /^Move /, /^Save/, /^Delete/]) {
    expect(
      await other
        .getByRole('region', { name: /Fields|General/ })
        .getByRole('button', { name })
        .count(),
    ).toBe(0);
  }
  expect(await findAxeFaults(other)).toEqual([]);
  await other.goto(`${panel.service.url}/admin/sites/s_press/types/new-type`);
  await other.getByRole('heading', { name: 'Page not found' }).waitFor();
  await other.context().close();
});

test('fits on a phone that is 360 px wide', async () => {
  const phone = await panel.openAs('/sites/s_press/types/article', undefined, {
    viewport: { width: 360, height: 740 },
  });
  await phone.getByRole('button', { name: /^Section section/ }).click();
  await phone.getByLabel('Label of option 1').waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findAxeFaults(phone)).toEqual([]);
  await phone.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
