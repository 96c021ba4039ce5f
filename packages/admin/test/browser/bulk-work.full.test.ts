// Bulk actions: publishing, unpublishing, archiving and restoring many items at once, and stopping halfway.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importListSite, LIST_PATH } from './list-site.ts';
import { createOwner, findAxeFaults, type Panel, startPanel } from './panel.ts';

let panel: Panel;
let page: Page;

beforeAll(async () => {
  panel = await startPanel();
  await createOwner(panel);
  await importListSite(panel, 200);
  page = await panel.openAs(LIST_PATH);
});

afterAll(() => panel.close());

const row = (name: string | RegExp) => page.getByRole('row', { name });

/** Calls the management API directly, not through the panel. */
async function send(method: string, path: string, body: object): Promise<void> {
  const status = await page.evaluate<number>(`(async () => {
    const { csrf_token } = await (await fetch('/manage/v1/session')).json();
    const answer = await fetch('/manage/v1/sites/s_list/content/${path}', {
      method: '${method}',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf_token },
      body: ${JSON.stringify(JSON.stringify(body))},
    });
    return answer.status;
  })()`);
  expect(status).toBe(200);
}

test('publishes a selection, lists the failed items with the reasons, and unpublishes the selection', async () => {
  await row(/Object 00199/).waitFor();
  await page.getByRole('checkbox', { name: 'Select Object 00199' }).click();
  await page.getByRole('checkbox', { name: 'Select Object 00180' }).click({ modifiers: ['Shift'] });
  await page.getByText('20 selected').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('18 selected items will be skipped').waitFor();
  await dialog.getByRole('button', { name: 'Publish 2 items' }).press('Enter');
  await dialog.getByText('1 published, 1 not published').waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/^Object 00199\s+Title is empty\.$/),
  ]);
  expect(await findAxeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await row(/Object 00189/).innerText()).toContain('Published');
  await page.evaluate('window.scrollTo(0, 0)');
  expect(await row(/Object 00199/).innerText()).toContain('Draft');
  await page.getByRole('checkbox', { name: 'Select Object 00189' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await dialog.getByRole('button', { name: 'Unpublish 1 item' }).click();
  await dialog.getByText('1 unpublished').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await row(/Object 00189/).innerText()).toContain('Unpublished');
});

test('can be stopped, and then shows how many items were not processed', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?status=published`);
  await row(/Object 00198/).waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  const stopped = Promise.withResolvers<void>();
  let begun = 0;
  await page.route('**/unpublish', async (route) => {
    begun += 1;
    // The bar shows the first item as done, and all others wait until the action is stopped.
    if (begun > 1) await stopped.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: /^Unpublish \d+ items$/ }).click();
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  stopped.resolve();
  const said = await page.getByText(/Stopped\. .* unpublished, \d+ not started/).innerText();
  expect(Number(/(\d+) not started/.exec(said)?.[1])).toBeGreaterThan(10);
  await page.unroute('**/unpublish');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
});

test('warns that publishing or unpublishing scheduled items cancels their schedules', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?search=object+0014`);
  await row(/Object 00149/).waitFor();
  await send('POST', 'c_00149/schedule', { publish_at: '2100-01-01T00:00:00+00:00' });
  await send('POST', 'c_00148/schedule', { unpublish_at: '2100-01-01T00:00:00+00:00' });
  await page.reload();
  for (const name of ['00149', '00148']) await page.getByRole('checkbox', { name: `Select Object ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByText('The schedule for 1 item will be cancelled.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await dialog.getByText('The schedules for 2 items will be cancelled.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('removes archived items from the list, and restores them as drafts', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?search=object+0005`);
  await page.getByRole('checkbox', { name: 'Select Object 00050' }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Archive 1 item' }).click();
  await dialog.getByText('1 archived').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await row(/Object 00050/).waitFor({ state: 'detached' });
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?status=archived`);
  await page.getByRole('checkbox', { name: 'Select Object 00050' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByRole('button', { name: 'Restore 1 item' }).click();
  await dialog.getByText('1 restored').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?search=object+00050`);
  await row(/Object 00050/).waitFor();
  expect(await row(/Object 00050/).innerText()).toContain('Draft');
});

test('on the second attempt, publishes an item that somebody else has saved in the meantime', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?search=object+00169`);
  await page.getByRole('checkbox', { name: 'Select Object 00169' }).click();
  await send('PUT', 'c_00169', { version: 1, fields: { title: { text: 'Changed' } } });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Publish 1 item' }).click();
  await dialog.getByText('has since saved version 2').waitFor();
  await dialog.getByRole('button', { name: 'Try these again' }).click();
  await dialog.getByText('1 published').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await row(/Object 00169/).innerText()).toContain('Published');
});

test('processes no further items after the user leaves the list', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?status=published`);
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  const { promise: hasLeft, resolve: leave } = Promise.withResolvers<void>();
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  let calls = 0;
  await page.route('**/unpublish', async (route) => {
    calls += 1;
    if (calls === 4) begin();
    await hasLeft;
    await route.continue();
  });
  await page.getByRole('button', { name: /^Unpublish \d+ items$/ }).click();
  await hasBegun;
  await page.evaluate('window.history.pushState(null, "", "/admin/sites")');
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  leave();
  await page.waitForLoadState('networkidle');
  expect(calls).toBe(4);
  await page.unroute('**/unpublish');
});

test('stops and asks the user to sign in if the session has ended', async () => {
  await page.goto(`${panel.service.url}/admin${LIST_PATH}?status=published`);
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await page.context().clearCookies();
  await page.getByRole('button', { name: /^Unpublish \d+ items$/ }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
});
