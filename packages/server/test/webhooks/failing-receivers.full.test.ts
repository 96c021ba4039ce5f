// Receivers that fail, hang or respond slowly: retries, the order of calls, and webhooks that are switched off.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { selectWaitingCalls } from '../../src/storage/webhooks/outbox.ts';
import { runSql } from '../support/run-sql.ts';
import { ENGINES } from '../support/test-database.ts';
import { FAST, HERE, HookDesk, listSiteRecords, PATIENT, post } from './hook-desk.ts';
import { type ReceivedCall, summarize } from './receiver.ts';

let desk: HookDesk;

describe.each(ENGINES)('on %s', (engine) => {
  beforeEach(async () => {
    desk = await HookDesk.open(engine);
  });

  afterEach(() => desk.close());

  describe('a receiver that fails', () => {
    test('gets calls about the same content in order, and other calls in parallel', async () => {
      const { id } = await desk.createWebhook();
      const isFirstOfA = ({ event }: Pick<ReceivedCall, 'event'>): boolean => event.data.id === 'c_a';
      let failures = 3;
      desk.receiver.behave = (call) => {
        if (!isFirstOfA(call) || failures === 0) return 200;
        failures -= 1;
        return 500;
      };
      desk.manager.service.startSender({ ...FAST, retryAfterMs: [100, 100, 100] });
      for (const each of ['c_a', 'c_b', 'c_a', 'c_c', 'c_a']) await desk.publish(each);
      await desk.accept(5);
      const ofA = desk.receiver.calls.filter(isFirstOfA).map((call) => call.event.data.position);
      expect(ofA).toEqual(ofA.toSorted());
      expect(
        new Set(
          desk.receiver.calls
            .filter(isFirstOfA)
            .slice(0, 4)
            .map((call) => call.id),
        ).size,
      ).toBe(1);
      const last = (each: string) => desk.receiver.calls.findLastIndex(({ event }) => event.data.id === each);
      expect(Math.max(last('c_b'), last('c_c'))).toBeLessThan(last('c_a'));
      await desk.settled(id, 5);
      expect((await desk.readCalls(id)).map(({ state, attempts }) => `${state} ${attempts}`).toSorted()).toEqual([
        'delivered 1',
        'delivered 1',
        'delivered 1',
        'delivered 1',
        'delivered 4',
      ]);
      expect((await desk.readWebhook(id)).failing_since).toBeNull();
    });

    test('gets every call in the end, even if it hangs, redirects, or resets the connection; each attempt has a new signature', async () => {
      const { id, secret } = await desk.createWebhook();
      desk.receiver.secrets.add(secret);
      const behaviours = ['hang', 'reset', 302, { status: 200, afterMs: 200 }] as const;
      desk.receiver.behave = () => behaviours[Math.min(desk.receiver.calls.length, behaviours.length - 1)] ?? 200;
      desk.manager.service.startSender({ retryAfterMs: [20, 20, 1100], attemptMs: 300 });
      await desk.publish('c_a');
      await desk.accept(1);
      expect(desk.receiver.calls).toHaveLength(4);
      expect(new Set(desk.receiver.calls.map((call) => call.id)).size).toBe(1);
      expect(new Set(desk.receiver.calls.map(({ headers }) => headers['webhook-signature'])).size).toBeGreaterThan(1);
      await desk.settled(id, 1);
      expect((await desk.readCalls(id))[0]).toMatchObject({ state: 'delivered', attempts: 4, status: 200 });
    });

    test('still gets changes to other content while it rejects a thousand objects', async () => {
      const { id } = await desk.createWebhook();
      const rejected = Array.from({ length: 1000 }, (_, index) => `c_rejected_${index}`);
      desk.receiver.behave = ({ event }) => (event.data.id.startsWith('c_rejected') ? 422 : 204);
      desk.manager.service.startSender({ ...FAST, retryAfterMs: [3_600_000] });
      await desk.manager.service.importRecords(rejected.map((each) => post(each)));
      await desk.receiver.waitUntil(({ calls }) => calls.length === rejected.length);
      await desk.publish('c_a');
      await desk.unpublish('c_a');
      await desk.accept(2);
      expect(summarize(desk.receiver.accepted)).toEqual(['content.updated c_a', 'content.unpublished c_a']);
      await expect.poll(async () => (await desk.readWebhook(id)).waiting_calls).toBe(rejected.length);
    });

    test('does not get a call again after the last attempt has failed, but gets the next call', async () => {
      const { id } = await desk.createWebhook();
      desk.receiver.behave = ({ event }) => (event.type === 'content.unpublished' ? 503 : 200);
      desk.manager.service.startSender({ ...FAST, retryAfterMs: [20] });
      await desk.unpublish('c_a');
      await desk.publish('c_a');
      await desk.settled(id, 2);
      const [later, earlier] = await desk.readCalls(id);
      expect(earlier).toMatchObject({ state: 'failed', attempts: 2, error: 'The receiver responded with status 503.' });
      expect(later).toMatchObject({ state: 'delivered', attempts: 1 });
    });

    test('does not delay publishing, even if it responds only after the call to publish has returned', async () => {
      await desk.createWebhook();
      const { promise: isPublished, resolve: tell } = Promise.withResolvers<void>();
      desk.receiver.hold = isPublished;
      desk.manager.service.startSender(PATIENT);
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

    test('does not keep other receivers waiting, even if it hangs', async () => {
      await desk.createWebhook({}, '/hangs');
      await desk.createWebhook({}, '/works');
      desk.receiver.behave = ({ path }) => (path.endsWith('/hangs') ? 'hang' : 200);
      await desk.manager.service.importRecords(Array.from({ length: 60 }, (_, index) => post(`c_many_${index}`)));
      desk.manager.service.startSender(PATIENT);
      await desk.accept(60);
      expect(desk.receiver.calls.filter(({ path }) => path.endsWith('/hangs'))).toHaveLength(8);
    });

    test('does not keep another site waiting, however many webhooks of its own site hang', async () => {
      for (let index = 0; index < 6; index += 1) await desk.createWebhook({}, `/hangs/${index}`);
      await desk.manager.service.importRecords([...listSiteRecords('s_other'), post('c_other', { site: 's_other' })]);
      await desk.createWebhook({}, '/other', 's_other');
      desk.receiver.behave = ({ path }) => (path.includes('/hangs') ? 'hang' : 200);
      await desk.manager.service.importRecords(Array.from({ length: 60 }, (_, index) => post(`c_many_${index}`)));
      desk.manager.service.startSender(PATIENT);
      await desk.receiver.waitUntil(({ arrived }) => arrived >= 32);
      await desk.publish('c_other', {}, 's_other');
      await desk.accept(1);
      await desk.createWebhook({}, '/new');
      await desk.publish('c_a');
      await desk.accept(2);
      expect(desk.receiver.accepted.map(({ path }) => path)).toEqual(['/hook/other', '/hook/new']);
    });

    test("does not keep another site waiting, even if that site's webhook has failed before", async () => {
      for (let index = 0; index < 3; index += 1) await desk.createWebhook({}, `/hangs/${index}`);
      await desk.manager.service.importRecords([...listSiteRecords('s_other'), post('c_other', { site: 's_other' })]);
      await desk.createWebhook({}, '/other', 's_other');
      desk.receiver.behave = () => 500;
      desk.manager.service.startSender({ ...PATIENT, retryAfterMs: [] });
      await desk.publish('c_a');
      await desk.publish('c_other', {}, 's_other');
      await desk.receiver.waitUntil(({ calls }) => calls.length === 4);
      desk.receiver.behave = ({ path }) => (path.includes('/hangs') ? 'hang' : 200);
      await desk.manager.service.importRecords(Array.from({ length: 60 }, (_, index) => post(`c_many_${index}`)));
      await desk.receiver.waitUntil(({ arrived }) => arrived >= 4 + 16);
      await desk.publish('c_other', {}, 's_other');
      await desk.accept(1);
    });

    test('does not delay calls to other webhooks, however many changes it has to catch up on', async () => {
      await desk.createWebhook({}, '/behind');
      await desk.manager.service.importRecords(Array.from({ length: 500 }, (_, index) => post(`c_many_${index}`)));
      await desk.createWebhook({}, '/current');
      await desk.publish('c_a');
      desk.receiver.behave = () => 'hang';
      desk.manager.service.startSender(PATIENT);
      const readWaiting = () => desk.manager.service.storage.read(selectWaitingCalls(0));
      await expect.poll(async () => (await readWaiting()).length, { interval: 20 }).toBe(502);
      const webhooks = (await readWaiting()).map(({ webhookNo }) => webhookNo);
      // The first hundred calls are made before anything is known about the backlog.
      expect(webhooks.indexOf(Math.max(...webhooks))).toBeLessThanOrEqual(100);
    });

    test('has its webhook switched off if it returns 410, and its pending calls fail', async () => {
      const { id } = await desk.createWebhook();
      desk.receiver.behave = () => 410;
      for (const each of ['c_a', 'c_a', 'c_a']) await desk.publish(each);
      desk.manager.service.startSender(FAST);
      await desk.settled(id, 3);
      expect(await desk.readWebhook(id)).toMatchObject({ is_on: false, off_reason: 'gone', waiting_calls: 0 });
      expect((await desk.readCalls(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
      expect(desk.receiver.calls).toHaveLength(1);
      await desk.publish('c_a');
      expect(desk.logged.filter(({ msg }) => msg === 'a webhook was switched off')).toMatchObject([
        { webhook: id, reason: 'gone' },
      ]);
    });

    test('has its webhook switched off after five days of failures, but not if a call was delivered in between', async () => {
      const { id } = await desk.createWebhook();
      const fiveDays = 5 * 24 * 3600 * 1000;
      desk.receiver.behave = () => 500;
      const sender = desk.manager.service.startSender({ ...FAST, retryAfterMs: [] });
      await desk.publish('c_a');
      await desk.settled(id, 1);
      expect((await desk.readWebhook(id)).failing_since).not.toBeNull();
      await runSql(desk.manager.service.storage, `update webhooks set failing_since = failing_since - ${fiveDays}`);
      desk.receiver.behave = () => 200;
      await desk.publish('c_a');
      await desk.settled(id, 2);
      expect(await desk.readWebhook(id)).toMatchObject({ is_on: true, failing_since: null });
      desk.receiver.behave = () => 500;
      await desk.publish('c_a');
      await desk.settled(id, 3);
      await runSql(desk.manager.service.storage, `update webhooks set failing_since = failing_since - ${fiveDays}`);
      await desk.publish('c_a');
      await desk.settled(id, 4);
      expect(await desk.readWebhook(id)).toMatchObject({ is_on: false, off_reason: 'failing' });
      await sender.stop();
    });

    test('keeps its webhook switched on while a call has attempts left, and no longer counts as failing once a test call is delivered', async () => {
      const { id } = await desk.createWebhook();
      const sixDays = 6 * 24 * 3600 * 1000;
      await runSql(desk.manager.service.storage, `update webhooks set failing_since = ${Date.now() - sixDays}`);
      desk.receiver.behave = ({ event }) => (event.type === 'webhook.test' ? 200 : 500);
      desk.manager.service.startSender({ ...FAST, retryAfterMs: [20, 600_000] });
      await desk.publish('c_a');
      await expect.poll(async () => (await desk.readCalls(id))[0]?.attempts, { interval: 20 }).toBe(2);
      const failing = await desk.readWebhook(id);
      expect(failing).toMatchObject({ is_on: true, waiting_calls: 1 });
      expect(failing.failing_since).not.toBeNull();
      await desk.manager.expectOk('POST', `${HERE}/webhooks/${id}/test`);
      await desk.settled(id, 1);
      expect(await desk.readWebhook(id)).toMatchObject({ is_on: true, failing_since: null });
    });
  });
});
