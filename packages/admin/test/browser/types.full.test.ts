import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginField, fieldLine, openField, readFields } from './field-lines.ts';
import { callAsOwner, createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { name: 'Saltmarsh', id: 's_press' });
  page = await panel.openAs('/sites/s_press/types');
});

afterAll(() => panel.close());

test('creates a block type with the mouse, and previews a field while it is being edited', async () => {
  await page.getByRole('heading', { name: 'No content types yet' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'New content type' }).click();
  await page.getByLabel('Name').fill('Pull quote');
  expect(await page.getByLabel('Handle').inputValue()).toBe('pull_quote');
  await page.getByRole('radio', { name: 'Block' }).click();
  expect(await page.getByLabel('URL pattern').count()).toBe(0);
  await page.getByRole('button', { name: 'Create content type' }).click();
  await page.getByRole('heading', { name: 'Pull quote' }).waitFor();
  const form = await beginField(page, 'Text');
  await form.getByLabel('Name').fill('Words');
  await form.getByText('Markdown').click();
  await preview().getByRole('textbox', { name: 'Words' }).waitFor();
  await form.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('button', { name: 'Words words Text · Markdown' }).waitFor();
});

test('creates a type with all nine kinds of fields using only the keyboard', async () => {
  await page.goto(`${panel.service.url}/admin/sites/s_press/types`);
  await page.getByRole('row', { name: /Pull quote/ }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'New content type' }).waitFor();
  await page.keyboard.type('Article');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Article' }).waitFor();
  await page.getByRole('button', { name: 'Add field' }).focus();
  for (const [kind, name] of [
    ['Text', 'Standfirst'],
    ['Number', 'Reading time'],
    ['Switch', 'Featured'],
    ['Date', 'Reported on'],
    ['List', 'Key points'],
    ['Assets', 'Cover'],
    ['Links', 'Related'],
    ['Blocks', 'Sections'],
  ] as const) {
    await pickByKeyboard(kind);
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await fieldLine(page, name).waitFor();
    await page.getByRole('button', { name: 'Add field' }).and(page.locator(':focus')).waitFor();
  }
  await pickByKeyboard('Choice');
  await page.keyboard.type('Section');
  await page.getByLabel('Label of option 1').focus();
  await page.keyboard.type('Long reads');
  await page.getByRole('button', { name: 'Add option' }).press('Enter');
  await page.keyboard.type('News');
  await page.keyboard.press('Enter');
  await fieldLine(page, 'Section').waitFor();
  expect(await readFields(page)).toMatchObject([
    { handle: 'standfirst', type: 'text', format: 'plain' },
    { handle: 'reading_time', type: 'number', integer: false },
    { handle: 'featured', type: 'boolean' },
    { handle: 'reported_on', type: 'date' },
    { handle: 'key_points', type: 'list' },
    { handle: 'cover', type: 'assets' },
    { handle: 'related', type: 'content_links' },
    { handle: 'sections', type: 'blocks' },
    {
      handle: 'section',
      type: 'option',
      options: [
        { label: 'Long reads', value: 'long_reads' },
        { label: 'News', value: 'news' },
      ],
    },
  ]);
  for (const name of ['Standfirst', 'Reading time', 'Featured', 'Reported on', 'Section']) {
    await preview().getByLabel(name).first().waitFor();
  }
});

test('changes settings of every kind, and shows each error next to its setting', async () => {
  const number = await openField(page, 'Reading time');
  await number.getByLabel('Minimum').fill('30');
  await number.getByLabel('Maximum').fill('3');
  await number.getByLabel('Whole numbers only').check();
  await number.getByRole('button', { name: 'Save field' }).click();
  await number.getByText('Minimum must be 3 or less.').waitFor();
  expect(await number.getByLabel('Minimum').getAttribute('aria-invalid')).toBe('true');
  expect(await findAxeFaults(page)).toEqual([]);
  await number.getByLabel('Minimum').fill('1');
  await number.getByLabel('Maximum').fill('60');
  await number.getByRole('button', { name: 'Save field' }).click();
  await page.getByRole('button', { name: /Number · Whole numbers only · 1 to 60/ }).waitFor();

  const assets = await openField(page, 'Cover');
  await assets.getByLabel('Allowed files').fill('image/');
  await assets.getByLabel('Maximum number of items').fill('1');
  await assets.getByRole('button', { name: 'Save field' }).click();
  const blocks = await openField(page, 'Sections');
  await blocks.getByRole('combobox', { name: 'Allowed blocks' }).click();
  await page.getByRole('option', { name: 'Pull quote' }).click();
  await blocks.getByRole('button', { name: 'Save field' }).click();
  const text = await openField(page, 'Standfirst');
  await text.getByLabel('Help text').fill('One sentence.');
  await text.getByLabel('Maximum length').fill('200');
  await text.getByLabel('Required').check();
  await text.getByRole('button', { name: 'Save field' }).click();
  await page.getByRole('button', { name: /Standfirst.*Required.*at most 200 characters/ }).waitFor();

  const again = await beginField(page, 'Date');
  await again.getByLabel('Name').fill('Cover');
  await again.getByRole('button', { name: 'Add field' }).click();
  await again.getByText('This handle is already in use.').waitFor();
  await again.getByRole('button', { name: 'Cancel' }).click();
  expect(await readFields(page)).toMatchObject([
    { handle: 'standfirst', required: true, help_text: 'One sentence.', max_length: 200 },
    { handle: 'reading_time', min: 1, max: 60, integer: true },
    {},
    {},
    {},
    { handle: 'cover', allowed_kinds: ['image/'], max_items: 1 },
    {},
    { handle: 'sections', allowed_types: ['pull_quote'] },
    {},
  ]);
});

test('pastes a number with a decimal comma into a setting, or says why it cannot', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate("navigator.clipboard.writeText('1,5')");
  const number = await openField(page, 'Reading time');
  await number.getByLabel('Minimum').fill('');
  await number.getByLabel('Minimum').press('Control+v');
  expect(await number.getByLabel('Minimum').inputValue()).toBe('1.5');
  await number.getByRole('button', { name: 'Cancel' }).click();
  const assets = await openField(page, 'Cover');
  const count = assets.getByLabel('Minimum number of items');
  await count.press('Control+v');
  await assets.getByText('Minimum number of items must be a whole number.').waitFor();
  expect(await count.inputValue()).toBe('');
  expect(await findAxeFaults(page)).toEqual([]);
  await assets.getByRole('button', { name: 'Cancel' }).click();
});

test('reorders fields with the keyboard, by dragging and from a menu', async () => {
  await page.getByRole('button', { name: 'Move Section', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByText('Section is at position 9 of 9.').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.getByText('Section is at position 8 of 9.').waitFor();
  await saveOrder(() => page.keyboard.press('Space'));
  expect((await readHandles()).slice(7)).toEqual(['section', 'sections']);

  await page.getByRole('button', { name: 'Move Standfirst' }).scrollIntoViewIfNeeded();
  const grip = await centreOf(page.getByRole('button', { name: 'Move Standfirst' }));
  const target = await centreOf(page.getByRole('button', { name: 'Move Featured' }));
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x, grip.y + 20, { steps: 4 });
  await page.mouse.move(target.x, target.y, { steps: 8 });
  await page.getByText('Standfirst is at position 3 of 9.').waitFor();
  await saveOrder(() => page.mouse.up());
  expect((await readHandles()).slice(0, 3)).toEqual(['reading_time', 'featured', 'standfirst']);

  await page.getByRole('button', { name: 'Move Standfirst' }).click();
  await saveOrder(() => page.getByRole('menuitem', { name: 'Move up' }).click());
  expect((await readHandles()).slice(0, 3)).toEqual(['reading_time', 'standfirst', 'featured']);
});

test('moves a field with an arrow key on its grip, announces the move, and keeps the focus', async () => {
  const grip = page.getByRole('button', { name: 'Move Standfirst' });
  await grip.focus();
  await saveOrder(() => page.keyboard.press('ArrowDown'));
  await page.getByText('Standfirst was moved to position 3 of 9.').waitFor({ state: 'attached' });
  await grip.and(page.locator(':focus')).waitFor();
  await saveOrder(() => page.keyboard.press('ArrowUp'));
  await page.getByText('Standfirst was moved to position 2 of 9.').waitFor({ state: 'attached' });
  await grip.and(page.locator(':focus')).waitFor();
  expect((await readHandles()).slice(0, 3)).toEqual(['reading_time', 'standfirst', 'featured']);
});

test('refuses to make a field required while published content has no value for it', async () => {
  const content = {
    id: 'c_first',
    content_type: 'article',
    name: 'First',
    fields: { standfirst: { text: 'A start.' } },
  };
  await callAsOwner(panel, '/sites/s_press/content', content);
  await callAsOwner(panel, '/sites/s_press/content/c_first/publish', {});
  const number = await openField(page, 'Reading time');
  await number.getByLabel('Required').check();
  await number.getByRole('button', { name: 'Save field' }).click();
  const message = '“First” is published without a value in this field. Add a value, publish, and try again.';
  await number.getByText(message).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await number.getByLabel('Required').uncheck();
  await number.getByRole('button', { name: 'Save field' }).click();
  await fieldLine(page, 'Reading time').waitFor();
  const begun = await beginField(page, 'Date');
  await begun.getByLabel('Name').fill('Due');
  await begun.getByLabel('Required').check();
  await begun.getByRole('button', { name: 'Add field' }).click();
  await begun.getByText(message).waitFor();
  await begun.getByRole('button', { name: 'Cancel' }).click();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});

function preview(): Locator {
  return page.getByRole('region', { name: 'Preview' });
}

/** Starts at the focused “Add field” button, chooses a kind, and waits until the name input has focus. */
async function pickByKeyboard(kind: string): Promise<void> {
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: new RegExp(`^${kind}`) });
  await item.waitFor();
  while ((await item.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByRole('form', { name: `New field: ${kind}` })
    .getByLabel('Name')
    .and(page.locator(':focus'))
    .waitFor();
}

async function saveOrder(drop: () => Promise<unknown>): Promise<void> {
  const saved = page.waitForResponse((response) => response.url().endsWith('/field-order') && response.ok());
  await drop();
  await saved;
}

async function centreOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

async function readHandles(): Promise<readonly string[]> {
  return (await readFields(page)).map(({ handle }) => handle);
}
