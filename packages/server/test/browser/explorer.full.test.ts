import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IMAGE_PARAMETERS } from '../../src/images/image-parameters.ts';
import { makeFolder, type RunningServer, startServer } from '../support/galley-command.ts';
import { type BrowserShare, shareBrowser } from './launch-browser.ts';

describe('the API explorer in a fresh demo', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let server: RunningServer;
  let browser: BrowserShare;
  let page: Page;
  const foreign: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await makeFolder();
    server = await startServer({ cwd: folder.path });
    browser = await shareBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    // Opens the explorer through the link that a person would click.
    await page.goto(server.url);
    await page.getByRole('link', { name: 'API explorer' }).first().click();
    await page.locator('.opblock').first().waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await server.stop();
    await folder[Symbol.asyncDispose]();
  });

  test('has the demo key and site filled in', async () => {
    expect(await page.locator('#site-id').inputValue()).toBe('s_demo');
    expect(server.printed).toContain(await page.locator('#api-key').inputValue());
  });

  test('lists content with one click', async () => {
    const operation = page.locator('#operations-Content-listContent');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    const row = operation.locator('.live-responses-table tbody .response-col_status').first();
    await row.waitFor();
    expect(await row.innerText()).toMatch(/^200/);
    expect(await operation.locator('.live-responses-table pre').first().innerText()).toContain('"data"');
  });

  test('shows the error for a wrong key', async () => {
    await page.locator('#api-key').fill('gk_wrong');
    const operation = page.locator('#operations-Content-listContent');
    await operation.locator('.execute').click();
    await operation.getByText('Unauthenticated.').first().waitFor();
    expect(await operation.locator('.live-responses-table tbody .response-col_status').first().innerText()).toMatch(
      /^401/,
    );
  });

  describe('the page about images', () => {
    const query = () => page.getByRole('textbox', { name: 'Parameters' });

    beforeAll(async () => {
      await page.getByRole('link', { name: 'Images', exact: true }).click();
      await page.getByText(/^(AVIF|WEBP) · 640 × \d+ · [\d.]+ kB · /).waitFor();
    });

    test('shows the demo pictures', async () => {
      const pictures = page.getByRole('group', { name: 'Pictures of this site' }).getByRole('button');
      expect(await pictures.count()).toBeGreaterThan(5);
      const path = await page.locator('#path').innerText();
      await pictures.nth(1).click();
      await expect.poll(() => page.locator('#path').innerText()).not.toBe(path);
      expect(await pictures.nth(1).getAttribute('aria-pressed')).toBe('true');
    });

    test('shows the effect of the parameters, or the reason why they were rejected', async () => {
      await query().fill('?fit=crop&w=120&h=80&fm=png');
      await page.getByText(/^PNG · 120 × 80 · /).waitFor();
      await query().fill('w=0');
      await page.getByText('422 The w parameter is "0"; it must be a whole number from 1 to 8192.').waitFor();
      await query().fill('');
      await page.getByText(/^(JPEG|PNG) · \d+ × \d+ · /).waitFor();
    });

    test('has examples that work and can be changed', async () => {
      const examples = await page.locator('.example').all();
      expect(examples.length).toBeGreaterThan(10);
      for (const [index, example] of examples.entries()) {
        await example.scrollIntoViewIfNeeded();
        const isShown = `document.querySelectorAll('.example img')[${index}].naturalWidth > 0`;
        await expect.poll(() => page.evaluate(isShown), { message: await example.innerText() }).toBe(true);
      }
      await page.getByRole('button', { name: /^Square/ }).click();
      expect(await query().inputValue()).toBe('fit=crop&w=300&h=300');
      await page.getByText(/^(JPEG|PNG) · 300 × 300 · /).waitFor();
    });

    test('lists all parameters', async () => {
      const rows = page.getByRole('row');
      expect(await rows.filter({ hasText: 'greyscale' }).innerText()).toMatch(/filt\s+greyscale, sepia\s+Changes/);
      expect(await rows.count()).toBe(1 + IMAGE_PARAMETERS.size);
    });

    test('fits on a phone that is 360 px wide', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  });

  test('sends no requests to other hosts', () => {
    expect(foreign).toEqual([]);
  });

  test('logs no errors in the browser console except for the rejected requests', () => {
    expect(complaints.filter((text) => !/status of (401|422)/.test(text))).toEqual([]);
  });
});
