// A hostile page in the preview learns nothing and changes nothing. To test the panel's own protection, most tests run without its content
// security policy, which already blocks pages from other addresses.

import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER, type Panel } from './panel.ts';
import { savePreviewAddresses, startWebsite, type Website } from './preview-website.ts';
import { SITE, STORY, STORY_PATH, saveNow, startWriting } from './writing-desk.ts';

let panel: Panel;
let website: Website;
let stranger: Website;
let page: Page;
let shown: FrameLocator;

/** Posts every message in the protocol to the panel, whatever the panel's origin, and keeps all messages that arrive. */
const TRAP = `<h1>Trap</h1><script>
  const received = [];
  addEventListener('message', ({ data }) => received.push(data));
  const target = window.opener ?? window.top;
  const attack = () => {
    for (const message of ['live-preview-enabled', 'live-preview-init', 'loaded']) target.postMessage(message, '*');
    target.postMessage({ message: 'service-live-preview', marks: true }, '*');
    for (const id of ['${STORY}', 'c_flood', 'a_1']) {
      target.postMessage({ message: 'service-edit-field', id, path: 'fields.summary', language: 'en' }, '*');
    }
  };
  attack();
  setInterval(attack, 200);
</script>`;

beforeAll(async () => {
  panel = await startWriting();
  website = await startWebsite(panel.service.url);
  stranger = await startWebsite(panel.service.url);
  stranger.answer = () => ({ html: TRAP });
  page = await panel.openAs(STORY_PATH, OWNER, { bypassCSP: true });
  await savePreviewAddresses(page, SITE, [{ name: 'Website', address: website.origin }]);
  await page.reload();
  shown = page.frameLocator('iframe');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await shown.getByRole('heading', { name: 'Tide' }).waitFor();
});

afterAll(async () => {
  await panel.close();
  await website.close();
  await stranger.close();
});

/** Types something, and waits until everything is saved. A page that gets messages would have got some by then. */
async function write(name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await saveNow(page);
}

test('the policy blocks a page that redirects to another website', async () => {
  const guarded = await panel.openAs(STORY_PATH);
  website.answer = ({ pathname }) => (pathname === '/api/draft' ? { redirect: `${stranger.origin}/trap` } : undefined);
  await guarded.getByRole('button', { name: 'Preview', exact: true }).click();
  await guarded.getByText(`The preview no longer shows ${website.origin}`).waitFor();
  expect(stranger.requests).toEqual([]);
  website.answer = () => undefined;
  await guarded.getByRole('button', { name: 'Go back to the page' }).click();
  await guarded.frameLocator('iframe').getByRole('heading', { name: 'Tide' }).waitFor();
  await guarded.context().close();
});

test('a page on another website gets no messages, and those that it posts change nothing', async () => {
  await page.getByLabel('Name').focus();
  await shown.locator('html').evaluate(`location.href = ${JSON.stringify(`${stranger.origin}/trap`)}`);
  await page.getByText(`The preview no longer shows ${website.origin}`).waitFor();
  await write('Written for nobody');
  expect(await shown.locator('html').evaluate('received')).toEqual([]);
  expect(await page.evaluate('document.activeElement.dataset.path')).toBe('name');
  expect(await page.getByText('This text belongs to').count()).toBe(0);
  await page.getByRole('button', { name: 'Go back to the page' }).click();
  await shown.getByRole('heading', { name: 'Written for nobody' }).waitFor();
});

test('messages from a frame in the page do not count as the page’s', async () => {
  const inner = `<h1>Inner</h1><iframe src="${stranger.origin}/trap"></iframe>`;
  website.answer = ({ pathname }) => (pathname === '/page' ? { html: inner } : undefined);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  const trap = shown.frameLocator('iframe');
  await trap.getByRole('heading', { name: 'Trap' }).waitFor();
  await write('Written beside a trap');
  expect(await trap.locator('html').evaluate('received')).toEqual([]);
  expect(await page.getByText('This text belongs to').count()).toBe(0);
  // The page itself has sent no message.
  await page.getByText('The page has not connected to this panel').waitFor();
});

test('a tab that was navigated to another website gets no messages', async () => {
  website.answer = () => undefined;
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await shown.getByRole('heading', { name: 'Written beside a trap' }).waitFor();
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open in a new tab' }).click();
  const tab = await opening;
  await tab.getByRole('heading', { name: 'Written beside a trap' }).waitFor();
  await tab.evaluate(`location.href = ${JSON.stringify(`${stranger.origin}/trap`)}`);
  await tab.getByRole('heading', { name: 'Trap' }).waitFor();
  await write('Written without a tab');
  await shown.getByRole('heading', { name: 'Written without a tab' }).waitFor();
  expect(await tab.evaluate('received')).toEqual([]);
  expect(await page.getByText('This text belongs to').count()).toBe(0);
  await tab.close();
});

test('a tab cannot read the panel; it can navigate the panel to another website, but nothing is lost', async () => {
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open in a new tab' }).click();
  const tab = await opening;
  await tab.getByRole('heading', { name: 'Written without a tab' }).waitFor();
  await write('Written before the tab attacks');
  const address = page.url();
  const results = await tab.evaluate(`[
    () => opener.document.title,
    () => opener.localStorage.length,
    () => opener.location.href,
    () => opener.document.querySelector('iframe').src,
    () => document.referrer,
  ].map((attempt) => {
    try {
      return String(attempt());
    } catch (error) {
      return error.name;
    }
  })`);
  expect(results).toEqual(['SecurityError', 'SecurityError', 'SecurityError', 'SecurityError', '']);
  await tab.evaluate(`opener.location.href = ${JSON.stringify(`${stranger.origin}/trap`)}`);
  await page.getByRole('heading', { name: 'Trap' }).waitFor();
  await tab.close();
  await page.goto(address);
  await shown.getByRole('heading', { name: 'Written before the tab attacks' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Written before the tab attacks');
});

test('a page at the right address cannot navigate the panel, read it, or open anything without a click', async () => {
  const address = page.url();
  const result = await shown.locator('html').evaluate(`(async () => {
    const results = [];
    const attempt = (run) => {
      try {
        results.push(String(run()));
      } catch (error) {
        results.push(error.name);
      }
    };
    attempt(() => top.document.title);
    attempt(() => top.localStorage.length);
    attempt(() => { top.location.href = ${JSON.stringify(`${stranger.origin}/trap`)}; return 'navigated'; });
    attempt(() => document.referrer);
    const post = (message) => parent.postMessage(message, '*');
    const edit = (parts) => post({ message: 'service-edit-field', id: '${STORY}', path: 'name', ...parts });
    for (const value of [null, 1, '', [], {}, { message: null }, { message: 'service-update-content', content: '{}' }]) post(value);
    for (const id of ['', '../users', 'c_flood/history', 'x'.repeat(1e6), { toString: 'c' }, null]) edit({ id });
    for (const path of ['', '__proto__', '"] *', 'fields.' + 'a.'.repeat(1e5), 'javascript:alert(1)', null]) edit({ path });
    for (let count = 0; count < 500; count += 1) edit({ id: 'c_flood', path: 'fields.summary' });
    return results;
  })()`);
  expect(result).toEqual(['SecurityError', 'SecurityError', 'SecurityError', '']);
  await page.getByText('This text belongs to other content').waitFor();
  expect(await page.getByText('This text belongs to other content').count()).toBe(1);
  expect(page.url()).toBe(address);
  await write('Written all the same');
  await shown.getByRole('heading', { name: 'Written all the same' }).waitFor();
});

test('the secret is neither in the address bar nor in anything that the browser stores', async () => {
  expect(page.url()).not.toContain('gps_');
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('gps_');
});
