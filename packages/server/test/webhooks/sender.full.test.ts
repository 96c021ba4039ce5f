// The sender itself: one process at a time, the log that it keeps, and faults in its database.

import type { WebhookCallBody, WebhookCallDetailsBody } from '@galley/wire';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/content/timestamp.ts';
import { openStorage } from '../../src/open-storage.ts';
import { runSql } from '../support/run-sql.ts';
import { ENGINES } from '../support/test-database.ts';
import { ENVIRONMENT, FAST, type HookDesk, useHookDesk } from './hook-desk.ts';
import { summarize } from './receiver.ts';

let desk: HookDesk;
const take = (opened: HookDesk): void => {
  desk = opened;
};

const run = (statement: string): Promise<unknown> => runSql(desk.manager.service.storage, statement);

/** Makes the receiver wait before it responds to the first call, which has arrived when this returns. */
async function holdFirstCall(start: () => unknown): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  desk.receiver.hold = promise;
  start();
  await desk.receiver.waitUntil(({ arrived }) => arrived === 1);
  return resolve;
}

describe.each(ENGINES)('the sender on %s', (engine) => {
  useHookDesk(engine, take);

  test('pauses, but keeps running, if the database fails during a wait', async () => {
    const storage = await openStorage(desk.database.url, Date.now());
    const { id } = await desk.createWebhook();
    const sender = desk.startSender({ ...FAST, storage });
    await desk.publish('c_a');
    await desk.settled(id, 1);
    await storage.close();
    await expect.poll(() => desk.logged.some(({ msg }) => msg.startsWith('webhook calls are on hold'))).toBe(true);
    await sender.stop();
  });

  test('keeps the 500 calls that finished most recently', async () => {
    const { id } = await desk.createWebhook();
    await addDelivered(510);
    desk.startSender();
    await desk.publish('c_a');
    await desk.accept(1);
    await expect.poll(async () => (await readCallIds(id)).length).toBe(500);
    expect((await readCallIds(id)).at(-1)).toMatch(/_11$/);
  });

  test('keeps a failed call for seven days, unless its content is delivered in the meantime', async () => {
    const { id } = await desk.createWebhook();
    const rejected = new Set(['c_a', 'c_b']);
    desk.receiver.behave = ({ event }) => (rejected.has(event.data.id) ? 422 : 204);
    desk.startSender({ ...FAST, retryAfterMs: [] });
    for (const each of rejected) await desk.publish(each);
    await desk.settled(id, 2);
    const [ofB, ofA] = await readCallIds(id);
    const deliverMany = async () => {
      await addDelivered(600);
      await desk.publish('c_c');
      await expect.poll(async () => (await readCallIds(id, 'delivered')).length).toBe(500);
    };
    await deliverMany();
    expect(await readCallIds(id, 'failed')).toEqual([ofB, ofA]);
    expect(await desk.readWebhook(id)).toMatchObject({ failed_calls: 2 });
    rejected.clear();
    await desk.publish('c_a');
    await expect.poll(() => readCallIds(id, 'failed')).toEqual([ofB]);
    await deliverMany();
    expect(await readCallIds(id, 'failed')).toEqual([ofB]);
    desk.clock.advance(7 * DAY_MS);
    await desk.publish('c_c');
    await expect.poll(() => readCallIds(id, 'failed')).toEqual([]);
  });

  test('works in only one process at a time, and another process takes over when that one stops', async () => {
    const { id } = await desk.createWebhook();
    const other = await desk.startNode();
    const sender = desk.startSender();
    await desk.publish('c_a');
    await desk.accept(1);
    other.service.startSender(FAST);
    for (const each of ['c_a', 'c_b', 'c_c']) await desk.publish(each);
    await desk.accept(4);
    await desk.settled(id, 4);
    await sender.stop();
    await desk.publish('c_b');
    await desk.accept(5);
    await desk.settled(id, 5);
    expect(new Set(desk.receiver.calls.map((call) => call.id)).size).toBe(desk.receiver.calls.length);
  });

  test('takes over a lease that seems to last too long because a clock was wrong', async () => {
    await desk.createWebhook();
    const inAnHour = Date.now() + 3600 * 1000;
    await run(`insert into leases (name, holder, until) values ('webhooks', 'somebody else', ${inAnHour})`);
    desk.startSender();
    await desk.publish('c_a');
    await desk.accept(1);
  });

  test('records nothing and stops sending once another process has taken its lease', async () => {
    const { id } = await desk.createWebhook();
    await desk.publish('c_a');
    const release = await holdFirstCall(() => desk.startSender());
    await run(`update leases set holder = 'somebody else'`);
    const isLost = () => desk.logged.some(({ msg }) => msg.includes('because it has lost its lease'));
    await expect.poll(isLost).toBe(true);
    release();
    await desk.accept(1);
    expect((await desk.readCalls(id))[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    // The other process's lease ends, so the call is sent again.
    await run('update leases set until = 0');
    await desk.accept(2);
    await desk.settled(id, 1);
    expect((await desk.readCalls(id))[0]).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(new Set(desk.receiver.calls.map((call) => call.id)).size).toBe(1);
  });
});

describe('the sender', () => {
  useHookDesk('sqlite', take);

  test('never calls a private address, whatever the host name is', async () => {
    const { id } = await desk.createWebhook({ url: `http://localhost:${desk.receiver.port}/` });
    const node = await desk.startNode({});
    node.service.startSender({ ...FAST, retryAfterMs: [] });
    await desk.publish('c_a');
    await desk.settled(id, 1);
    const [call] = await desk.readCalls(id);
    expect(call).toMatchObject({ state: 'failed', status: null });
    expect(call?.error).toContain('localhost is not on the public internet');
    expect(desk.receiver.calls).toEqual([]);
  });

  test('continues from the end of the log if the position of a webhook is no longer in it', async () => {
    const { id } = await desk.createWebhook();
    await desk.publish('c_a');
    await run(`update webhooks set position = '1'`);
    desk.startSender();
    await expect.poll(() => desk.logged.find(({ level }) => level === 40)).toMatchObject({ webhook: id });
    await desk.publish('c_b');
    await desk.accept(1);
    expect(summarize(desk.receiver.calls)).toEqual(['content.updated c_b']);
  });

  test.each([
    ['content', 'content/c_a?confirm=c_a'],
    ['an author', 'authors/u_ada?confirm=u_ada'],
    ['an asset', 'assets/a_photo'],
    ['a field', 'types/post/fields/text?confirm=text'],
  ])('logs no body if %s was permanently deleted during the attempt', async (_, place) => {
    const { id } = await desk.createWebhook({ payload: 'full', is_batched: true });
    const url = 'https://files.example/photo.jpg';
    await desk.import({ kind: 'asset', site: desk.site, id: 'a_photo', name: 'Photo', url });
    await desk.publish('c_a', { fields: { text: { text: 'Wombat' } } });
    await desk.publish('c_b');
    desk.clock.advance(2000);
    const release = await holdFirstCall(() => desk.startSender());
    const isContent = place.startsWith('content');
    if (isContent) {
      await desk.unpublish('c_a');
      await desk.manager.expectOk('POST', `${desk.path}/content/c_a/archive`, { confirm: true });
    }
    expect((await desk.manager.call('DELETE', `${desk.path}/${place}`)).status).toBeLessThan(300);
    release();
    await desk.accept(1);
    expect(desk.receiver.calls[0]?.body).toContain('Wombat');
    const readFirst = async () => (await desk.readCalls(id)).at(-1);
    await expect.poll(async () => (await readFirst())?.state, { interval: 20 }).toBe('delivered');
    const path = `${desk.path}/webhooks/${id}/calls/${(await readFirst())?.id}`;
    const details = await desk.manager.expectOk<WebhookCallDetailsBody>('GET', path);
    expect(details).toMatchObject({ request: { body: null }, response: { body: null } });
    expect(details.contents).toEqual(isContent ? ['c_b'] : ['c_a', 'c_b']);
  });

  test('sends calls in order, even if an attempt has already been recorded and the call is still waiting', async () => {
    const { id } = await desk.createWebhook();
    await desk.publish('c_a');
    await desk.publish('c_a');
    const release = await holdFirstCall(() => desk.startSender());
    await run('update webhook_calls set attempts = 1 where no = (select min(no) from webhook_calls)');
    release();
    await desk.accept(3);
    await desk.settled(id, 2);
    const [later, earlier] = await desk.readCalls(id);
    expect(desk.receiver.calls.map((call) => call.id)).toEqual([earlier?.id, earlier?.id, later?.id]);
  });

  test('counts a call as failed if it cannot be prepared, and continues with the next one', async () => {
    const { id } = await desk.createWebhook();
    await run(`update webhooks set headers = 'null'`);
    await desk.publish('c_a');
    desk.startSender({ ...FAST, retryAfterMs: [20] });
    await desk.settled(id, 1);
    const error = 'Galley could not prepare this call.';
    expect((await desk.readCalls(id))[0]).toMatchObject({ state: 'failed', attempts: 2, status: null, error });
    await run(`update webhooks set headers = '{}'`);
    await desk.publish('c_a');
    await desk.accept(1);
  });

  test('keeps a call that fails after 500 newer calls have ended', async () => {
    const { id } = await desk.createWebhook();
    desk.receiver.behave = () => 500;
    await desk.publish('c_a');
    const release = await holdFirstCall(() => desk.startSender({ ...FAST, retryAfterMs: [] }));
    await addDelivered(500);
    release();
    await expect.poll(async () => (await desk.readWebhook(id)).waiting_calls).toBe(0);
    expect(await desk.readWebhook(id)).toMatchObject({ failed_calls: 1, last_failed_at: expect.any(String) });
    expect(await readCallIds(id, 'failed')).toHaveLength(1);
    expect(await readCallIds(id)).toHaveLength(500);
  });

  test('reports its calls as metrics', async () => {
    const { service } = await desk.startNode({ ...ENVIRONMENT, GALLEY_METRICS: 'true' });
    const { id } = await desk.createWebhook();
    desk.receiver.behave = () => (desk.receiver.calls.length === 0 ? 500 : 200);
    service.startSender(FAST);
    await desk.publish('c_a');
    await desk.settled(id, 1);
    const readMetrics = async () => (await fetch(`${service.url}/metrics`)).text();
    await expect.poll(readMetrics).toContain('galley_webhook_calls_waiting 0');
    expect(await readMetrics()).toContain('galley_webhook_calls_total{outcome="delivered"} 1');
    expect(await readMetrics()).toContain('galley_webhook_calls_total{outcome="retried"} 1');
    expect(await readMetrics()).toContain('galley_webhook_calls_total{outcome="failed"} 0');
  });

  test('can stop while a receiver hangs, and the next sender sends the call again', async () => {
    await desk.createWebhook();
    desk.receiver.behave = () => (desk.receiver.calls.length === 0 ? 'hang' : 200);
    const sender = desk.startSender();
    await desk.publish('c_a');
    await desk.receiver.waitUntil(({ calls }) => calls.length === 1);
    await sender.stop();
    desk.startSender();
    await desk.accept(1);
    expect(desk.receiver.calls).toHaveLength(2);
    expect(desk.receiver.calls[0]?.id).toBe(desk.receiver.calls[1]?.id);
  });
});

/** Adds delivered calls to the log of the only webhook. They ended now, in the order of their numbers. */
async function addDelivered(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => `('msg_${Date.now()}_${index}')`);
  await run(`insert into webhook_calls (site_no, webhook_no, id, type, events, state, created_at, ended_at)
    select w.site_no, w.no, v.column1, 'webhook.test', '[]', 'delivered', 1, ${desk.clock.now()}
    from webhooks as w, (values ${rows.join(',')}) as v`);
}

/** All calls to a webhook, newest first. */
async function readCallIds(id: string, state?: 'delivered' | 'failed'): Promise<readonly string[]> {
  const ids: string[] = [];
  const filter = state === undefined ? '' : `&state=${state}`;
  let cursor = '';
  for (;;) {
    const page = await desk.manager.expectOk<{ data: WebhookCallBody[]; next_cursor: string | null }>(
      'GET',
      `${desk.path}/webhooks/${id}/calls?limit=100${filter}${cursor}`,
    );
    ids.push(...page.data.map((call) => call.id));
    if (page.next_cursor === null) return ids;
    cursor = `&cursor=${page.next_cursor}`;
  }
}
