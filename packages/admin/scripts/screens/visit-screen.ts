// Brings a page to a screen. Whoever is signed in goes there as people do, within the panel: it is loaded once.

import type { Page } from 'playwright-core';
import type { Person } from '../furnishing/people.ts';
import type { Colleague, Screen } from './screen.ts';

/** A desk and the narrowest phone. */
export const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;

/** Where one comes from: a page of another kind, so that nothing of an earlier screen stays but what Escape closes. */
const LOBBY = '/account/password';

/** @param url of the service */
export async function visitScreen(page: Page, url: string, screen: Screen, colleague: Colleague): Promise<void> {
  const { path, stage, arrange, prepare } = screen;
  await arrange?.(colleague);
  if (stage === undefined) {
    await page.keyboard.press('Escape');
    await navigate(page, path === LOBBY ? '/sites' : LOBBY);
    await navigate(page, path);
  } else {
    await page.goto(`${url}/admin${path}`);
  }
  await page.locator('[data-page-heading]').waitFor();
  await prepare?.(page, colleague);
  // Nothing is shown as if somebody pointed at it.
  await page.mouse.move(0, 0);
  await page.evaluate(SETTLE);
}

/** All of them share the session of the first. */
export async function signIn(pages: readonly Page[], url: string, person: Person): Promise<void> {
  const [first, ...others] = pages;
  if (first === undefined) return;
  await fillIn(first, url, person);
  const cookies = await first.context().cookies();
  for (const page of others) {
    await page.context().addCookies(cookies);
    await page.goto(`${url}/admin/sites`);
    await page.locator('[data-page-heading]').waitFor();
  }
}

async function fillIn(page: Page, url: string, { email, password }: Person): Promise<void> {
  await page.goto(`${url}/admin/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
}

/** The theme of the system, which the panel follows. */
export async function changeTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
}

/** The panel's router is where its developer tools look for it. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
}

const SETTLE = `Promise.all([
  document.fonts.ready,
  ...Array.from(document.images)
    .filter((image) => image.getBoundingClientRect().top < innerHeight)
    .map((image) => image.decode().catch(() => {})),
])`;
