// The media library: uploads with their progress, folders, tags, the focal point, and replacing files.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsOwner, createOwner, findAxeFaults, OWNER, type Panel, startPanel } from './panel.ts';
import { drawPicture, drawPictures, dropFiles, pasteFiles } from './pictures.ts';

const SITE = '/sites/s_press';
const UPLOADS = '**/manage/v1/sites/s_press/assets?duplicates=refuse';
/** Files larger than 50 MB are sent in parts of 16 MiB. */
const PART = String(16 * 1024 * 1024);
const LARGE_BYTES = 60_000_000;
const RED = drawPicture('Red and white', { left: [200, 30, 30], right: [255, 255, 255] });

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await callAsOwner(panel, '/sites', { id: 's_press', name: 'Saltmarsh Press' });
  page = await panel.openAs(`${SITE}/assets`);
});

afterAll(() => panel.close());

function findUploads() {
  return page.getByRole('region', { name: 'Uploads' });
}

function findList() {
  return page.getByRole('list', { name: 'Assets' });
}

async function closeUploads(): Promise<void> {
  await findUploads().getByRole('button', { name: 'Close' }).click();
  await findUploads().waitFor({ state: 'detached' });
}

async function readAssets(): Promise<readonly Record<string, unknown>[]> {
  const response = await page.request.get(`${panel.service.url}/manage/v1${SITE}/assets?limit=100`);
  return (await response.json()).data;
}

async function readAsset(name: string): Promise<Record<string, unknown>> {
  return (await readAssets()).find((asset) => asset.name === name) ?? {};
}

test('uploads dropped pictures, and lists them with their details', async () => {
  await page.getByRole('heading', { name: 'No assets yet' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await dropFiles(page, page.getByRole('heading', { name: 'No assets yet' }), drawPictures(8));
  await findUploads().getByRole('status').getByText('8 files uploaded').waitFor();
  await expect.poll(() => findList().getByRole('link').count()).toBe(8);
  expect(await findAxeFaults(page)).toEqual([]);
  await closeUploads();
  expect(await readAssets()).toHaveLength(8);
  await findList()
    .getByRole('link', { name: /Picture 8.*PNG · 160 × 90/ })
    .waitFor();
});

test('cancels an upload, and retries it', async () => {
  const held: Route[] = [];
  let isHolding = true;
  await page.route(UPLOADS, async (route) => {
    if (isHolding) held.push(route);
    else await route.continue();
  });
  await dropFiles(page, findList(), drawPictures(4, 'Held'));
  await expect.poll(() => held.length).toBe(3);
  await findUploads().getByText('Uploading 1 of 4 files').waitFor();
  expect(await findUploads().getByRole('progressbar', { name: 'Upload of Held 1.png' }).count()).toBe(1);
  expect(await findAxeFaults(page)).toEqual([]);
  await findUploads().getByRole('button', { name: 'Cancel Held 1.png' }).click();
  // The next file is sent in place of the cancelled one.
  await expect.poll(() => held.length).toBe(4);
  isHolding = false;
  for (const route of held.slice(1)) await route.continue();
  await findUploads().getByRole('status').getByText('3 files uploaded, 1 cancelled').waitFor();
  expect((await readAssets()).map(({ name }) => name)).not.toContain('Held 1');
  await findUploads().getByRole('button', { name: 'Try Held 1.png again' }).click();
  await findUploads().getByRole('status').getByText('4 files uploaded').waitFor();
  await page.unroute(UPLOADS);
  await closeUploads();
  await findList()
    .getByRole('link', { name: /Held 1(?!\d)/ })
    .waitFor();
});

test('shows why an upload failed, and retries it', async () => {
  await page.route(UPLOADS, (route) => route.abort('connectionreset'));
  await pasteFiles(page, [{ ...drawPicture('image', { left: [9, 9, 9], right: [8, 8, 8] }), name: 'image.png' }]);
  await findUploads().getByText('The connection was lost.').waitFor();
  await findUploads().getByRole('status').getByText('1 failed').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.unroute(UPLOADS);
  await findUploads()
    .getByRole('button', { name: /^Try Screenshot .* again$/ })
    .click();
  await findUploads().getByRole('status').getByText('1 file uploaded').waitFor();
  await closeUploads();
  // The failed request is logged as an error.
  expect(panel.complaints.splice(0).filter((text) => !text.includes('ERR_CONNECTION_RESET'))).toEqual([]);
});

test('offers the existing file instead of a duplicate', async () => {
  const count = (await readAssets()).length;
  const [again] = drawPictures(1);
  if (again === undefined) throw new Error('There is no picture');
  const copy = { ...again, name: 'The same again.png' };
  await dropFiles(page, findList(), [copy]);
  await findUploads().getByText('Already in the library as “Picture 1”.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await findUploads().getByRole('button', { name: 'Use the existing file instead of The same again.png' }).click();
  await findUploads().getByRole('link', { name: 'Open The same again.png' }).waitFor();
  expect(await readAssets()).toHaveLength(count);
  await closeUploads();
  await dropFiles(page, findList(), [copy]);
  await findUploads().getByRole('button', { name: 'Add anyway: The same again.png' }).click();
  await findUploads().getByRole('link', { name: 'Open The same again.png' }).waitFor();
  expect(await readAssets()).toHaveLength(count + 1);
  await closeUploads();
});

test('dropping a file outside the upload area does not make the browser leave the page', async () => {
  const isPrevented = await page.evaluate(`['dragover', 'drop'].map((type) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['text'], 'a.txt', { type: 'text/plain' }));
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
    return !document.querySelector('nav').dispatchEvent(event);
  })`);
  expect(isPrevented).toEqual([true, true]);
  expect(await findUploads().count()).toBe(0);
});

test('asks for confirmation before somebody leaves the panel during an upload, and continues the upload on other pages of the panel', async () => {
  let release = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(UPLOADS, async (route) => {
    await waiting;
    await route.continue();
  });
  await dropFiles(page, findList(), [drawPicture('Slow', { left: [1, 2, 3], right: [4, 5, 6] })]);
  await page.getByRole('link', { name: 'Authors' }).click();
  await page.getByRole('heading', { name: 'Authors', exact: true }).waitFor();
  const asked = page.waitForEvent('dialog');
  const leaving = page.evaluate('location.reload()').catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  release();
  await findUploads().getByRole('link', { name: 'Open Slow.png' }).click();
  await page.getByRole('heading', { name: 'Slow' }).waitFor();
  await page.unroute(UPLOADS);
  await closeUploads();
});

test('resumes a large upload after a lost connection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-large-'));
  const path = join(folder, 'Large.bin');
  await writeFile(path, Buffer.alloc(LARGE_BYTES, 'galley'));
  const starts: string[] = [];
  const parts = '**/manage/v1/sites/s_press/uploads/*';
  await page.route(parts, async (route) => {
    const { 'upload-offset': start = '' } = route.request().headers();
    if (route.request().method() === 'PATCH') starts.push(start);
    if (starts.length === 2 && route.request().method() === 'PATCH') await route.abort('connectionreset');
    else await route.continue();
  });
  await page.goto(`${panel.service.url}/admin${SITE}/assets`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles(path);
  await findUploads().getByRole('link', { name: 'Open Large.bin' }).waitFor();
  await page.unroute(parts);
  await closeUploads();
  await rm(folder, { recursive: true });
  // Only the second part is sent again.
  expect(starts).toEqual(['0', PART, PART, ...[2, 3].map((count) => String(count * Number(PART)))]);
  expect(await readAsset('Large')).toMatchObject({ size: LARGE_BYTES, file_name: 'Large.bin' });
  expect(panel.complaints.splice(0).filter((text) => !text.includes('ERR_CONNECTION_RESET'))).toEqual([]);
});

test('sets the focal point with a click and the arrow keys, and shows the crops', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/assets`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await (await chooser).setFiles([RED]);
  await findUploads().getByRole('link', { name: 'Open Red and white.png' }).click();
  await page.getByRole('heading', { name: 'Red and white' }).waitFor();
  await closeUploads();
  const picture = page.getByRole('img', { name: 'Red and white', exact: true });
  const box = await picture.boundingBox();
  if (box === null) throw new Error('The picture is not shown');
  await page.mouse.click(box.x + 0.9 * box.width, box.y + 0.25 * box.height);
  await page.getByRole('button', { name: 'Focal point: 90% from the left, 25% from the top' }).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Focal point: 80% from the left, 26% from the top' }).waitFor();
  // The square shows 90 of 160 pixels. Its right edge is the picture's right edge.
  const position = await page.evaluate(
    `getComputedStyle(document.querySelector('[alt="Cropped to 1:1"]')).objectPosition`,
  );
  expect(position).toBe('100% 50%');
  await page.getByLabel('Alt text').fill('Two halves');
  await page
    .getByRole('combobox', { name: 'Folder' })
    .or(page.getByRole('textbox', { name: 'Folder' }))
    .fill('flags/2026');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  expect(await readAsset('Red and white')).toMatchObject({
    focal_point: { x: 80, y: 26 },
    description: 'Two halves',
    folder: 'flags/2026',
  });
});

test('replaces a file, and restores the earlier one', async () => {
  const before = await readAsset('Red and white');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Replace file' }).click();
  await (await chooser).setFiles([drawPicture('Blue', { left: [0, 0, 200], right: [0, 200, 200] })]);
  await page.getByText('The file was replaced.').waitFor();
  await closeUploads();
  const after = await readAsset('Red and white');
  expect(after.id).toBe(before.id);
  expect(after.url).not.toBe(before.url);
  await page.getByRole('region', { name: 'Earlier files' }).getByText('Red').first().waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page
    .getByRole('region', { name: 'Earlier files' })
    .getByRole('button', { name: /^Restore/ })
    .click();
  await page.getByText('The file was restored.').waitFor();
  expect((await readAsset('Red and white')).url).toBe(before.url);
});

test('moves, tags and deletes the selected files', async () => {
  await page.getByRole('link', { name: 'Assets' }).click();
  await page.getByRole('checkbox', { name: 'Select Picture 1', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select Picture 2', exact: true }).check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('2 selected').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Tag' }).click();
  await page.getByRole('dialog').getByLabel('Add tags').fill('Birds');
  await page.keyboard.press('Enter');
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Tags updated for 2 files.').waitFor();
  expect(await readAsset('Picture 2')).toMatchObject({ tags: ['Birds'] });

  await page.getByRole('checkbox', { name: 'Select Picture 1', exact: true }).check();
  await bar.getByRole('button', { name: 'Move' }).click();
  await page.getByRole('dialog').getByLabel('Folder').fill('flags');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await page.getByText('1 file moved to flags.').waitFor();
  await page
    .getByRole('list', { name: 'Folders' })
    .getByRole('link', { name: /^flags/ })
    .click();
  await findList()
    .getByRole('link', { name: /^Picture 1(?!\d)/ })
    .waitFor();
  await page.getByRole('list', { name: 'Folders' }).getByRole('link', { name: /^2026/ }).click();
  const path = page.getByRole('navigation', { name: 'Current folder' });
  await expect.poll(() => path.locator('[aria-current]').allInnerTexts()).toEqual(['2026']);
  await findList()
    .getByRole('link', { name: /Red and white/ })
    .waitFor();
  await page.getByRole('navigation', { name: 'Current folder' }).getByRole('link', { name: 'All files' }).click();

  await page.getByRole('checkbox', { name: 'Select Picture 3', exact: true }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 file deleted.').waitFor();
  expect(await readAsset('Picture 3')).toEqual({});
});

test('finds files in all folders by name, tag and kind, and shows them as a grid or a list', async () => {
  await page.getByRole('searchbox', { name: 'Search assets' }).fill('red and');
  await expect.poll(() => findList().getByRole('link').count()).toBe(1);
  await findList().getByText('in flags/2026').waitFor();
  await page.getByRole('searchbox', { name: 'Search assets' }).fill('');
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'Birds' }).click();
  await expect.poll(() => findList().getByRole('link').count()).toBe(2);
  await page.locator('svg[aria-label="List"]').click();
  await page.getByRole('table', { name: 'Assets' }).getByRole('link', { name: 'Picture 2' }).waitFor();
  expect(page.url()).toContain('view=list');
});

test('creates, renames and deletes a folder', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/assets`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'New folder' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Harbour');
  await page.getByRole('dialog').getByRole('button', { name: 'Create folder' }).click();
  await page.getByRole('heading', { name: 'This folder is empty' }).waitFor();
  await page.getByRole('button', { name: 'Actions for the folder Harbour' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Quay');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('navigation', { name: 'Current folder' }).getByText('Quay').waitFor();
  await page.getByRole('button', { name: 'Actions for the folder Quay' }).click();
  await page.getByRole('menuitem', { name: 'Delete folder' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
  await page.getByText('The folder “Quay” was deleted.').waitFor();
  await page.getByRole('link', { name: /^flags/ }).waitFor();
});

test('changes the rules for uploads and images', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Uploads and images' }).click();
  await page.getByRole('switch', { name: 'Remove location data' }).click({ force: true });
  await page.getByLabel('Largest file, in MB').fill('25');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await page.getByRole('radio', { name: 'Only presets and signed URLs' }).check();
  await page.getByLabel('Name').fill('Card');
  await page.getByLabel('Parameters').fill('w=300&fit=nowhere');
  await page.getByRole('button', { name: 'Add preset' }).click();
  await page.locator('input[aria-invalid="true"]').first().waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Name').fill('card');
  await page.getByLabel('Parameters').fill('?w=300&h=200&fit=crop');
  await page.getByRole('button', { name: 'Add preset' }).click();
  await page.getByRole('button', { name: 'Delete the preset card' }).waitFor();
  await page.getByRole('button', { name: 'Show key' }).click();
  await page.getByRole('button', { name: 'Copy signing key' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  const settings = await page.request.get(`${panel.service.url}/manage/v1${SITE}/asset-settings`);
  expect(await settings.json()).toMatchObject({ keeps_location: true, most_upload_mb: 25, image_access: 'signed' });
  await page.getByRole('radio', { name: 'Everybody' }).check();
  await page.getByText('Saved').last().waitFor();
});

test('shows small pictures on a site that allows only signed URLs', async () => {
  await page.goto(`${panel.service.url}/admin${SITE}/assets/settings`);
  await page.getByRole('radio', { name: 'Only presets and signed URLs' }).check();
  await page.getByText('Saved').waitFor();
  await page.goto(`${panel.service.url}/admin${SITE}/assets`);
  await dropFiles(page, findList(), drawPictures(1, 'Signed'));
  await findUploads().getByRole('status').getByText('1 file uploaded').waitFor();
  await findList()
    .getByRole('link', { name: /Signed 1/ })
    .scrollIntoViewIfNeeded();
  // The file itself is 160 pixels wide.
  const width = `document.querySelector('img[src*="Signed-1.png"]').naturalWidth`;
  await expect.poll(() => page.evaluate(width)).toBe(320);
  await page.goto(`${panel.service.url}/admin${SITE}/assets/settings`);
  await page.getByRole('radio', { name: 'Everybody' }).check();
  await page.getByText('Saved').waitFor();
});

test('sets the focal point on a tap, but not when a finger scrolls the page', async () => {
  const { id } = await readAsset('Picture 4');
  const phone = await panel.openAs(`${SITE}/assets/${id}`, OWNER, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const box = await phone.getByRole('img', { name: 'Picture 4', exact: true }).boundingBox();
  if (box === null) throw new Error('The picture is not shown');
  await phone.touchscreen.tap(box.x + 0.25 * box.width, box.y + 0.75 * box.height);
  const marker = phone.getByRole('button', { name: 'Focal point: 25% from the left, 75% from the top' });
  await marker.waitFor();
  const session = await phone.context().newCDPSession(phone);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const [x, y] = [box.x + 0.5 * box.width, box.y + 0.5 * box.height];
  await touch('touchStart', { x, y });
  for (let moved = 10; moved <= 60; moved += 10) await touch('touchMove', { x, y: y - moved });
  await touch('touchEnd');
  await expect.poll(() => phone.evaluate('scrollY')).toBeGreaterThan(0);
  expect(await marker.count()).toBe(1);
  await phone.context().close();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
