// Receivers that fail, hang or respond slowly: retries, other receivers, and webhooks that are switched off.

import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { selectWaitingCalls } from '../../src/storage/webhooks/outbox.ts';
import { FAST, type HookDesk, useHookDesk } from './hook-desk.ts';
import { summarize } from './receiver.ts';

let desk: HookDesk;
useHookDesk('sqlite', (opened) => {
  desk = opened;
});

test('a receiver gets every call in the end, even if it hangs, redirects, or resets the connection; each attempt has a new signature', async () => {
  const { id, secret } = await desk.createWebhook();
  desk.receiver.secrets.add(secret);
  const behaviours = ['hang', 'reset', 302] as const;
  desk.receiver.behave = () => {
    // The time is part of the signature, in seconds.
    desk.clock.advance(1000);
    return behaviours[desk.receiver.calls.length] ?? 200;
  };
  // On a slow machine, any attempt may take too long.
  desk.startSender({ ...FAST, retryAfterMs: Array.from({ length: 1000 }, () => 20), attemptMs: 300 });
  await desk.publish('c_a');
  await desk.settled(id, 1);
  const { calls } = desk.receiver;
  expect(calls.length).toBeGreaterThanOrEqual(4);
  expect(new Set(calls.map((call) => call.id)).size).toBe(1);
  expect(new Set(calls.map(({ headers }) => headers['webhook-signature'])).size).toBe(calls.length);
  const [{ attempts = 0, ...call } = {}] = await desk.readCalls(id);
  expect(call).toMatchObject({ state: 'delivered', status: 200 });
  expect(attempts).toBeGreaterThanOrEqual(4);
});

test('a receiver still gets changes to other content while it rejects a thousand objects', async () => {
  const { id } = await desk.createWebhook();
  desk.receiver.behave = ({ event }) => (event.data.id.startsWith('c_many') ? 422 : 204);
  desk.startSender({ ...FAST, retryAfterMs: [3_600_000] });
  await desk.importMany(1000);
  await desk.receiver.waitUntil(({ calls }) => calls.length === 1000);
  await desk.publish('c_a');
  await desk.unpublish('c_a');
  await desk.accept(2);
  expect(summarize(desk.receiver.accepted)).toEqual(['content.updated c_a', 'content.unpublished c_a']);
  await expect.poll(async () => (await desk.readWebhook(id)).waiting_calls).toBe(1000);
});

test('a receiver does not get a call again after the last attempt has failed, but gets the next call', async () => {
  const { id } = await desk.createWebhook();
  desk.receiver.behave = ({ event }) => (event.type === 'content.unpublished' ? 503 : 200);
  desk.startSender({ ...FAST, retryAfterMs: [20] });
  await desk.unpublish('c_a');
  await desk.publish('c_a');
  await desk.settled(id, 2);
  const [later, earlier] = await desk.readCalls(id);
  expect(earlier).toMatchObject({ state: 'failed', attempts: 2, error: 'The receiver responded with status 503.' });
  expect(later).toMatchObject({ state: 'delivered', attempts: 1 });
});

test('a receiver does not delay publishing, even if it responds only after the call to publish has returned', async () => {
  await desk.createWebhook();
  const { promise: isPublished, resolve: tell } = Promise.withResolvers<void>();
  desk.receiver.hold = isPublished;
  desk.startSender();
  await desk.publish('c_a');
  await desk.receiver.waitUntil(({ arrived }) => arrived === 1);
  await desk.publish('c_a');
  await desk.publish('c_b');
  expect(desk.receiver.calls).toEqual([]);
  tell();
  await desk.accept(3);
  expect(summarize(desk.receiver.calls).toSorted()).toEqual([
    'content.updated c_a',
    'content.updated c_a',
    'content.updated c_b',
  ]);
});

test('a receiver that hangs gets 8 calls at once, and does not keep other receivers waiting', async () => {
  await desk.createWebhook({}, '/hangs');
  await desk.createWebhook({}, '/works');
  desk.receiver.behave = ({ path }) => (path.endsWith('/hangs') ? 'hang' : 200);
  await desk.importMany(60);
  desk.startSender();
  const countHanging = () => desk.receiver.calls.filter(({ path }) => path.endsWith('/hangs')).length;
  await desk.receiver.waitUntil(({ accepted }) => accepted.length === 60 && countHanging() >= 8);
  expect(countHanging()).toBe(8);
});

test('receivers that hang do not keep another site waiting, however many webhooks of their own site there are', async () => {
  for (let index = 0; index < 6; index += 1) await desk.createWebhook({}, `/hangs/${index}`);
  const other = await desk.addOtherSite();
  await desk.createWebhook({}, '/other', other);
  desk.receiver.behave = ({ path }) => (path.includes('/hangs') ? 'hang' : 200);
  await desk.importMany(60);
  desk.startSender();
  await desk.receiver.waitUntil(({ arrived }) => arrived >= 32);
  await desk.publish('c_other', {}, other);
  await desk.accept(1);
  await desk.createWebhook({}, '/new');
  await desk.publish('c_a');
  await desk.accept(2);
  expect(desk.receiver.accepted.map(({ path }) => path)).toEqual(['/hook/other', '/hook/new']);
});

test("receivers that hang do not keep another site waiting, even if that site's webhook has failed before", async () => {
  for (let index = 0; index < 3; index += 1) await desk.createWebhook({}, `/hangs/${index}`);
  const other = await desk.addOtherSite();
  await desk.createWebhook({}, '/other', other);
  desk.receiver.behave = () => 500;
  desk.startSender({ ...FAST, retryAfterMs: [] });
  await desk.publish('c_a');
  await desk.publish('c_other', {}, other);
  await desk.receiver.waitUntil(({ calls }) => calls.length === 4);
  desk.receiver.behave = ({ path }) => (path.includes('/hangs') ? 'hang' : 200);
  await desk.importMany(60);
  await desk.receiver.waitUntil(({ arrived }) => arrived >= 4 + 16);
  await desk.publish('c_other', {}, other);
  await desk.accept(1);
});

test('a receiver does not delay calls to other webhooks, however many changes it has to catch up on', async () => {
  await desk.createWebhook({}, '/behind');
  await desk.importMany(500);
  await desk.createWebhook({}, '/current');
  await desk.publish('c_a');
  desk.receiver.behave = () => 'hang';
  desk.startSender();
  const readWaiting = () => desk.manager.service.storage.read(selectWaitingCalls(0));
  await expect.poll(async () => (await readWaiting()).length, { interval: 20 }).toBe(502);
  const webhooks = (await readWaiting()).map(({ webhookNo }) => webhookNo);
  // The first hundred calls are made before anything is known about the backlog.
  expect(webhooks.indexOf(Math.max(...webhooks))).toBeLessThanOrEqual(100);
});

test('a webhook is switched off after five days of failures, but not if a call was delivered in between', async () => {
  const { id } = await desk.createWebhook();
  desk.startSender({ ...FAST, retryAfterMs: [] });
  const call = async (count: number, status: number): Promise<void> => {
    desk.receiver.behave = () => status;
    await desk.publish('c_a');
    await desk.settled(id, count);
  };
  await call(1, 500);
  expect((await desk.readWebhook(id)).failing_since).not.toBeNull();
  desk.clock.advance(5 * DAY_MS);
  await call(2, 200);
  expect(await desk.readWebhook(id)).toMatchObject({ is_on: true, failing_since: null });
  await call(3, 500);
  desk.clock.advance(5 * DAY_MS);
  await call(4, 500);
  expect(await desk.readWebhook(id)).toMatchObject({ is_on: false, off_reason: 'failing' });
});

test('a webhook stays switched on while a call has attempts left, and no longer counts as failing once a test call is delivered', async () => {
  const { id } = await desk.createWebhook();
  desk.receiver.behave = ({ event }) => (event.type === 'webhook.test' ? 200 : 500);
  const sender = desk.startSender({ ...FAST, retryAfterMs: [] });
  await desk.publish('c_b');
  await desk.settled(id, 1);
  await sender.stop();
  desk.clock.advance(6 * DAY_MS);
  desk.startSender({ ...FAST, retryAfterMs: [20, 600_000] });
  await desk.publish('c_a');
  await expect.poll(async () => (await desk.readCalls(id))[0]?.attempts, { interval: 20 }).toBe(2);
  const failing = await desk.readWebhook(id);
  expect(failing).toMatchObject({ is_on: true, waiting_calls: 1 });
  expect(failing.failing_since).not.toBeNull();
  await desk.manager.expectOk('POST', `${desk.path}/webhooks/${id}/test`);
  await desk.settled(id, 2);
  expect(await desk.readWebhook(id)).toMatchObject({ is_on: true, failing_since: null });
});
