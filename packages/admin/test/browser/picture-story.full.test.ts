// One complete workflow with pictures: an editor uploads them, sets a focal point, uses them in an article and publishes it. A front end
// reads the article and requests crops. Then the editor replaces a file, and both see the new picture.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../../client/src/index.ts';
import type { Panel } from './panel.ts';
import { createKey, goTo, publish } from './panel-steps.ts';
import { drawCells, drawPicture, drawPictures, dropFiles, pasteFiles, type TestFile } from './pictures.ts';
import { SITE, saveNow, startWriting } from './writing-desk.ts';

/** In a cell's colour, red encodes the column, blue the row, and green the file. */
const RED_STEP = 80;
const BLUE_STEP = 120;
const GREENS = { first: 0, second: 200 } as const;

const REGATTA = drawRegatta('Regatta', 'first');
const SECOND_REGATTA = drawRegatta('Regatta in the sun', 'second');
const SCREENSHOT = { ...drawPicture('', { left: [250, 120, 10], right: [10, 120, 250] }), name: 'image.png' };

/** The picture is 160 × 90 pixels, with cells of 40 × 30. Its focal point is 40% from the left and from the top. */
const FOCAL_PERCENT = 40;
/**
 * The square shows 90 of 160 columns. Centred on the focal point, it starts at column 19, and its cells start at 0, 70 and 203. A square
 * from the middle of the picture, or from its left edge, would have a different colour at one of these points.
 */
const SQUARE = { size: 'w=300&h=300', points: [35, 100, 175, 290].map((x) => [x, 150] as const) };
const SQUARE_COLUMNS = [0, 1, 1, 2];
/** The strip shows 53.3 of 90 rows and starts at row 9.3. Its cells start at 0, 38.75 and 95. */
const STRIP = { size: 'w=300&h=100', points: [25, 52, 85].map((y) => [100, y] as const) };
const STRIP_ROWS = [0, 1, 1];
/** The thumbnail shows 120 of 160 columns and starts at column 4. Its second cell starts at 96, or at 53 without the focal point. */
const THUMBNAIL_POINTS = [[75, 120]] as const;

let panel: Panel;
let page: Page;
let reader: Client;
let firstUrl: string;

beforeAll(async () => {
  panel = await startWriting();
  page = await panel.openAs(`/sites/${SITE}/assets`);
});

afterAll(() => panel.close());

test('uploads dropped pictures', async () => {
  await dropFiles(page, findList(), [...drawPictures(2), REGATTA]);
  await findUploads().getByRole('status').getByText('3 files uploaded').waitFor();
  await closeUploads();
  await expect
    .poll(() =>
      findList()
        .getByRole('link', { name: /Picture|Regatta/ })
        .count(),
    )
    .toBe(3);
});

test('sets the focal point of a picture with a click, and the thumbnail follows', async () => {
  await findRegatta().click();
  await page.getByRole('heading', { name: 'Regatta' }).waitFor();
  const box = await page.getByRole('img', { name: 'Regatta', exact: true }).boundingBox();
  if (box === null) throw new Error('The picture is not shown');
  const part = FOCAL_PERCENT / 100;
  await page.mouse.click(box.x + part * box.width, box.y + part * box.height);
  await page.getByRole('button', { name: 'Focal point: 40% from the left, 40% from the top' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await goTo(page, 'Assets');
  await expect.poll(() => readThumbnail()).toEqual([{ column: 0, row: 1, file: 'first' }]);
});

test('uses the picture in an article, pastes another one into the text, and publishes the article', async () => {
  await goTo(page, 'Content');
  await page.getByRole('link', { name: 'Tide', exact: true }).click();
  await page.getByLabel('Summary').fill('Forty boats, one buoy');
  await page.getByRole('button', { name: 'Add assets to Pictures' }).click();
  const picker = page.getByRole('dialog', { name: 'Add assets to Pictures' });
  await picker.getByRole('checkbox', { name: /Regatta/ }).check();
  await picker.getByRole('button', { name: 'Add 1' }).click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.click();
  await page.keyboard.type('At the start');
  await pasteFiles(page, [SCREENSHOT]);
  await body.getByRole('img', { name: /^Screenshot/ }).waitFor();
  await closeUploads();
  await saveNow(page);
  await publish(page, 'Tide');
});

test('lets a front end read the article, and request crops that keep the focal point in view', async () => {
  reader = await createKey(page, { name: 'Website', isPreview: false });
  const { asset, text } = await readArticle();
  expect(asset).toMatchObject({ name: 'Regatta', focal_point: { x: FOCAL_PERCENT, y: FOCAL_PERCENT } });
  firstUrl = asset.url;
  const square = await readCrop(firstUrl, SQUARE);
  expect(square).toMatchObject({ width: 300, height: 300, cacheControl: 'public, max-age=31536000, immutable' });
  expect(square.cells).toEqual(SQUARE_COLUMNS.map((column) => ({ column, row: 1, file: 'first' })));
  const strip = await readCrop(firstUrl, STRIP);
  expect(strip).toMatchObject({ width: 300, height: 100 });
  expect(strip.cells).toEqual(STRIP_ROWS.map((row) => ({ column: 1, row, file: 'first' })));

  const [, pastedUrl = ''] = /^<p>At the start<\/p><p><img src="([^"]+)" alt="Screenshot [^>]+><\/p>$/.exec(text) ?? [];
  const pasted = await fetch(pastedUrl);
  expect(pasted.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await pasted.arrayBuffer()).equals(SCREENSHOT.buffer)).toBe(true);
});

test('replaces the file, and shows the new picture in the panel', async () => {
  await page.goto(`${panel.service.url}/admin/sites/${SITE}/assets`);
  await findRegatta().click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Replace file' }).click();
  await (await chooser).setFiles([SECOND_REGATTA]);
  await page.getByText('The file was replaced.').waitFor();
  await closeUploads();
  await expect
    .poll(() => readShown(`document.querySelector('[alt="Regatta"]')`, [[20, 15]]))
    .toEqual([{ column: 0, row: 0, file: 'second' }]);
  // The new picture has the same aspect ratio, so the focal point stays the same.
  await page.getByRole('button', { name: 'Focal point: 40% from the left, 40% from the top' }).waitFor();
  await page.getByRole('region', { name: 'Used in' }).getByRole('link', { name: 'Tide' }).waitFor();
  await goTo(page, 'Assets');
  await expect.poll(() => readThumbnail()).toEqual([{ column: 0, row: 1, file: 'second' }]);
});

test('returns the URL of the new picture to front ends, and also serves that picture at the old URL', async () => {
  const { asset } = await readArticle();
  expect(asset.url).not.toBe(firstUrl);
  const cells = SQUARE_COLUMNS.map((column) => ({ column, row: 1, file: 'second' }));
  expect(await readCrop(asset.url, SQUARE)).toMatchObject({
    cells,
    cacheControl: 'public, max-age=31536000, immutable',
  });
  expect(await readCrop(firstUrl, SQUARE)).toMatchObject({ cells, cacheControl: 'public, no-cache' });
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});

function drawRegatta(name: string, file: keyof typeof GREENS): TestFile {
  const cells = [0, 1, 2].map((row) =>
    [0, 1, 2, 3].map((column) => [column * RED_STEP, GREENS[file], row * BLUE_STEP] as const),
  );
  return drawCells(name, cells);
}

function findUploads(): Locator {
  return page.getByRole('region', { name: 'Uploads' });
}

async function closeUploads(): Promise<void> {
  await findUploads().getByRole('button', { name: 'Close' }).click();
  await findUploads().waitFor({ state: 'detached' });
}

function findList(): Locator {
  return page.getByRole('list', { name: 'Assets' });
}

function findRegatta(): Locator {
  return findList().getByRole('link', { name: /^Regatta/ });
}

async function readThumbnail(): Promise<readonly object[]> {
  await findRegatta().scrollIntoViewIfNeeded();
  const link = `[...document.querySelectorAll('[aria-label="Assets"] a')].find(({ textContent }) => /^Regatta/.test(textContent))`;
  return readShown(`${link}.querySelector('img')`, THUMBNAIL_POINTS);
}

async function readArticle() {
  const { fields } = await reader.getContentBySlug('tide', 'story');
  const { pictures, body } = fields;
  if (pictures?.type !== 'assets' || body?.type !== 'text') throw new Error('The fields have other types');
  const [first] = pictures.assets;
  if (first === undefined) throw new Error('The article has no picture');
  return { asset: first.asset, text: body.text ?? '' };
}

type Points = readonly (readonly [x: number, y: number])[];

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly (readonly [red: number, green: number, blue: number])[];
}

/** Requests a crop as a reader of the website would: without cookies or a browser cache. */
async function readCrop(url: string, { size, points }: { readonly size: string; readonly points: Points }) {
  const response = await fetch(`${url}?fit=crop&${size}`);
  const bytes = Buffer.from(await response.arrayBuffer()).toString('base64');
  const file = `new Blob([Uint8Array.from(atob('${bytes}'), (character) => character.charCodeAt(0))])`;
  const { width, height, colours } = await readPixels(file, points);
  return { width, height, cells: colours.map(nameCell), cacheControl: response.headers.get('cache-control') };
}

/**
 * The cells visible in an image on the page.
 * @param element an expression that returns the image when it is evaluated on the page
 */
async function readShown(element: string, points: Points): Promise<readonly object[]> {
  const { colours } = await readPixels(element, points);
  return colours.map(nameCell);
}

/** @param source an expression to evaluate on the page: a picture that is shown there, or a file */
function readPixels(source: string, points: Points): Promise<Pixels> {
  return page.evaluate<Pixels>(`(async (source) => {
    await source.decode?.();
    const bitmap = await createImageBitmap(source);
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const colours = ${JSON.stringify(points)}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
    return { width, height, colours };
  })(${source})`);
}

function nameCell([red, green, blue]: Pixels['colours'][number]): object {
  const file = green < GREENS.second / 2 ? 'first' : 'second';
  return { column: Math.round(red / RED_STEP), row: Math.round(blue / BLUE_STEP), file };
}
