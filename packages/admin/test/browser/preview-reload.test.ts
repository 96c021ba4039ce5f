// When the panel reloads the page in the preview after a save. The pages use only the fixed part of the protocol, or none of it.

import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeFaults, type Panel } from './panel.ts';
import { savePreviewAddresses, startWebsite, type Website } from './preview-website.ts';
import { SITE, STORY_PATH, startWriting, waitUntilSaved } from './writing-desk.ts';

let panel: Panel;
let website: Website;
let page: Page;
let preview: Locator;
let shown: FrameLocator;

beforeAll(async () => {
  panel = await startWriting();
  website = await startWebsite(panel.service.url);
  page = await panel.openAs(STORY_PATH);
  await savePreviewAddresses(page, SITE, [{ name: 'Website', address: website.origin }]);
  await page.reload();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  preview = page.getByRole('region', { name: 'Page preview' });
  shown = page.frameLocator('iframe');
  await shown.getByRole('heading', { name: 'Tide' }).waitFor();
});

afterAll(async () => {
  await panel.close();
  await website.close();
});

test('after each save, reloads a page that does not support the protocol, and offers a tab', async () => {
  website.answer = ({ pathname }) => (pathname === '/page' ? { html: '<h1>A page of its own</h1>' } : undefined);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await shown.getByRole('heading', { name: 'A page of its own' }).waitFor();
  await page.getByText('The page has not connected to this panel').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  const count = website.requests.length;
  await page.getByLabel('Rank').fill('3');
  await expect.poll(() => website.requests.length).toBe(count + 2);
  website.answer = () => undefined;
});

test('reloads a page that has sent `loaded` only if the page does not answer', async () => {
  const speak = (isAnswering: boolean): string => `<h1>Says loaded</h1><script>
    const post = () => parent.postMessage('loaded', ${JSON.stringify(panel.service.url)});
    post();
    addEventListener('message', ({ data }) => { if (${isAnswering} && data.message === 'service-refresh-preview') post(); });
  </script>`;
  for (const isAnswering of [false, true]) {
    website.answer = ({ pathname }) => (pathname === '/page' ? { html: speak(isAnswering) } : undefined);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await shown.getByRole('heading', { name: 'Says loaded' }).waitFor();
    const count = website.requests.length;
    await page.getByLabel('Rank').fill(isAnswering ? '5' : '4');
    await waitUntilSaved(page);
    if (!isAnswering) await expect.poll(() => website.requests.length).toBe(count + 2);
    // The next save comes after the deadline for an answer.
    await page.getByLabel('Rank').fill(isAnswering ? '7' : '6');
    await page.locator('output[data-status="changed"]').waitFor();
    await waitUntilSaved(page);
    if (isAnswering) expect(website.requests.length).toBe(count);
  }
  website.answer = () => undefined;
});

test('keeps a page whose URL cannot be read, and reloads it after the next save', async () => {
  website.answer = ({ pathname }) => (pathname === '/page' ? { html: '<h1>A page of its own</h1>' } : undefined);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await shown.getByRole('heading', { name: 'A page of its own' }).waitFor();
  await page.getByText('The page has not connected to this panel').waitFor();
  await page.route('**/preview-url?**', (route) =>
    route.fulfill({ status: 404, json: { message: 'Content not found.', code: 'content_not_found' } }),
  );
  const failing = page.waitForResponse('**/preview-url?**');
  await page.getByLabel('Rank').fill('8');
  await failing;
  await page.unroute('**/preview-url?**');
  await preview.getByText('Updates when your changes are saved').waitFor();
  const count = website.requests.length;
  await page.getByLabel('Rank').fill('9');
  await expect.poll(() => website.requests.length).toBe(count + 2);
  website.answer = () => undefined;
});

/** A page that answers every message. It announces itself at once, or when the test calls `announce`. */
const buildLivePage = (origin: string, isEarly: boolean): string => `<h1>Live page</h1><p></p><script>
  const post = (message) => parent.postMessage(message, ${JSON.stringify(origin)});
  const announce = () => {
    post('live-preview-enabled');
    post('loaded');
  };
  addEventListener('message', ({ data }) => {
    if (data.content) document.querySelector('p').textContent = JSON.parse(data.content).name;
    post('loaded');
  });
  if (${isEarly}) announce();
</script>`;

/** The panel listens for this event too, and has done so for longer. */
const WATCH_ARRIVAL = `void (window.arrival = new Promise((resolve) => {
  document.querySelector('iframe').addEventListener('load', () => resolve(), { once: true });
}))`;

test.each([
  { when: 'before', isEarly: true },
  { when: 'after', isEarly: false },
])('reloads a plain page after one that announced itself $when its load event', async ({ when, isEarly }) => {
  website.answer = ({ pathname }) => {
    if (pathname === '/front') return { html: '<h1>Front page</h1>' };
    return pathname === '/page' ? { html: buildLivePage(panel.service.url, isEarly) } : undefined;
  };
  await page.evaluate(WATCH_ARRIVAL);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.evaluate('arrival');
  if (!isEarly) await shown.locator('html').evaluate('announce()');
  await page.getByLabel('Name').fill(`Announced ${when}`);
  await shown.getByText(`Announced ${when}`).waitFor();
  await waitUntilSaved(page);
  await preview.getByText('Shows changes as you type').waitFor();
  await shown.locator('html').evaluate(`location.assign('/front')`);
  await shown.getByRole('heading', { name: 'Front page' }).waitFor();
  await preview.getByText('Updates when your changes are saved').waitFor();
  await page.getByLabel('Name').fill(`Left ${when}`);
  await shown.getByRole('heading', { name: 'Live page' }).waitFor();
  website.answer = () => undefined;
});
