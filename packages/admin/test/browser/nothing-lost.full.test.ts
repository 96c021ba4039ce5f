// Text is not lost if it is written at an inconvenient moment: during another request, when somebody signs out, in two tabs, or when
// the service changes or refuses it.

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EDITOR, findAxeFaults, OWNER, type Panel, signIn } from './panel.ts';
import { STORY_PATH, saveNow, startWriting, waitUntilSaved } from './writing-desk.ts';

const SAVES = '**/manage/v1/sites/*/content/*';
/** Browsers log each request that could not be sent or that the service refused because a different user had signed in. */
const EXPECTED = /net::ERR_(INTERNET_DISCONNECTED|FAILED)|status of 403/;
/** The service refuses to save this slug. */
const TAKEN_SLUG = 'ebb';
/** The panel tries again to save within this time. */
const LONGEST_RETRY_MS = 64_000;
const CONTENT_API = `/manage/v1${STORY_PATH}`;

let panel: Panel;
let page: Page;
let reader: BrowserContext;

beforeAll(async () => {
  panel = await startWriting();
  reader = await panel.browser.newContext();
  await signIn(reader.request, panel.service, EDITOR);
});

afterAll(() => panel.close());

describe('in one editor', () => {
  beforeAll(openEditor);

  afterAll(() => page.context().close());

  test('keeps text that is written during publishing, and does not publish it', async () => {
    await summary(page).fill('To be published');
    await saveNow(page);
    const { promise: isWritten, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/publish', async (route) => {
      await isWritten;
      await route.continue();
    });
    const asked = page.waitForRequest('**/publish');
    await page.getByRole('button', { name: /^Publish/ }).click();
    await asked;
    await summary(page).fill('Written meanwhile');
    goOn();
    await page.getByText('“Tide” was published.').waitFor();
    expect(await summary(page).inputValue()).toBe('Written meanwhile');
    await waitUntilSaved(page);
    expect(await readStored()).toMatchObject({ state: 'changed', fields: { summary: { text: 'Written meanwhile' } } });
  });

  test('reports an error on another tab of the editor, with a link to that tab', async () => {
    await page.getByRole('link', { name: 'SEO' }).click();
    await page.getByLabel('Canonical URL').fill('nowhere');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved, except SEO').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const told = page.getByRole('alert').getByRole('link', { name: /Canonical URL/ });
    await told.waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await told.click();
    await page.getByLabel('Canonical URL').fill('');
    await saveNow(page);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
  });

  test('reports HTML that the service removed', async () => {
    await page.getByRole('button', { name: 'Edit as HTML: Body' }).click();
    await page.getByRole('textbox', { name: 'Body' }).fill('<p style="color:red">Ebb</p><iframe src="x"></iframe>');
    await page.getByText('Removed from Body (not allowed): style, <iframe>, src.').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByText('Saved, except the HTML that was removed').waitFor();
    expect(await readStored()).toMatchObject({ fields: { body: { text: '<p>Ebb</p>' } } });
    await summary(page).focus();
    await page.getByRole('region', { name: 'Status' }).getByText('Saved', { exact: true }).waitFor();
  });

  test('saves the rest when the slug is taken and the name is empty, and shows both errors next to their fields', async () => {
    await page.getByLabel('Slug').fill(TAKEN_SLUG);
    await page.getByRole('form', { name: 'Content' }).getByLabel('Name').fill('');
    await summary(page).fill('Saved anyway');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved, except Name and Slug').waitFor();
    await page.getByText('“Ebb” already uses this slug.').waitFor();
    await page.getByText('Name is empty.').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(await readStored()).toMatchObject({ name: 'Tide', fields: { summary: { text: 'Saved anyway' } } });
    await summary(page).fill('And more');
    await expect.poll(readStored).toMatchObject({ fields: { summary: { text: 'And more' } } });
    await page.getByRole('form', { name: 'Content' }).getByLabel('Name').fill('Tide again');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved, except Slug').waitFor();
    await page.getByLabel('Slug').fill('tide-again');
    await saveNow(page);
    expect(await readStored()).toMatchObject({ name: 'Tide again', slug: 'tide-again' });
    await page.getByRole('form', { name: 'Content' }).getByLabel('Name').fill('Tide');
    await saveNow(page);
  });

  test('discards changes, including those that could not be saved, from a menu that stays next to the status bar', async () => {
    await panel.service.publish('s_marsh', 'c_story');
    await summary(page).fill('Saved, and then regretted');
    await saveNow(page);
    await enterTakenSlug();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Discard changes' }).waitFor();
    expect(await scrollBesideMenu()).toBe(0);
    await page.getByRole('menuitem', { name: 'Discard changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard changes?' });
    await dialog.getByText('Changes that could not be saved will be lost').waitFor();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitUntilSaved(page);
    expect(await summary(page).inputValue()).not.toContain('regretted');
    expect(await page.getByLabel('Slug').inputValue()).not.toBe(TAKEN_SLUG);
    expect(await readStored()).toMatchObject({ state: 'published' });
  });
});

describe('in a new browser', () => {
  beforeEach(async () => {
    await openEditor();
    return () => page.context().close();
  });

  test('saves the last changes before signing out, and leaves nothing in the browser', async () => {
    await summary(page).fill('Just before leaving');
    await signOut();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await countKept()).toBe(0);
    expect(await readStored()).toMatchObject({ fields: { summary: { text: 'Just before leaving' } } });
  });

  test('while text cannot be saved, does not archive the content, and asks for confirmation before signing out', async () => {
    await enterTakenSlug();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Some of your changes could not be saved, so the action was cancelled.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await readStored()).not.toMatchObject({ state: 'archived' });
    await signOut();
    const dialog = page.getByRole('dialog', { name: 'Sign out without saving?' });
    await dialog.waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Slug').inputValue()).toBe(TAKEN_SLUG);
    await signOut();
    await dialog.getByRole('button', { name: 'Sign out and discard changes' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await countKept()).toBe(0);
  });

  test('reports a failed sign-out', async () => {
    await page.route('**/manage/v1/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await signOut();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await listCookies()).toContain('galley_session');
  });

  test('restores unsaved text in a second tab only after the first is closed', async () => {
    const context = page.context();
    await context.route(SAVES, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await summary(page).fill('In the first tab');
    await page.keyboard.press('Control+s');
    await page.locator('output[data-status="offline"]').waitFor();
    const second = await context.newPage();
    await second.goto(page.url());
    await summary(second).waitFor();
    expect(await summary(second).inputValue()).not.toBe('In the first tab');
    await page.close();
    await context.unrouteAll();
    // A page that is being closed tries to save once more. The text survives whether or not that succeeds.
    await second.reload();
    await expect.poll(() => summary(second).inputValue()).toBe('In the first tab');
    await saveNow(second);
    expect(
      await second.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("galley-draft")).length'),
    ).toBe(0);
    expect(await readStored()).toMatchObject({ fields: { summary: { text: 'In the first tab' } } });
  });

  test('keeps unsaved text while the user is on another page, and saves it later', async () => {
    await page.clock.install();
    await page.route(SAVES, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await summary(page).fill('Left unsaved');
    await page.keyboard.press('Control+s');
    await page.locator('output[data-status="offline"]').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Marsh' }).waitFor();
    await page.goBack();
    await page.locator('output[data-status="offline"]').waitFor();
    expect(await summary(page).inputValue()).toBe('Left unsaved');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Marsh' }).waitFor();
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await page.unrouteAll();
    await page.clock.fastForward(LONGEST_RETRY_MS);
    await saved;
    expect(await readStored()).toMatchObject({ fields: { summary: { text: 'Left unsaved' } } });
  });

  test('does not save text as a different user who has signed in from another tab', async () => {
    const before = await readStored();
    await page.context().clearCookies();
    await signIn(page.request, panel.service, EDITOR);
    await summary(page).fill('Written by the owner');
    await page.keyboard.press('Control+s');
    await page.getByText('Your session ended. Your text is safe; sign in to continue.').waitFor();
    expect(await readStored()).toEqual(before);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your unsaved changes were restored.').waitFor();
    await waitUntilSaved(page);
    expect(await readStored()).toMatchObject({
      saved_by: { name: OWNER.name },
      fields: { summary: { text: 'Written by the owner' } },
    });
  });

  test('warns that the browser has no room for unsaved text, and asks for confirmation before leaving', async () => {
    await page.evaluate('Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }');
    await page.route(SAVES, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await summary(page).fill('Too much');
    await page.keyboard.press('Control+s');
    await page.getByText('this device is out of space: do not close this page').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unrouteAll();
    await saveNow(page);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Marsh' }).waitFor();
  });

  test('asks for confirmation before signing out if a content type has unsaved changes', async () => {
    await page.goto(`${panel.service.url}/admin/sites/s_marsh/types/story`);
    await page.getByRole('region', { name: 'General' }).getByLabel('Name').fill('Tale');
    await signOut();
    const dialog = page.getByRole('dialog', { name: 'Sign out without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await listCookies()).toContain('galley_session');
    await signOut();
    await dialog.getByRole('button', { name: 'Sign out and discard changes' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

test('logs no other errors in the browser console', () => {
  expect(panel.complaints.filter((complaint) => !EXPECTED.test(complaint))).toEqual([]);
});

async function openEditor(): Promise<void> {
  page = await panel.openAs(STORY_PATH);
  await summary(page).waitFor();
}

function summary(from: Page) {
  return from.getByRole('textbox', { name: 'Summary' });
}

/** How far an open menu moves on the screen while the page scrolls. */
function scrollBesideMenu(): Promise<unknown> {
  return page.evaluate(`(() => {
    const readTop = () => document.querySelector('[role=menu]').getBoundingClientRect().top;
    const before = readTop();
    scrollTo(0, scrollY > 0 ? 0 : 200);
    return readTop() - before;
  })()`);
}

/** Saves everything but the slug, which another page already uses. */
async function enterTakenSlug(): Promise<void> {
  await page.getByLabel('Slug').fill(TAKEN_SLUG);
  await page.keyboard.press('Control+s');
  await page.getByText('Saved, except Slug').waitFor();
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: /Olive Owner/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

async function listCookies(): Promise<readonly string[]> {
  return (await page.context().cookies()).map(({ name }) => name);
}

function countKept(): Promise<unknown> {
  return page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("galley-draft")).length');
}

/** Reads the stored content as another user. */
async function readStored(): Promise<unknown> {
  const response = await reader.request.get(`${panel.service.url}${CONTENT_API}`);
  return response.json();
}
