// Forms send only changed values, send nothing incomplete, and do not store secrets.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { callAsOwner, createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

const SITE = 's_press';
const CONTENT = `/sites/${SITE}/content/c_ink`;
const FILE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await panel.service.importRecords([
    site(SITE, { name: 'Press' }),
    contentType(SITE, 'post', []),
    content({ id: 'c_ink', site: SITE, content_type: 'post', status: 'draft' }),
  ]);
  await callAsOwner(panel, `/sites/${SITE}/authors`, { id: 'u_ada', name: 'Ada', email: 'ada@press.example' });
  await callAsOwner(panel, `/sites/${SITE}/assets`, { id: 'a_ink', name: 'Ink', url: FILE, size: 2048, width: 30 });
  page = await panel.openAs(CONTENT);
});

afterAll(() => panel.close());

async function read(path: string): Promise<Readonly<Record<string, unknown>>> {
  return (await page.request.get(`${panel.service.url}/manage/v1${path}`)).json();
}

/** Changes a record while a form for it is open. */
async function changeMeanwhile(path: string, change: object): Promise<void> {
  const { csrf_token: token } = await read('/session');
  const response = await page.request.patch(`${panel.service.url}/manage/v1${path}`, {
    data: change,
    headers: { 'x-csrf-token': String(token) },
  });
  expect(response.status()).toBe(200);
}

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
}

test('does not cancel a schedule when a time is incomplete', async () => {
  await callAsOwner(panel, `${CONTENT}/schedule`, { publish_at: '2040-01-02T09:30:00+00:00' });
  await page.reload();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  const time = dialog.getByLabel('Publish at', { exact: true });
  await dialog.getByText('Mon, Jan 2, 2040, 9:30 AM GMT').waitFor();
  await time.focus();
  await page.keyboard.press('Backspace');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await dialog.getByText('Complete or clear this value.').waitFor();
  expect(await time.and(page.locator(':focus')).count()).toBe(1);
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await read(CONTENT)).toMatchObject({ publish_at: '2040-01-02T09:30:00+00:00' });
});

test('keeps one scheduled time when the other is refused', async () => {
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await dialog.getByRole('button', { name: 'Clear publish time' }).click();
  await dialog.getByLabel('Unpublish at', { exact: true }).fill('2040-01-01T09:30');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await read(CONTENT)).toMatchObject({ publish_at: null, unpublish_at: '2040-01-01T09:30:00+00:00' });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await dialog.getByRole('button', { name: 'Clear unpublish time' }).click();
  await dialog.getByLabel('Publish at', { exact: true }).fill('2020-01-01T09:30');
  await dialog.getByRole('button', { name: 'Save schedule' }).click();
  await dialog.locator('input[aria-invalid="true"]').waitFor();
  expect(await read(CONTENT)).toMatchObject({ publish_at: null, unpublish_at: '2040-01-01T09:30:00+00:00' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('keeps changes that somebody else has made in the meantime', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/authors/u_ada`);
  await page.getByLabel('Name').fill('Ada Quill');
  await changeMeanwhile(`/sites/${SITE}/authors/u_ada`, { email: 'quill@press.example' });
  await save();
  expect(await read(`/sites/${SITE}/authors/u_ada`)).toMatchObject({
    name: 'Ada Quill',
    email: 'quill@press.example',
  });
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/settings`);
  await page.getByLabel('Name').fill('The Press');
  await changeMeanwhile(`/sites/${SITE}`, { url: 'https://press.example' });
  await save();
  expect(await read(`/sites/${SITE}`)).toMatchObject({ name: 'The Press', url: 'https://press.example' });
});

test('keeps the details of a file when its URL is changed and then changed back', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/assets/a_ink`);
  const address = page.getByLabel('URL');
  await address.fill('');
  expect(await page.getByLabel('Size in bytes').inputValue()).toBe('');
  await address.fill(FILE);
  expect(await page.getByLabel('Size in bytes').inputValue()).toBe('2048');
  await save();
  expect(await read(`/sites/${SITE}/assets/a_ink`)).toMatchObject({ url: FILE, size: 2048, width: 30 });
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
