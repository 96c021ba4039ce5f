// The complete life of a webhook in the panel, with a real receiver: creating it, publishing, seeing the call arrive, and recovering from
// failures.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, contentType, site } from '../../../server/test/conformance/records.ts';
import { Receiver } from '../../../server/test/webhooks/receiver.ts';
import { callAsOwner, createOwner, EDITOR, findAxeFaults, type Panel, startPanel } from './panel.ts';
import { goTo, publish } from './panel-steps.ts';

const SITE = 's_hooks';
const SENDING = { retryAfterMs: [100], attemptMs: 600_000 };

let panel: Panel;
let page: Page;
let receiver: Receiver;
/** The receiver's response. */
let status = 204;

beforeAll(async () => {
  receiver = await Receiver.open();
  receiver.behave = () => status;
  panel = await startPanel({ GALLEY_WEBHOOK_ALLOW: '127.0.0.1' });
  panel.service.startSender(SENDING);
  await createOwner(panel);
  await callAsOwner(panel, '/users', { ...EDITOR, role: 'editor' });
  await panel.service.importRecords([
    site(SITE, { default_language: 'en', languages: ['en', 'de'] }),
    contentType(SITE, 'post', [{ handle: 'title', name: 'Title', type: 'text' }], { name: 'Post' }),
    contentType(SITE, 'note', [{ handle: 'title', name: 'Title', type: 'text' }], { name: 'Note' }),
    ...['Tides', 'Ferry'].map((name) =>
      content({ id: `c_${name}`, site: SITE, content_type: 'post', name, slug: name.toLowerCase(), status: 'draft' }),
    ),
  ]);
  page = await panel.openAs(`/sites/${SITE}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
  await panel.close();
  await receiver[Symbol.asyncDispose]();
});

const calls = () => page.getByRole('table', { name: 'Calls' });
const callRow = (name: RegExp) => calls().getByRole('row', { name });

test('explains what a webhook is for, and validates the form', async () => {
  await goTo(page, 'Webhooks');
  await page.getByText('Use one to rebuild a static site').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('URL', { exact: true }).fill('ftp://nowhere');
  await page.getByRole('radio', { name: 'Selected content types' }).check();
  await page.getByRole('radio', { name: 'Full' }).check();
  for (const box of await page.getByRole('checkbox').all()) await box.setChecked(false);
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Name of header 1').fill('Host');
  await page.getByLabel('Value of Host').fill('elsewhere');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Name is empty.').waitFor();
  await page.getByText('Enter a URL that starts with https:// or http://').waitFor();
  await page.getByText('Choose at least one event.').waitFor();
  await page.getByText('Choose at least one content type.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByLabel('Name', { exact: true }).fill('Rebuild');
  await page.getByLabel('URL', { exact: true }).fill(receiver.url);
  await page.getByRole('checkbox', { name: 'Content is published' }).check();
  await page.getByRole('checkbox', { name: 'Published content changes' }).check();
  await page.getByRole('combobox', { name: 'List: content types' }).click();
  await page.getByRole('option', { name: 'Post' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Host cannot be set').waitFor();
  await page.getByLabel('Name of header 1').fill('X-Token');
  await page.getByLabel('Value of X-Token').fill('hidden-wombat');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Ask its operator to set GALLEY_PUBLIC_URL').waitFor();
  await page.getByRole('radio', { name: 'Light' }).check();
});

test('creates a webhook, and shows its secret once', async () => {
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('heading', { name: 'Your new webhook' }).waitFor();
  await page.getByRole('button', { name: 'Copy Secret' }).click();
  const secret = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(secret).toMatch(/^whsec_/);
  // From now on, the receiver verifies each signature with this secret.
  receiver.secrets.add(secret);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Rebuild' }).waitFor();
  await page.getByText('No calls yet').first().waitFor();
  expect(await page.content()).not.toContain(secret);
});

test('sends a test call, and shows its result without a reload', async () => {
  await page.getByRole('button', { name: 'Send test' }).click();
  await callRow(/Test.*Delivered.*204/).waitFor();
  expect(receiver.accepted.map(({ event }) => event.type)).toEqual(['webhook.test']);
  expect(receiver.accepted[0]?.headers['x-token']).toBe('hidden-wombat');
  await page.getByText('Working').waitFor();
});

test('sends a call when content is published, and shows the name of the content in the log', async () => {
  const desk = await page.context().newPage();
  await desk.goto(`${panel.service.url}/admin/sites/${SITE}/content/c_Tides`);
  await publish(desk, 'Tides');
  await desk.close();
  await callRow(/Published.*Tides.*Delivered.*204/).waitFor();
  expect(receiver.accepted.at(-1)?.event).toMatchObject({ type: 'content.published', data: { id: 'c_Tides' } });
});

test("shows a call's request and response, with masked headers", async () => {
  await calls().getByRole('link', { name: 'Published: Tides' }).click();
  await page.getByRole('heading', { name: 'Published: Tides' }).waitFor();
  const request = page.getByRole('region', { name: 'Request' });
  expect(await request.innerText()).toMatch(/x-token: •••[\s\S]*"type": "content.published"/);
  expect(await page.content()).not.toContain('hidden-wombat');
  expect(await page.getByRole('region', { name: 'Response' }).innerText()).toContain('x-receiver: test');
  await page.getByRole('main').getByRole('link', { name: 'Tides' }).waitFor();
  await page.getByRole('link', { name: 'Rebuild' }).click();
});

test('shows that a call is failing, then that Galley is retrying it, and finally that Galley has given up', async () => {
  status = 503;
  const { promise: isShown, resolve: respond } = Promise.withResolvers<void>();
  let attempts = 0;
  receiver.behave = () => {
    attempts += 1;
    // The page shows the call between two attempts, because the second one gets no response until then.
    if (attempts > 1) receiver.hold = isShown;
    return status;
  };
  await panel.service.publish(SITE, 'c_Ferry');
  await callRow(/Published.*Ferry.*Retrying.*503/).waitFor();
  await page.getByRole('region', { name: /^Calls have been failing since/ }).waitFor();
  respond();
  await callRow(/Published.*Ferry.*Failed.*2.*503/).waitFor();
  expect(await findAxeFaults(page, ['light', 'dark colours'])).toEqual([]);
  await goTo(page, 'Webhooks');
  await page.getByRole('region', { name: 'A webhook needs attention' }).getByText('Rebuild has been failing').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

test('retries a failed call once the receiver is working again, and stops warning about it', async () => {
  await page.getByRole('rowheader').getByRole('link', { name: 'Rebuild' }).click();
  await page.getByRole('link', { name: 'Show failed calls' }).click();
  await page.getByRole('row', { name: /Tides/ }).waitFor({ state: 'detached' });
  status = 204;
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('region', { name: '1 call failed' }).waitFor();
  await page.getByRole('button', { name: 'Send again: Published: Ferry' }).click();
  await page.getByText('All', { exact: true }).click();
  await callRow(/Published.*Ferry.*Delivered.*204/).waitFor();
  await page.getByRole('region', { name: '1 call failed' }).waitFor({ state: 'detached' });
  // The details page offers the same action, and then shows the new call.
  await calls().getByRole('link', { name: 'Published: Tides' }).click();
  const sent = receiver.accepted.length;
  await page.getByRole('button', { name: 'Send again' }).click();
  await receiver.waitUntil(({ accepted }) => accepted.length > sent);
  expect(receiver.accepted.at(-1)?.event.data.id).toBe('c_Tides');
  await page.getByRole('main').getByText('Delivered').waitFor();
});

test('changes the settings, and keeps the header values', async () => {
  await page.getByRole('link', { name: 'Rebuild' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Rebuild the site');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Name of header 2').fill('X-Team');
  await page.getByLabel('Value of X-Team').fill('press');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. The change takes effect with the next call.').waitFor();
  // The form no longer contains the value.
  await expect.poll(() => page.getByLabel('Value of x-team').inputValue()).toBe('');
  await page.getByRole('link', { name: 'Rebuild the site' }).click();
  const sent = receiver.accepted.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.waitUntil(({ accepted }) => accepted.length > sent);
  expect(receiver.accepted.at(-1)?.headers).toMatchObject({ 'x-token': 'hidden-wombat', 'x-team': 'press' });
});

test('replaces the secret, and shows the new one once', async () => {
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  const code = page.locator('figure', { hasText: /^Secret/ }).locator('code');
  const secret = await code.innerText();
  // Calls are signed with both secrets.
  receiver.secrets.add(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The old secret is valid until').waitFor();
  await page.getByRole('link', { name: 'Rebuild the site' }).click();
  const sent = receiver.accepted.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  await receiver.waitUntil(({ accepted }) => accepted.length > sent);
  expect(receiver.faults).toEqual([]);
});

test('tells owners on the dashboard that Galley switched a webhook off, and lets them switch it back on', async () => {
  status = 410;
  await panel.service.unpublish(SITE, 'c_Ferry');
  await panel.service.publish(SITE, 'c_Ferry');
  await page.getByRole('region', { name: /^Galley switched this webhook off/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true);
  expect(await findAxeFaults(page)).toEqual([]);
  await goTo(page, 'Dashboard');
  const notice = page.getByRole('region', { name: 'Galley switched a webhook off' });
  await notice.getByText('Rebuild the site was switched off, because the receiver responded with 410.').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Rebuild the site' }).click();
  await page.getByRole('switch', { name: 'On' }).click({ force: true });
  await page.getByText('“Rebuild the site” is on.').waitFor();
  await page.getByRole('region', { name: /^Galley switched/ }).waitFor({ state: 'detached' });
});

test('is available only to owners', async () => {
  const other = await panel.openAs(`/sites/${SITE}/webhooks`, EDITOR);
  await other.getByRole('heading', { name: 'Page not found' }).waitFor();
  await other.goto(`${panel.service.url}/admin/sites/${SITE}`);
  await other.getByRole('link', { name: 'Assets' }).waitFor();
  expect(await other.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  await other.context().close();
});

test('deletes the webhook after confirmation', async () => {
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
});

test('logs no errors in the browser console', () => {
  expect(panel.complaints).toEqual([]);
  expect(receiver.faults).toEqual([]);
});
