// Test steps that several screens of the panel share.

import type { Page } from 'playwright-core';
import { type Client, createClient } from '../../../client/src/index.ts';

export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
}

/** Opens a path under /admin as a link in the panel does, without loading the panel again. Resolves once the page is shown. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} }).then(() => new Promise((resolve) => {
    const look = () => {
      const { status, location, resolvedLocation } = __TSR_ROUTER__.state;
      if (status === 'idle' && resolvedLocation?.href === location.href) resolve();
      else requestAnimationFrame(look);
    };
    look();
  }))`);
}

export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views of this content' }).getByRole('link', { name }).click();
}

export async function beginType(page: Page, name: string, set: () => Promise<void>): Promise<void> {
  await goTo(page, 'Content types');
  await page.getByRole('link', { name: 'New content type' }).first().click();
  await page.getByLabel('Name').fill(name);
  await set();
  await page.getByRole('button', { name: 'Create content type' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

export async function beginContent(page: Page, name: string): Promise<void> {
  await goTo(page, 'Content');
  await page.getByRole('button', { name: 'New content' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create and open' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

export async function publish(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  // Another object with the same name may have been published a moment ago.
  await page.getByText(`“${name}” was published.`).last().waitFor();
  await page.getByRole('region', { name: 'Status' }).getByText('Published', { exact: true }).waitFor();
}

/** The path and the text of the focused part of a form. */
export function readFocusedField(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement: element } = document;
    const text = element.value ?? element.textContent;
    return (element.closest('[data-path]')?.dataset.path ?? element.tagName) + ': ' + text;
  })()`);
}

interface KeyOptions {
  readonly name: string;
  readonly isPreview: boolean;
}

/** Creates a key in the panel, and returns a client that uses it. */
export async function createKey(page: Page, { name, isPreview }: KeyOptions): Promise<Client> {
  await goTo(page, 'API keys');
  await page.getByRole('link', { name: 'New API key' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Can read previews').setChecked(isPreview);
  await page.getByRole('button', { name: 'Create key' }).click();
  const code = await page.locator('figure', { hasText: 'In your code' }).locator('code').innerText();
  await page.getByRole('link', { name: 'Done' }).click();
  const setting = (member: string): string => new RegExp(`${member}: '([^']+)'`).exec(code)?.[1] ?? '';
  return createClient({
    apiURL: setting('apiURL'),
    apiKey: setting('apiKey'),
    siteId: setting('siteId'),
    isPreview,
  });
}
