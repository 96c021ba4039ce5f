// Tests in which cases the panel reloads the page in the preview after a save. The pages use only the fixed part of the protocol, or none
// of it.

import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeFaults, type Panel } from './panel.ts';
import { savePreviewAddresses, startWebsite, type Website } from './preview-website.ts';
import { SITE, STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

/** The panel waits two seconds for an answer to a refresh. */
const PAST_DEADLINE_MS = 2_500;
/** After this time without a message from the page, the panel says so. */
const SILENCE_MS = 4_000;

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
  // Time passes as usual until a test advances the clock. The clock has to be installed before the panel starts any timer.
  await page.clock.install();
  await page.reload();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  preview = page.getByRole('region', { name: 'Page preview' });
  shown = page.frameLocator('iframe');
  await shown.getByRole('heading', { name: 'Tide' }).waitFor();
});

/** Changes a value and saves it. */
async function change(rank: string): Promise<void> {
  await page.getByLabel('Rank').fill(rank);
  await page.keyboard.press('Control+s');
}

afterAll(async () => {
  await panel.close();
  await website.close();
});

test('after each save, reloads a page that does not support the protocol, and offers a tab', async () => {
  website.answer = ({ pathname }) => (pathname === '/page' ? { html: '<h1>A page of its own</h1>' } : undefined);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await shown.getByRole('heading', { name: 'A page of its own' }).waitFor();
  await page.clock.fastForward(SILENCE_MS);
  await page.getByText('The page has not connected to this panel').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  const count = website.requests.length;
  await change('3');
  await expect.poll(() => website.requests.length).toBe(count + 2);
  website.answer = () => undefined;
});

/**
 * A page that has not announced itself. It counts the refresh messages, and answers each one if `isAnswering` is true. Then it sends a
 * message to the test.
 */
const buildMountedPage = (origin: string, heading: string, isAnswering: boolean): string => `<h1>${heading}</h1>
<p>Refreshes: <output>0</output></p>
<script>
  const post = (message) => parent.postMessage(message, ${JSON.stringify(origin)});
  addEventListener('message', ({ data }) => {
    if (data.message !== 'service-refresh-preview') return;
    document.querySelector('output').value++;
    if (${isAnswering}) post('loaded');
    post('refreshed');
  });
  post('loaded');
</script>`;

/** Messages arrive in order, and the panel started listening before the test did, so it has already received the page's answer, if any. */
const WATCH_REFRESH = `void (window.refreshed = new Promise((resolve) => {
  addEventListener('message', ({ data }) => data === 'refreshed' && resolve());
}))`;

/**
 * Opens a page that has not announced itself, saves a change, and waits until the deadline for the answer has passed.
 * @returns the number of requests before the change
 */
async function passDeadline(heading: string, isAnswering: boolean, rank: string): Promise<number> {
  const html = buildMountedPage(panel.service.url, heading, isAnswering);
  website.answer = ({ pathname }) => (pathname === '/page' ? { html } : undefined);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await shown.getByRole('heading', { name: heading }).waitFor();
  const count = website.requests.length;
  await page.evaluate(WATCH_REFRESH);
  await change(rank);
  await page.evaluate('refreshed');
  await page.clock.fastForward(PAST_DEADLINE_MS);
  return count;
}

test('reloads a page that has sent `loaded` but does not answer', async () => {
  const count = await passDeadline('Does not answer', false, '4');
  await expect.poll(() => website.requests.length).toBe(count + 2);
  website.answer = () => undefined;
});

test('keeps a page that has sent `loaded` and answers', async () => {
  const count = await passDeadline('Answers', true, '5');
  await change('6');
  // A page that had been reloaded would count from 0 again.
  await shown.getByText('Refreshes: 2').waitFor();
  expect(website.requests.length).toBe(count);
  website.answer = () => undefined;
});

test('keeps a page whose URL cannot be read, and reloads it after the next save', async () => {
  website.answer = ({ pathname }) => (pathname === '/page' ? { html: '<h1>A page of its own</h1>' } : undefined);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await shown.getByRole('heading', { name: 'A page of its own' }).waitFor();
  await page.clock.fastForward(SILENCE_MS);
  await page.getByText('The page has not connected to this panel').waitFor();
  await page.route('**/preview-url?**', (route) =>
    route.fulfill({ status: 404, json: { message: 'Content not found.', code: 'content_not_found' } }),
  );
  const failing = page.waitForResponse('**/preview-url?**');
  await change('8');
  await failing;
  await page.unroute('**/preview-url?**');
  await preview.getByText('Updates when your changes are saved').waitFor();
  const count = website.requests.length;
  await change('9');
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

/** The panel also listens for this event, and started before the test did, so it is notified first. */
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
  await saveNow(page);
  await preview.getByText('Shows changes as you type').waitFor();
  await shown.locator('html').evaluate(`location.assign('/front')`);
  await shown.getByRole('heading', { name: 'Front page' }).waitFor();
  await preview.getByText('Updates when your changes are saved').waitFor();
  await page.getByLabel('Name').fill(`Left ${when}`);
  await page.keyboard.press('Control+s');
  await shown.getByRole('heading', { name: 'Live page' }).waitFor();
  website.answer = () => undefined;
});
