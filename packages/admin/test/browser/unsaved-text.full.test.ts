import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDITOR, findAxeFaults, type Panel } from './panel.ts';
import { STORY_PATH, saveNow, startWriting, waitUntilSaved } from './writing-desk.ts';

const SAVES = '**/manage/v1/sites/*/content/*';
/** Browsers log each request that could not be sent. */
const LOST = /net::ERR_(INTERNET_DISCONNECTED|FAILED)/;

let panel: Panel;

beforeAll(async () => {
  panel = await startWriting();
});

afterAll(() => panel.close());

test('restores unsaved text after a reload', async () => {
  const page = await panel.openAs(STORY_PATH);
  await page.getByLabel('Summary').waitFor();
  await page.route(SAVES, refuseSaves);
  await page.getByLabel('Summary').fill('In the middle of');
  await page.locator('output:not([data-status="saved"])').waitFor();
  // Simulates a crash. A page that is closed normally still sends its last save, which bypasses the route above.
  await page.evaluate("window.addEventListener('visibilitychange', (event) => event.stopImmediatePropagation(), true)");
  await page.reload();
  await page.unroute(SAVES, refuseSaves);
  expect(await page.getByLabel('Summary').inputValue()).toBe('In the middle of');
  await page.getByText('Your unsaved changes were restored.').waitFor();
  await waitUntilSaved(page);
  expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("galley-draft")).length')).toBe(
    0,
  );
  await page.context().close();
});

test('keeps text while offline and saves it when the connection is back', async () => {
  const page = await panel.openAs(STORY_PATH);
  await page.getByLabel('Summary').fill('Before the storm');
  await saveNow(page);
  await page.context().setOffline(true);
  await page.getByLabel('Summary').fill('In the storm');
  await page.getByText('Offline: changes kept on this device').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Name').fill('Storm tide');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Not published. You are offline. Your changes are kept on this device.').waitFor();
  await page.context().setOffline(false);
  await waitUntilSaved(page);
  const other = await panel.openAs(STORY_PATH, EDITOR);
  expect(await other.getByLabel('Summary').inputValue()).toBe('In the storm');
  expect(await other.getByLabel('Name').inputValue()).toBe('Storm tide');
  await page.context().close();
  await other.context().close();
});

test('says that nothing was published while offline, even if everything is saved', async () => {
  const page = await panel.openAs(STORY_PATH);
  await page.getByLabel('Summary').fill('After the storm');
  await saveNow(page);
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await page.context().setOffline(true);
  await publish.click();
  await page
    .getByText('The service cannot be reached. Nothing was changed. Try again when you are back online.')
    .waitFor();
  await page.getByRole('region', { name: 'Status' }).getByText('Draft', { exact: true }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.context().setOffline(false);
  await publish.click();
  await page.getByText('“Storm tide” was published.').waitFor();
  await page.context().close();
});

test('shows the parts that both editors changed, and saves the version that the second editor chooses', async () => {
  const olive = await panel.openAs(STORY_PATH);
  const edgar = await panel.openAs(STORY_PATH, EDITOR);
  await edgar.getByLabel('Summary').waitFor();
  await olive.getByLabel('Summary').fill('Olive was here');
  await olive.getByRole('textbox', { name: 'Body' }).click();
  await olive.getByRole('button', { name: 'Bold' }).last().click();
  await olive.keyboard.type('Olive in bold');
  await olive.getByLabel('Rank').fill('7');
  await saveNow(olive);
  await edgar.getByRole('textbox', { name: 'Body' }).fill('Edgar was here, too');
  await edgar.getByLabel('Summary').fill('Edgar was here');
  await edgar.getByLabel('Name').fill('Spring tide');
  await edgar.keyboard.press('Control+s');
  await edgar.getByRole('region', { name: 'Olive Owner changed the same parts as you' }).waitFor();
  const bar = edgar.getByRole('region', { name: 'Status' });
  await bar.getByText(/^Not saved yet: Olive Owner also changed (Summary and Body|Body and Summary)$/).waitFor();
  await edgar.evaluate('scrollTo(0, document.body.scrollHeight)');
  await bar.getByRole('button', { name: 'Choose what to keep' }).click();
  const choice = edgar.getByRole('radiogroup', { name: 'Summary' });
  await choice.getByRole('radio', { name: 'Yours' }).and(edgar.locator(':focus')).waitFor();
  expect(await edgar.evaluate('document.getElementById("contest").getBoundingClientRect().top')).toBeLessThan(200);
  await edgar.getByRole('radiogroup', { name: 'Body' }).locator('strong', { hasText: 'Olive in bold' }).waitFor();
  await choice.getByText('Olive was here').waitFor();
  await choice.getByText('Edgar was here').waitFor();
  expect(await findAxeFaults(edgar)).toEqual([]);
  await choice.getByRole('radio', { name: 'Theirs' }).check();
  await edgar.getByRole('button', { name: 'Save this choice' }).click();
  await waitUntilSaved(edgar);
  expect(await edgar.getByRole('textbox', { name: 'Summary' }).inputValue()).toBe('Olive was here');
  await olive.reload();
  expect(await olive.getByLabel('Name').inputValue()).toBe('Spring tide');
  expect(await olive.getByLabel('Summary').inputValue()).toBe('Olive was here');
  expect(await olive.getByLabel('Rank').inputValue()).toBe('7');
  await olive.context().close();
  await edgar.context().close();
});

test("merges two editors' changes to different fields", async () => {
  const olive = await panel.openAs(STORY_PATH);
  const edgar = await panel.openAs(STORY_PATH, EDITOR);
  await edgar.getByLabel('Rank').waitFor();
  await olive.getByLabel('Rank').fill('8');
  await saveNow(olive);
  await edgar.getByLabel('Name').fill('Neap tide');
  await edgar.keyboard.press('Control+s');
  await edgar.getByText('Olive Owner changed other parts of this content while you were writing.').waitFor();
  await waitUntilSaved(edgar);
  expect(await edgar.getByLabel('Rank').inputValue()).toBe('8');
  expect(await edgar.getByLabel('Name').inputValue()).toBe('Neap tide');
});

test('publishes using only the keyboard', async () => {
  const page = await panel.openAs(STORY_PATH);
  await page.getByLabel('Summary').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  let label = '';
  for (let step = 0; step < 30 && label !== 'Name'; step += 1) {
    await page.keyboard.press('Tab');
    label = await page.evaluate('document.activeElement?.labels?.[0]?.firstChild?.textContent ?? ""');
  }
  expect(label).toBe('Name');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('By hand');
  await page.keyboard.press('Control+Enter');
  await page.getByText('“By hand” was published.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'By hand' }).waitFor();
  await page.context().close();
});

test('logs no other errors in the browser console', () => {
  expect(panel.complaints.filter((complaint) => !LOST.test(complaint))).toEqual([]);
});

function refuseSaves(route: Route): Promise<void> {
  return route.request().method() === 'PUT' ? route.abort() : route.continue();
}
