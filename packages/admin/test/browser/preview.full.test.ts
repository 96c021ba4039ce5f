// The preview beside the form, from setting it up to its tab, its width, and its use on a phone. The page in the preview uses only the
// fixed part of the protocol.

import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { EDITOR, findAxeFaults, type Panel } from './panel.ts';
import { callAs, savePreviewAddresses, startWebsite, type Website } from './preview-website.ts';
import { SITE, STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

let panel: Panel;
let website: Website;
let staging: Website;
let page: Page;
let shown: FrameLocator;

beforeAll(async () => {
  panel = await startWriting();
  website = await startWebsite(panel.service.url);
  staging = await startWebsite(panel.service.url);
});

afterAll(async () => {
  await panel.close();
  await website.close();
  await staging.close();
});

test('tells people where to set up previews, if they are allowed to', async () => {
  page = await panel.openAs(STORY_PATH);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const preview = page.getByRole('region', { name: 'Page preview' });
  await preview.getByRole('heading', { name: 'No preview address yet' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await preview.getByRole('link', { name: 'Set up previews' }).click();
  await page.getByRole('heading', { name: 'Preview', level: 1 }).waitFor();
  const editor = await panel.openAs(STORY_PATH, EDITOR);
  await editor.getByRole('button', { name: 'Preview', exact: true }).click();
  await editor.getByText('An owner can set the address').waitFor();
  expect(await editor.getByRole('link', { name: 'Set up previews' }).count()).toBe(0);
  await editor.context().close();
});

test('an owner adds an address, and sees the secret', async () => {
  await page.getByLabel('Name of address 1').fill('Website');
  await page.getByLabel('Address 1', { exact: true }).fill('ftp://marsh.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[aria-invalid="true"][aria-label="Address 1"]').waitFor();
  await page.getByLabel('Address 1', { exact: true }).fill(website.origin);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^gps_/).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test('replaces the secret after confirmation', async () => {
  const secret = await page.getByText(/^gps_/).innerText();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  await page.getByText('The secret was replaced.').waitFor();
  expect(await page.getByText(/^gps_/).innerText()).not.toBe(secret);
});

test('shows addresses that somebody else has changed, instead of overwriting them', async () => {
  const name = page.getByLabel('Name of address 1');
  await name.fill('My website');
  await savePreviewAddresses(page, SITE, [{ name: 'Their website', address: website.origin }]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed the addresses in the meantime').waitFor();
  expect(await name.inputValue()).toBe('Their website');
  expect(await findAxeFaults(page)).toEqual([]);
  // Replacing the secret does not change the addresses, so unsaved ones can still be saved.
  await name.fill('Website');
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  // The panel may show the message a moment before it redraws the form.
  await page.getByText('Somebody else has changed').waitFor({ state: 'hidden' });
  expect(await name.inputValue()).toBe('Website');
});

test('shows the page beside the form, without sending it a referrer', async () => {
  await page.goto(`${panel.service.url}/admin${STORY_PATH}`);
  shown = page.frameLocator('iframe');
  await shown.getByRole('heading', { name: 'Tide' }).waitFor();
  expect(website.requests.map(({ referrer }) => referrer)).toEqual([undefined, undefined]);
  expect(website.requests[0]?.path).toMatch(/^\/api\/draft\?secret=gps_[\w-]+&id=c_story$/);
});

test('shows each change before it is saved', async () => {
  await page.getByLabel('Name').fill('Tide table');
  await shown.getByRole('heading', { name: 'Tide table' }).waitFor();
  // This page did not ask for marks.
  expect(await shown.locator('body').innerText()).not.toContain('\u200b');
  await page.getByRole('button', { name: 'Add block to Sections' }).click();
  await page.getByRole('menuitem', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Add block to Parts' }).click();
  await page.getByRole('menuitem', { name: 'Quotation' }).click();
  await page.getByLabel('Words').fill('Time and tide');
  await shown.getByText('"Time and tide"').waitFor();
  await choose('Add assets to Pictures', 'Heron');
  await shown.getByText('"a_0"').waitFor();
  await choose('Add links to Related', 'Flood');
  await shown.getByText('"c_flood"').waitFor();
});

async function choose(button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Add 1' }).click();
}

test('asks the page to read the content again after a save, and does not reload a page that shows updates', async () => {
  await saveNow(page);
  const count = website.requests.length;
  const refreshes = Number(await shown.locator('output').innerText());
  expect(refreshes).toBeGreaterThan(0);
  await page.getByLabel('Name').fill('Tides');
  await page.keyboard.press('Control+s');
  await shown.getByText(`Refreshes: ${refreshes + 1}`).waitFor();
  expect(website.requests.length).toBe(count);
});

test('opens a tab that gets updates too', async () => {
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open in a new tab' }).click();
  const tab = await opening;
  await tab.getByRole('heading', { name: 'Tides' }).waitFor();
  await page.getByLabel('Name').fill('Spring tides');
  await tab.getByRole('heading', { name: 'Spring tides' }).waitFor();
  await shown.getByRole('heading', { name: 'Spring tides' }).waitFor();
  await tab.close();
});

test('opens a tab with the current secret after the secret was replaced', async () => {
  const findRequest = () => website.requests.findLast(({ path }) => path.includes('gps_'));
  const before = findRequest();
  await callAs(page, 'POST', `/sites/${SITE}/preview/rotate-secret`);
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open in a new tab' }).click();
  const tab = await opening;
  await tab.getByRole('heading', { name: 'Spring tides' }).waitFor();
  expect(findRequest()?.path).not.toBe(before?.path);
  expect(findRequest()?.referrer).toBeUndefined();
  await tab.close();
});

test('opens no tab if its URL cannot be read', async () => {
  const pages = page.context().pages().length;
  await page.route('**/preview-url?**', (route) =>
    route.fulfill({ status: 404, json: { message: 'Content not found.', code: 'content_not_found' } }),
  );
  await page.getByRole('button', { name: 'Open in a new tab' }).click();
  await page.getByText('The preview could not be opened.').waitFor();
  await expect.poll(() => page.context().pages().length).toBe(pages);
  await page.unroute('**/preview-url?**');
});

test('keeps the width that somebody chose with the keyboard or the pointer', async () => {
  const edge = page.getByRole('separator', { name: 'Width of the preview' });
  const width = async (): Promise<number> => Number(await edge.getAttribute('aria-valuenow'));
  await edge.focus();
  await page.keyboard.press('Home');
  expect(await width()).toBe(320);
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await width()).toBe(416);
  const box = await page.locator('iframe').boundingBox();
  expect(box?.width).toBeCloseTo(415, -1);
  await page.mouse.move(1280 - 416, 400);
  await page.mouse.down();
  await page.mouse.move(1280 - 500, 400, { steps: 4 });
  await page.mouse.up();
  expect(await width()).toBe(500);
  await page.reload();
  await shown.getByRole('heading', { name: 'Spring tides' }).waitFor();
  expect(await width()).toBe(500);
});

test('shows the page at the width of a device', async () => {
  const frameWidth = (): Promise<number> => shown.locator('html').evaluate('innerWidth');
  await page.locator('label', { hasText: 'Desktop' }).click();
  await expect.poll(frameWidth).toBe(1280);
  await page.locator('label', { hasText: 'Phone' }).click();
  await expect.poll(frameWidth).toBe(390);
});

test('keeps the page loaded while other tabs are open, and shows it beside the form again afterwards', async () => {
  const count = website.requests.length;
  const tabs = page.getByRole('navigation', { name: 'Views of this content' });
  await tabs.getByRole('link', { name: 'History' }).click();
  await page.locator('iframe').waitFor({ state: 'hidden' });
  await tabs.getByRole('link', { name: 'SEO' }).click();
  await page.locator('iframe').waitFor();
  await tabs.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Neap tides');
  await shown.getByRole('heading', { name: 'Neap tides' }).waitFor();
  expect(website.requests.length).toBe(count);
});

test('is shown as a tab on a phone', async () => {
  const phone = await panel.openAs(STORY_PATH, EDITOR, { viewport: { width: 390, height: 800 } });
  expect(await phone.getByRole('button', { name: 'Preview', exact: true }).isVisible()).toBe(false);
  await phone.getByLabel('Summary').fill('On a small screen');
  await phone.getByRole('navigation', { name: 'Views of this content' }).getByRole('link', { name: 'Preview' }).click();
  await phone.frameLocator('iframe').getByText('On a small screen').waitFor();
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await findAxeFaults(phone)).toEqual([]);
  await phone.context().close();
});

test('links to the published page', async () => {
  // The editor on the phone has saved another version.
  await page.reload();
  await shown.getByText('On a small screen').waitFor();
  expect(await page.locator('#content').getByRole('link', { name: 'View page' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const link = page.locator('#content').getByRole('link', { name: 'View page' });
  expect(await link.getAttribute('href')).toMatch(/^https:\/\/marsh\.example\/stories\/[\w-]+$/);
  expect(await link.getAttribute('rel')).toContain('noopener');
});

test('shows the page at the address that the user chooses, and remembers the choice', async () => {
  await savePreviewAddresses(page, SITE, [
    { name: 'Website', address: website.origin },
    { name: 'Staging', address: staging.origin },
  ]);
  // The panel's policy allows only the addresses that existed when the panel was opened.
  await page.reload();
  const address = page.getByRole('region', { name: 'Page preview' }).getByRole('combobox', { name: 'Preview address' });
  const readOrigin = (): string => new URL(page.frames()[1]?.url() ?? 'about:blank').origin;
  await expect.poll(readOrigin).toBe(website.origin);
  expect(await address.inputValue()).toBe('Website');
  await address.click();
  await page.getByRole('option', { name: 'Staging' }).click();
  await expect.poll(readOrigin).toBe(staging.origin);
  await page.getByLabel('Name').fill('High tides');
  await shown.getByRole('heading', { name: 'High tides' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await saveNow(page);
  await page.reload();
  await shown.getByRole('heading', { name: 'High tides' }).waitFor();
  expect([await address.inputValue(), readOrigin()]).toEqual(['Staging', staging.origin]);
});

test('shows the language of the content, and opens the page in it', async () => {
  await panel.service.importRecords([
    site('s_dune', { languages: ['en', 'de'] }),
    contentType('s_dune', 'post', []),
    content({ id: 'c_ebbe', site: 's_dune', content_type: 'post', language: 'de', name: 'Ebbe', fields: {} }),
  ]);
  const pattern = '{base}/api/draft?secret={secret}&id={id}&language={language}';
  await savePreviewAddresses(page, 's_dune', [{ name: 'Website', address: website.origin, pattern }]);
  await page.goto(`${panel.service.url}/admin/sites/s_dune/content/c_ebbe`);
  await shown.getByRole('heading', { name: 'Ebbe' }).waitFor();
  const bar = page.getByRole('region', { name: 'Page preview' });
  expect(await bar.getByTitle('Language: German').innerText()).toBe('German');
  expect(website.requests.filter(({ path }) => path.endsWith('&id=c_ebbe&language=de'))).toHaveLength(1);
});

test('uses the brand in the header prefix for its messages', async () => {
  const acme = await startWriting({ GALLEY_HEADER_PREFIX: 'X-ACME' });
  website.answer = ({ pathname }) =>
    pathname === '/api/draft'
      ? { redirect: `/page?panel=${encodeURIComponent(acme.service.url)}&brand=acme` }
      : undefined;
  try {
    const desk = await acme.openAs(STORY_PATH);
    await savePreviewAddresses(desk, SITE, [{ name: 'Website', address: website.origin }]);
    await desk.reload();
    await desk.getByRole('button', { name: 'Preview', exact: true }).click();
    const frame = desk.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Tide' }).waitFor();
    await desk.getByLabel('Name').fill('Tide table');
    await frame.getByRole('heading', { name: 'Tide table' }).waitFor();
    await desk.keyboard.press('Control+s');
    await frame.getByText('Refreshes: 1').waitFor();
  } finally {
    await acme.close();
    website.answer = () => undefined;
  }
});

test('an editor of the site does not see the secret in the settings', async () => {
  const editor = await panel.openAs(`/sites/${SITE}/preview`, EDITOR);
  await editor.getByRole('heading', { name: 'Not found' }).waitFor();
  const answer = await editor.evaluate<string>(`fetch('/manage/v1/sites/${SITE}/preview').then((each) => each.text())`);
  expect(answer).toContain(website.origin);
  expect(answer).not.toContain('gps_');
  await editor.context().close();
});

test('logs no errors in the browser console', () => {
  expect(
    panel.complaints.filter(
      (each) => ![website, staging].some(({ origin }) => each.startsWith(`requested ${origin}/`)),
    ),
  ).toEqual([]);
});
