import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, type RunningServer, startServer } from '../support/galley-command.ts';
import { launchBrowser } from './launch-browser.ts';

describe('the API explorer in a fresh demo', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let server: RunningServer;
  let browser: Browser;
  let page: Page;
  const foreign: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await makeFolder();
    server = await startServer({ cwd: folder.path });
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) foreign.push(request.url());
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

  test('sends no requests to other hosts', () => {
    expect(foreign).toEqual([]);
  });

  test('logs no errors in the browser console except for the rejected request', () => {
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});
