// Opens a screen in a page. After sign-in, it navigates within the panel as people do, so the panel is loaded only once.

import type { Page } from 'playwright-core';
import type { Person } from '../furnishing/people.ts';
import type { Colleague, Screen } from './screen.ts';

/** A desktop and the narrowest phone. */
export const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;

/** A different kind of page, opened before each screen to clear the state of the previous one. Escape closes open dialogs and menus. */
const LOBBY = '/account/password';

/** @param url the service's URL */
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
  // Prevents hover effects.
  await page.mouse.move(0, 0);
  await page.evaluate(SETTLE);
}

type Credentials = Pick<Person, 'email' | 'password'>;

/** Signs in on the first page, and shares its session with the others. */
export async function signIn(pages: readonly Page[], url: string, person: Credentials): Promise<void> {
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

async function fillIn(page: Page, url: string, { email, password }: Credentials): Promise<void> {
  await page.goto(`${url}/admin/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
}

/** Sets the system theme, which the panel follows. */
export async function changeTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();
}

/** Uses the global variable that TanStack Router provides for its devtools. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
}

const SETTLE = `Promise.all([
  document.fonts.ready,
  ...Array.from(document.images)
    .filter((image) => image.getBoundingClientRect().top < innerHeight)
    .map((image) => image.decode().catch(() => {})),
])`;
