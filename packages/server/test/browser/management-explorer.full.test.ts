import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSetUpToken } from '../../src/authoring/people/set-up.ts';
import { MANAGEMENT_ROUTES } from '../../src/management/routes.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { type BrowserShare, shareBrowser } from './launch-browser.ts';

describe('the management API explorer', () => {
  let manager: Manager;
  let browser: BrowserShare;
  let page: Page;
  const foreign: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    manager = await startManager();
    browser = await shareBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(manager.service.url) && !request.url().startsWith('data:')) {
        foreign.push(request.url());
      }
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${manager.service.url}/manage/docs`);
    await page.locator('.opblock-tag').first().waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await manager.close();
  });

  test("shows the API's name as its title, and one group per resource", async () => {
    expect(await page.locator('.info .title').innerText()).toContain('Galley management API');
    const groups = await page.locator('.opblock-tag').evaluateAll((all) => all.map((tag) => tag.dataset.tag));
    expect(new Set(groups)).toEqual(new Set(MANAGEMENT_ROUTES.map(({ tag }) => tag)));
  });

  test('sends requests with the pasted token and shows the response', async () => {
    await page.locator('#token').fill(manager.owner);
    const operation = await openOperation(page, 'Account', 'getAccount');
    await operation.locator('.execute').click();
    expect(await readStatus(operation)).toMatch(/^200/);
    expect(await operation.locator('.live-responses-table pre').first().innerText()).toContain('"o_main"');
  });

  test('sends the request body as edited', async () => {
    const operation = await openOperation(page, 'Account', 'updateAccount');
    await operation.locator('.body-param__text').fill('{"name": "Named in the explorer"}');
    await operation.locator('.execute').click();
    expect(await readStatus(operation)).toMatch(/^200/);
    expect(await manager.call('GET', '/account')).toMatchObject({ body: { name: 'Named in the explorer' } });
  });

  test('shows the error for a wrong token', async () => {
    await page.locator('#token').fill('gm_wrong');
    const operation = page.locator('#operations-Account-getAccount');
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table').getByText('Unauthenticated.').first().waitFor();
    expect(await readStatus(operation)).toMatch(/^401/);
  });

  test("sends requests with the browser's session, and adds its CSRF token to those that change data", async () => {
    const signedIn = await browser.newPage();
    const owner = { email: 'owner@galley.example', name: 'Olive Owner', password: 'correct horse battery staple' };
    await signedIn.request.post(`${manager.service.url}/manage/v1/setup`, {
      data: { ...owner, token: buildSetUpToken(manager.service.storage) },
    });
    await signedIn.goto(`${manager.service.url}/manage/docs`);
    await signedIn.getByText('You are signed in as Olive Owner').waitFor();
    const operation = await openOperation(signedIn, 'Account', 'updateAccount');
    await operation.locator('.body-param__text').fill('{"name": "Named by session"}');
    await operation.locator('.execute').click();
    expect(await readStatus(operation)).toMatch(/^200/);
    expect(await manager.call('GET', '/account')).toMatchObject({ body: { name: 'Named by session' } });
    await signedIn.close();
  });

  test('links to the content API explorer and back', async () => {
    const other = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await other.goto(`${manager.service.url}/manage/docs`);
    await other.getByRole('link', { name: 'Content API' }).click();
    await other.locator('#operations-Content-listContent').waitFor();
    await other.getByRole('link', { name: 'Management API' }).click();
    await other.locator('.opblock-tag').first().waitFor();
    expect(new URL(other.url()).pathname).toBe('/manage/docs');
    // No element is wider than a phone screen.
    expect(await other.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await other.close();
  });

  test('sends no requests to other hosts', () => {
    expect(foreign).toEqual([]);
  });

  test('logs no errors in the browser console except for the rejected request', () => {
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});

async function openOperation(page: Page, tag: string, id: string): Promise<Locator> {
  const operation = page.locator(`#operations-${tag}-${id}`);
  if (!(await operation.isVisible())) await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

async function readStatus(operation: Locator): Promise<string> {
  const status = operation.locator('.live-responses-table tbody .response-col_status').first();
  await status.waitFor();
  return status.innerText();
}
