// Small obstacles to writing: messages that cover buttons, and fields that are hard to read on a phone.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER, type Panel } from './panel.ts';
import { drawPictures, dropFiles } from './pictures.ts';
import { SITE, STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

let panel: Panel;
const pages = new Map<number, Page>();

beforeAll(async () => {
  panel = await startWriting();
  for (const viewport of [DESKTOP, PHONE]) pages.set(viewport.width, await panel.openAs('/sites', OWNER, { viewport }));
});

afterAll(() => panel.close());

test.each([DESKTOP, PHONE])("does not cover the editor's buttons with a toast at $width px", async (viewport) => {
  const page = await open(STORY_PATH, viewport);
  await page.getByRole('textbox', { name: 'Summary' }).fill(`Seen at ${viewport.width} px`);
  await saveNow(page);
  const scrolled = await page.evaluate('scrollY');
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expectClear(page, page.getByRole('region', { name: 'Status', exact: true }).getByRole('button'));
  expect(await page.evaluate('scrollY')).toBe(scrolled);
});

test.each([DESKTOP, PHONE])('does not cover the pressed button with a toast at $width px', async (viewport) => {
  const page = await open(`/sites/${SITE}/settings`, viewport);
  await page.getByLabel('Name').fill(`Marsh ${viewport.width}`);
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expectClear(page, save);
});

test('does not cover an open menu with a toast', async () => {
  const page = await open(STORY_PATH, DESKTOP);
  await page.getByRole('textbox', { name: 'Summary' }).fill('Seen beside a menu');
  await saveNow(page);
  await page.getByRole('button', { name: /^Publish/ }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).waitFor();
  const covered = await page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('[role="menuitem"]')].filter((item) => {
      const { left, width, top, height } = item.getBoundingClientRect();
      return !item.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }).map((item) => item.textContent)`);
  expect(covered).toEqual([]);
  expect(await page.getByRole('alert').count()).toBe(1);
});

test.each([DESKTOP, PHONE])('does not cover the list of uploads with a toast at $width px', async (viewport) => {
  const page = await open(STORY_PATH, viewport);
  await dropFiles(page, page.getByRole('group', { name: 'Pictures', exact: true }), drawPictures(1));
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await uploads.getByRole('button', { name: 'Close' }).waitFor();
  await saveNow(page);
  await page.getByRole('textbox', { name: 'Summary' }).fill(`Uploaded at ${viewport.width} px`);
  await saveNow(page);
  await page.getByRole('button', { name: /^Publish/ }).click();
  const toast = await expectApart(page, uploads);
  expect(toast?.y).toBeGreaterThan(0);
  await uploads.getByRole('button', { name: 'Close' }).click();
  await uploads.waitFor({ state: 'detached' });
  await expectClear(page, page.getByRole('region', { name: 'Status', exact: true }).getByRole('button'));
});

/** Loads the panel again in the browser of this size, without the messages of earlier tests. */
async function open(path: string, { width }: typeof DESKTOP): Promise<Page> {
  const page = pages.get(width);
  if (page === undefined) throw new Error(`No browser is ${width} px wide`);
  await page.goto(`${panel.service.url}/admin${path}`);
  return page;
}

async function expectClear(page: Page, buttons: Locator): Promise<void> {
  const covered = await expectApart(page, buttons);
  expect(covered?.y).toBeGreaterThan((page.viewportSize()?.height ?? 0) / 2);
}

/** Waits for the toast and compares the positions. */
async function expectApart(page: Page, parts: Locator): Promise<Box | null> {
  const toast = page.getByRole('alert');
  await toast.waitFor();
  const covered = await toast.boundingBox();
  const places = await Promise.all((await parts.all()).map((part) => part.boundingBox()));
  expect(places.length).toBeGreaterThan(0);
  expect(covered).not.toBeNull();
  for (const place of places) expect(place !== null && covered !== null && overlap(place, covered)).toBe(false);
  return covered;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

test.each([
  ['the editor', STORY_PATH, 'Summary'],
  ['a list with filters', `/sites/${SITE}/content`, 'Search'],
  ['a form', '/sites/new', 'Name'],
])('uses 16 px text in the fields of %s, so phones do not zoom in', async (_where, path, label) => {
  const page = await open(path, PHONE);
  await page.getByLabel(label).first().waitFor();
  if (path === STORY_PATH) await page.locator('.ProseMirror').waitFor();
  const sizes = await page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('select, textarea, [contenteditable], [contenteditable] p, input')]
      .filter(({ type }) => !['checkbox', 'radio', 'hidden'].includes(type))
      .map((field) => getComputedStyle(field).fontSize)`);
  expect(new Set(sizes)).toEqual(new Set(['16px']));
});

test.each([DESKTOP, PHONE])('centres text in single-line fields at $width px', async (viewport) => {
  const page = await open(STORY_PATH, viewport);
  const summary = page.getByRole('textbox', { name: 'Summary' });
  await summary.fill('One line');
  const box = await page.evaluate<{ readonly middle: number; readonly height: number }>(`(() => {
    const field = document.activeElement;
    const { paddingTop, lineHeight, borderTopWidth } = getComputedStyle(field);
    const middle = parseFloat(borderTopWidth) + parseFloat(paddingTop) + parseFloat(lineHeight) / 2;
    return { middle, height: field.getBoundingClientRect().height };
  })()`);
  expect(Math.abs(box.middle - box.height / 2)).toBeLessThan(0.5);
  // The field is as tall as the others.
  const slug = await page.getByLabel('Slug').boundingBox();
  expect(Math.abs(box.height - (slug?.height ?? 0))).toBeLessThan(1);
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
