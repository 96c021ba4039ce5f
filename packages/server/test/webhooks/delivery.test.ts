// Webhook calls, from a publish to their arrival at a real receiver.

import type {
  ManagedContentBody,
  NewWebhookBody,
  WebhookBody,
  WebhookCallBody,
  WebhookCallDetailsBody,
} from '@galley/wire';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { readSettings } from '../../src/settings.ts';
import { sendWebhooks } from '../../src/start-service.ts';
import { selectWaitingCalls } from '../../src/storage/webhooks/outbox.ts';
import type { SenderOptions } from '../../src/webhooks/sender.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { runSql } from '../support/run-sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type ReceivedCall, Receiver, summarize } from './receiver.ts';

const SITE = 's_hooks';
const HERE = `/sites/${SITE}`;
const FAST: SenderOptions = { retryAfterMs: [20, 20, 20], attemptMs: 2000 };
const ENVIRONMENT = { GALLEY_WEBHOOK_ALLOW: '127.0.0.1', GALLEY_PUBLIC_URL: 'https://content.example' };

function post(id: string, members: object = {}): object {
  const head = { kind: 'content', site: SITE, content_type: 'post', language: 'en', status: 'published' };
  return { ...head, id, slug: id, name: id, published_at: '2026-01-01T12:00:00+00:00', ...members };
}

const RECORDS: readonly object[] = [
  {
    kind: 'site',
    id: SITE,
    name: 'Hooks',
    default_language: 'en',
    languages: ['en', 'de'],
    url: 'https://hooks.example',
  },
  { kind: 'author', site: SITE, id: 'u_ada', name: 'Ada' },
  {
    kind: 'content_type',
    site: SITE,
    id: 't_post',
    handle: 'post',
    name: 'Post',
    uri_pattern: 'posts/{slug}',
    fields: [{ handle: 'text', type: 'text' }],
  },
  { kind: 'content_type', site: SITE, id: 't_note', handle: 'note', name: 'Note', uri_pattern: '{slug}', fields: [] },
  post('c_a', { author: 'u_ada' }),
  post('c_b', { author: 'u_ada' }),
  post('c_c'),
  post('c_de', { language: 'de' }),
  post('c_note', { content_type: 'note' }),
];

let database: TestDatabase;
let manager: Manager;
let receiver: Receiver;
let logged: { readonly msg: string; readonly [name: string]: unknown }[];

const createLog = () => pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });

async function startNode(environment: Readonly<Record<string, string>> = ENVIRONMENT): Promise<Manager> {
  const createDatabase = async () => ({ ...database, remove: async () => {} });
  return startManager(environment, { createDatabase, log: createLog() });
}

beforeEach(async () => {
  logged = [];
  database = await createTestDatabase();
  manager = await startNode();
  await manager.service.importRecords(RECORDS);
  receiver = await Receiver.open();
});

afterEach(async () => {
  expect(receiver.faults).toEqual([]);
  await manager.close();
  await receiver[Symbol.asyncDispose]();
  await database.remove();
});

async function createWebhook(members: object = {}, path = ''): Promise<NewWebhookBody> {
  const body = { name: 'Test', url: `${receiver.url}${path}`, ...members };
  return manager.expectOk<NewWebhookBody>('POST', `${HERE}/webhooks`, body);
}

const readWebhook = (id: string) => manager.expectOk<WebhookBody>('GET', `${HERE}/webhooks/${id}`);

async function readCalls(id: string): Promise<readonly WebhookCallBody[]> {
  const { data } = await manager.expectOk<{ data: WebhookCallBody[] }>('GET', `${HERE}/webhooks/${id}/calls?limit=100`);
  return data;
}

/** Waits until all of the webhook's calls have ended. */
const settled = (id: string, count: number) =>
  expect
    .poll(async () => (await readCalls(id)).filter(({ state }) => state !== 'waiting').length, { interval: 20 })
    .toBe(count);

let saves = 0;

async function publish(id: string, members: object = {}): Promise<void> {
  saves += 1;
  const { version } = await manager.expectOk<ManagedContentBody>('GET', `${HERE}/content/${id}`);
  await manager.expectOk('PUT', `${HERE}/content/${id}`, { version, name: `${id} ${saves}`, ...members });
  await manager.expectOk('POST', `${HERE}/content/${id}/publish`, {});
}

const unpublish = (id: string) => manager.expectOk('POST', `${HERE}/content/${id}/unpublish`, { confirm: true });

async function deleteForGood(id: string): Promise<void> {
  await manager.expectOk('POST', `${HERE}/content/${id}/archive`, { confirm: true });
  await manager.expectOk('DELETE', `${HERE}/content/${id}?confirm=${id}`);
}

const accept = (count: number) => receiver.waitUntil(({ accepted }) => accepted.length >= count);

describe('a call', () => {
  test('names the change, is signed, and has the custom headers, which the log masks', async () => {
    const { id, secret } = await createWebhook({ headers: { authorization: 'Bearer very-secret', 'x-env': 'prod' } });
    receiver.secrets.add(secret);
    manager.service.startSender(FAST);
    await publish('c_a', { slug: 'moved' });
    await accept(1);
    const [call] = receiver.calls;
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Galley',
      authorization: 'Bearer very-secret',
      'x-env': 'prod',
    });
    expect(call?.event).toEqual({
      type: 'content.moved',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        site: SITE,
        id: 'c_a',
        content_type: 'post',
        language: 'en',
        uri: 'posts/moved',
        moved: { from: 'posts/c_a', to: 'posts/moved' },
        position: expect.any(String),
      },
    });
    await settled(id, 1);
    const [listed] = await readCalls(id);
    expect(listed).toMatchObject({
      id: call?.id,
      state: 'delivered',
      attempts: 1,
      status: 204,
      error: null,
      next_at: null,
    });
    const details = await manager.expectOk<WebhookCallDetailsBody>('GET', `${HERE}/webhooks/${id}/calls/${call?.id}`);
    expect(details.request?.body).toBe(call?.body);
    expect(details.request?.headers).toMatchObject({ 'webhook-id': call?.id, authorization: '•••', 'x-env': '•••' });
    expect(details.response?.headers).toMatchObject({ 'x-receiver': 'test' });
    expect(JSON.stringify([details, logged])).not.toContain('very-secret');
  });

  test('is made for each kind of change, and withdrawn content has no path', async () => {
    await createWebhook();
    manager.service.startSender(FAST);
    await publish('c_a');
    await unpublish('c_a');
    await publish('c_a');
    await deleteForGood('c_note');
    await receiver.waitUntil(({ calls }) => summarize(calls).includes('content.deleted c_note') && calls.length >= 4);
    const ofA = receiver.calls.filter(({ event }) => event.data.id === 'c_a');
    expect(summarize(ofA)).toEqual(['content.updated c_a', 'content.unpublished c_a', 'content.published c_a']);
    expect(ofA[1]?.event.data.uri).toBeNull();
    const deleted = receiver.calls.find(({ event }) => event.type === 'content.deleted');
    expect(deleted?.event.data).toMatchObject({ id: 'c_note', uri: null, moved: null });
  });

  test('does not name the former paths of content that was unpublished and published again elsewhere', async () => {
    const { id } = await createWebhook();
    receiver.behave = ({ event }) => (event.type === 'content.moved' && receiver.calls.length < 1 ? 500 : 200);
    const sender = manager.service.startSender({ ...FAST, retryAfterMs: [2000] });
    await publish('c_a', { slug: 'hidden' });
    await expect.poll(async () => (await readCalls(id))[0]?.attempts, { interval: 20 }).toBe(1);
    await sender.stop();
    await unpublish('c_a');
    await publish('c_a', { slug: 'shown' });
    manager.service.startSender(FAST);
    await accept(3);
    const again = receiver.calls.find(({ isAccepted, event }) => isAccepted && event.type === 'content.moved');
    expect(again?.event.data).toMatchObject({ id: 'c_a', uri: 'posts/shown', moved: null });
    expect(receiver.accepted.map(({ body }) => body).join()).not.toContain('hidden');
  });

  test('is made only for the kinds of changes, the types and the languages that the webhook subscribes to', async () => {
    await createWebhook({ kinds: ['content.unpublished'] }, '/kinds');
    await createWebhook({ content_types: ['note'] }, '/types');
    await createWebhook({ languages: ['de'] }, '/languages');
    manager.service.startSender(FAST);
    for (const id of ['c_a', 'c_de', 'c_note']) await publish(id);
    await unpublish('c_a');
    await accept(3);
    const seen = receiver.calls.map(({ path, event }) => `${path} ${event.type} ${event.data.id}`);
    expect(seen.toSorted()).toEqual([
      '/hook/kinds content.unpublished c_a',
      '/hook/languages content.updated c_de',
      '/hook/types content.updated c_note',
    ]);
  });

  test('is made for every object that shows a renamed author', async () => {
    await createWebhook();
    manager.service.startSender(FAST);
    const { version } = await manager.expectOk<{ version?: number }>('GET', `${HERE}/authors/u_ada`);
    await manager.expectOk('PATCH', `${HERE}/authors/u_ada`, {
      name: 'Ada Lovelace',
      ...(version === undefined ? {} : { version }),
    });
    await accept(2);
    expect(summarize(receiver.calls).toSorted()).toEqual(['content.updated c_a', 'content.updated c_b']);
  });

  test('contains the object as the API returns it when the call is sent, or null', async () => {
    await createWebhook({ payload: 'full' });
    await publish('c_a');
    await publish('c_b');
    await unpublish('c_b');
    manager.service.startSender(FAST);
    await accept(3);
    const contentOf = (id: string): unknown =>
      receiver.calls.find(({ event }) => event.data.id === id && event.type === 'content.updated')?.event.data.content;
    expect(contentOf('c_a')).toEqual((await manager.read(SITE, '/c_a')).body);
    expect(contentOf('c_b')).toBeNull();
    expect(receiver.calls.find(({ event }) => event.type === 'content.unpublished')?.event.data.content).toBeNull();
  });

  test('says so if the object is too large to be sent', async () => {
    await createWebhook({ payload: 'full' });
    await publish('c_a', { fields: { text: { text: '"'.repeat(600_000) } } });
    manager.service.startSender(FAST);
    await accept(1);
    expect(receiver.calls[0]?.event.data).toMatchObject({
      id: 'c_a',
      uri: 'posts/c_a',
      content: null,
      too_large: true,
    });
  });

  test('has both signatures for a day after the secret was rotated', async () => {
    const { id, secret } = await createWebhook();
    const rotated = await manager.expectOk<NewWebhookBody>('POST', `${HERE}/webhooks/${id}/rotate-secret`);
    receiver.secrets.add(secret).add(rotated.secret);
    const sender = manager.service.startSender(FAST);
    await publish('c_a');
    await accept(1);
    expect(String(receiver.calls[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await settled(id, 1);
    await sender.stop();
    await runSql(manager.service.storage, `update webhooks set former_until = ${Date.now()}`);
    receiver.secrets.delete(secret);
    manager.service.startSender(FAST);
    await publish('c_a');
    await accept(2);
    expect(String(receiver.calls[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  test('is sent promptly if an owner requests a test or sends the call again', async () => {
    const { id } = await createWebhook();
    manager.service.startSender(FAST);
    receiver.behave = () => 500;
    await manager.expectOk('POST', `${HERE}/webhooks/${id}/test`);
    await settled(id, 1);
    const [first] = await readCalls(id);
    // People who send a test call want to see its outcome immediately, so it is not retried.
    expect(first).toMatchObject({ type: 'webhook.test', state: 'failed', attempts: 1, status: 500 });
    expect((await readWebhook(id)).failing_since).toBeNull();
    receiver.behave = () => 200;
    await manager.expectOk('POST', `${HERE}/webhooks/${id}/calls/${first?.id}/send-again`);
    await settled(id, 2);
    expect((await readCalls(id))[0]).toMatchObject({ type: 'webhook.test', state: 'delivered' });
  });
});

test('a call without the content that its webhook should receive causes one warning for each webhook', async () => {
  const { id } = await createWebhook({ payload: 'full' });
  await manager.close();
  const { GALLEY_PUBLIC_URL: _, ...environment } = ENVIRONMENT;
  manager = await startNode(environment);
  manager.service.startSender(FAST);
  await publish('c_a');
  await publish('c_b');
  await accept(2);
  expect(receiver.calls.map(({ event }) => 'content' in event.data)).toEqual([false, false]);
  expect(logged.filter(({ msg }) => msg.includes('GALLEY_PUBLIC_URL'))).toEqual([
    expect.objectContaining({ webhook: id }),
  ]);
});

describe('batches', () => {
  test('combine the changes made within two seconds', async () => {
    await createWebhook({ is_batched: true });
    manager.service.startSender(FAST);
    for (const id of ['c_a', 'c_b', 'c_a', 'c_c']) await publish(id);
    await receiver.waitUntil(({ calls }) => summarize(calls).length >= 4);
    const names = ['content.updated c_a', 'content.updated c_b', 'content.updated c_a', 'content.updated c_c'];
    expect(summarize(receiver.calls)).toEqual(names);
    expect(receiver.calls.length).toBeLessThanOrEqual(2);
    expect(receiver.calls[0]?.event).toMatchObject({ type: 'batch', data: { site: SITE } });
  });

  test('extend over all changes within two seconds, however few of them the webhook gets', async () => {
    await createWebhook({ is_batched: true, content_types: ['note'] });
    const others = Array.from({ length: 150 }, (_, index) => post(`c_other_${index}`));
    const note = (id: string) => post(id, { content_type: 'note' });
    await manager.service.importRecords([note('c_1'), ...others, note('c_2')]);
    manager.service.startSender(FAST);
    await accept(1);
    expect(summarize(receiver.calls)).toEqual(['content.published c_1', 'content.published c_2']);
  });

  test('contain at most 100 events', async () => {
    const { id } = await createWebhook({ is_batched: true });
    await manager.service.importRecords(Array.from({ length: 250 }, (_, index) => post(`c_many_${index}`)));
    manager.service.startSender(FAST);
    await receiver.waitUntil(({ calls }) => summarize(calls).length >= 250);
    expect(receiver.calls.map(({ event }) => event.data.events?.length).toSorted()).toEqual([100, 100, 50]);
    await settled(id, 3);
  });
});

describe('a receiver that fails', () => {
  test('gets calls about the same content in order, and other calls in parallel', async () => {
    const { id } = await createWebhook();
    const isFirstOfA = ({ event }: Pick<ReceivedCall, 'event'>): boolean => event.data.id === 'c_a';
    let failures = 3;
    receiver.behave = (call) => {
      if (!isFirstOfA(call) || failures === 0) return 200;
      failures -= 1;
      return 500;
    };
    manager.service.startSender({ ...FAST, retryAfterMs: [100, 100, 100] });
    for (const each of ['c_a', 'c_b', 'c_a', 'c_c', 'c_a']) await publish(each);
    await accept(5);
    const ofA = receiver.calls.filter(isFirstOfA).map((call) => call.event.data.position);
    expect(ofA).toEqual(ofA.toSorted());
    expect(
      new Set(
        receiver.calls
          .filter(isFirstOfA)
          .slice(0, 4)
          .map((call) => call.id),
      ).size,
    ).toBe(1);
    const last = (each: string) => receiver.calls.findLastIndex(({ event }) => event.data.id === each);
    expect(Math.max(last('c_b'), last('c_c'))).toBeLessThan(last('c_a'));
    await settled(id, 5);
    expect((await readCalls(id)).map(({ state, attempts }) => `${state} ${attempts}`).toSorted()).toEqual([
      'delivered 1',
      'delivered 1',
      'delivered 1',
      'delivered 1',
      'delivered 4',
    ]);
    expect((await readWebhook(id)).failing_since).toBeNull();
  });

  test('gets every call in the end, even if it hangs, redirects, or resets the connection; each attempt has a new signature', async () => {
    const { id, secret } = await createWebhook();
    receiver.secrets.add(secret);
    const behaviours = ['hang', 'reset', 302, { status: 200, afterMs: 200 }] as const;
    receiver.behave = () => behaviours[Math.min(receiver.calls.length, behaviours.length - 1)] ?? 200;
    manager.service.startSender({ retryAfterMs: [20, 20, 1100], attemptMs: 300 });
    await publish('c_a');
    await accept(1);
    expect(receiver.calls).toHaveLength(4);
    expect(new Set(receiver.calls.map((call) => call.id)).size).toBe(1);
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-signature'])).size).toBeGreaterThan(1);
    await settled(id, 1);
    expect((await readCalls(id))[0]).toMatchObject({ state: 'delivered', attempts: 4, status: 200 });
  });

  test('loses a call after the last attempt, and gets the next one', async () => {
    const { id } = await createWebhook();
    receiver.behave = ({ event }) => (event.type === 'content.unpublished' ? 503 : 200);
    manager.service.startSender({ ...FAST, retryAfterMs: [20] });
    await unpublish('c_a');
    await publish('c_a');
    await settled(id, 2);
    const [later, earlier] = await readCalls(id);
    expect(earlier).toMatchObject({ state: 'failed', attempts: 2, error: 'The receiver responded with status 503.' });
    expect(later).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  test('does not keep other receivers waiting, even if it hangs', async () => {
    await createWebhook({}, '/hangs');
    await createWebhook({}, '/works');
    receiver.behave = ({ path }) => (path.endsWith('/hangs') ? 'hang' : 200);
    await manager.service.importRecords(Array.from({ length: 60 }, (_, index) => post(`c_many_${index}`)));
    manager.service.startSender({ ...FAST, attemptMs: 600_000, leaseMs: 60_000 });
    await accept(60);
    expect(receiver.calls.filter(({ path }) => path.endsWith('/hangs'))).toHaveLength(8);
  });

  test('does not delay calls to other webhooks, however many changes it has to catch up on', async () => {
    await createWebhook({}, '/behind');
    await manager.service.importRecords(Array.from({ length: 500 }, (_, index) => post(`c_many_${index}`)));
    await createWebhook({}, '/current');
    await publish('c_a');
    receiver.behave = () => 'hang';
    manager.service.startSender({ ...FAST, attemptMs: 600_000, leaseMs: 60_000 });
    const readWaiting = () => manager.service.storage.read(selectWaitingCalls(0));
    await expect.poll(async () => (await readWaiting()).length, { interval: 20 }).toBe(502);
    const webhooks = (await readWaiting()).map(({ webhookNo }) => webhookNo);
    // The first hundred calls are made before anything is known about the backlog.
    expect(webhooks.indexOf(Math.max(...webhooks))).toBeLessThanOrEqual(100);
  });

  test('has its webhook switched off if it returns 410, and its pending calls end', async () => {
    const { id } = await createWebhook();
    receiver.behave = () => 410;
    for (const each of ['c_a', 'c_a', 'c_a']) await publish(each);
    manager.service.startSender(FAST);
    await settled(id, 3);
    expect(await readWebhook(id)).toMatchObject({ is_on: false, off_reason: 'gone', waiting_calls: 0 });
    expect((await readCalls(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(receiver.calls).toHaveLength(1);
    await publish('c_a');
    expect(logged.filter(({ msg }) => msg === 'a webhook was switched off')).toMatchObject([
      { webhook: id, reason: 'gone' },
    ]);
  });

  test('has its webhook switched off after five days of failures, but not if a call was delivered in between', async () => {
    const { id } = await createWebhook();
    const fiveDays = 5 * 24 * 3600 * 1000;
    receiver.behave = () => 500;
    const sender = manager.service.startSender({ ...FAST, retryAfterMs: [] });
    await publish('c_a');
    await settled(id, 1);
    expect((await readWebhook(id)).failing_since).not.toBeNull();
    await runSql(manager.service.storage, `update webhooks set failing_since = failing_since - ${fiveDays}`);
    receiver.behave = () => 200;
    await publish('c_a');
    await settled(id, 2);
    expect(await readWebhook(id)).toMatchObject({ is_on: true, failing_since: null });
    receiver.behave = () => 500;
    await publish('c_a');
    await settled(id, 3);
    await runSql(manager.service.storage, `update webhooks set failing_since = failing_since - ${fiveDays}`);
    await publish('c_a');
    await settled(id, 4);
    expect(await readWebhook(id)).toMatchObject({ is_on: false, off_reason: 'failing' });
    await sender.stop();
  });

  test('does not have its webhook switched off while a call has attempts left, and a delivered test ends the run of failures', async () => {
    const { id } = await createWebhook();
    const sixDays = 6 * 24 * 3600 * 1000;
    await runSql(manager.service.storage, `update webhooks set failing_since = ${Date.now() - sixDays}`);
    receiver.behave = ({ event }) => (event.type === 'webhook.test' ? 200 : 500);
    manager.service.startSender({ ...FAST, retryAfterMs: [20, 600_000] });
    await publish('c_a');
    await expect.poll(async () => (await readCalls(id))[0]?.attempts, { interval: 20 }).toBe(2);
    const failing = await readWebhook(id);
    expect(failing).toMatchObject({ is_on: true, waiting_calls: 1 });
    expect(failing.failing_since).not.toBeNull();
    await manager.expectOk('POST', `${HERE}/webhooks/${id}/test`);
    await settled(id, 1);
    expect(await readWebhook(id)).toMatchObject({ is_on: true, failing_since: null });
  });
});

describe('the sender', () => {
  test('pauses, but keeps running, if the database fails while it waits', async () => {
    const settings = readSettings(ENVIRONMENT, () => '');
    if (!settings.ok) throw new Error(settings.problem.join('\n'));
    const storage = await openStorage(database.url, Date.now(), settings.value);
    const { id } = await createWebhook();
    const sender = sendWebhooks({ settings: settings.value, storage, log: createLog(), options: FAST });
    await publish('c_a');
    await settled(id, 1);
    await storage.close();
    await expect.poll(() => logged.some(({ msg }) => msg.startsWith('webhook calls are on hold'))).toBe(true);
    await sender.stop();
  });

  test('calls no private address, whatever the host name is', async () => {
    await manager.close();
    manager = await startNode({});
    const { id } = await createWebhook({ url: `http://localhost:${receiver.port}/` });
    manager.service.startSender({ ...FAST, retryAfterMs: [] });
    await publish('c_a');
    await settled(id, 1);
    const [call] = await readCalls(id);
    expect(call).toMatchObject({ state: 'failed', status: null });
    expect(call?.error).toContain('localhost is not on the public internet');
    expect(receiver.calls).toEqual([]);
  });

  test("continues from the end of the log if a webhook's position is no longer in the log", async () => {
    const { id } = await createWebhook();
    await publish('c_a');
    await runSql(manager.service.storage, `update webhooks set position = '1'`);
    manager.service.startSender(FAST);
    await expect.poll(() => logged.find(({ level }) => level === 40)).toMatchObject({ webhook: id });
    await publish('c_b');
    await accept(1);
    expect(summarize(receiver.calls)).toEqual(['content.updated c_b']);
  });

  test('logs no body if content was permanently deleted during the attempt', async () => {
    const { id } = await createWebhook({ is_batched: true, payload: 'full' });
    const { promise: isDeleted, resolve: tell } = Promise.withResolvers<void>();
    receiver.hold = isDeleted;
    await manager.service.importRecords([post('c_x'), post('c_y')]);
    manager.service.startSender({ ...FAST, attemptMs: 600_000 });
    await receiver.waitUntil(({ arrived }) => arrived === 1);
    await deleteForGood('c_y');
    tell();
    await accept(1);
    expect(receiver.calls[0]?.body).toContain('c_y');
    await expect.poll(async () => (await readCalls(id)).at(-1)?.state, { interval: 20 }).toBe('delivered');
    const first = (await readCalls(id)).at(-1);
    const details = await manager.expectOk<WebhookCallDetailsBody>('GET', `${HERE}/webhooks/${id}/calls/${first?.id}`);
    expect(details.request?.body).toBeNull();
    expect(details.contents).toEqual(['c_x']);
  });

  test('keeps the order if an attempt has already been recorded and the call is still waiting', async () => {
    const { id } = await createWebhook();
    const { promise: isRecorded, resolve: tell } = Promise.withResolvers<void>();
    receiver.hold = isRecorded;
    await publish('c_a');
    await publish('c_a');
    manager.service.startSender({ ...FAST, attemptMs: 600_000 });
    await receiver.waitUntil(({ arrived }) => arrived === 1);
    await runSql(
      manager.service.storage,
      'update webhook_calls set attempts = 1 where no = (select min(no) from webhook_calls)',
    );
    tell();
    await accept(3);
    await settled(id, 2);
    const [later, earlier] = await readCalls(id);
    expect(receiver.calls.map((call) => call.id)).toEqual([earlier?.id, earlier?.id, later?.id]);
  });

  test('counts a call as failed if it cannot be prepared, and continues with the next one', async () => {
    const { id } = await createWebhook();
    const { storage } = manager.service;
    await runSql(storage, `update webhooks set headers = 'null'`);
    await publish('c_a');
    manager.service.startSender({ ...FAST, retryAfterMs: [20] });
    await settled(id, 1);
    const error = 'Galley could not prepare this call.';
    expect((await readCalls(id))[0]).toMatchObject({ state: 'failed', attempts: 2, status: null, error });
    await runSql(storage, `update webhooks set headers = '{}'`);
    await publish('c_a');
    await accept(1);
  });

  test('keeps the 500 calls that ended last', async () => {
    const { id } = await createWebhook();
    const { storage } = manager.service;
    const numbers = Array.from({ length: 510 }, (_, index) => index);
    const rows = numbers.map((index) => `(1, 1, 'msg_old_${index}', 'webhook.test', '[]', 'delivered', 1)`);
    await runSql(
      storage,
      `insert into webhook_calls (site_no, webhook_no, id, type, events, state, created_at)
        select s.no, w.no, v.column3, v.column4, v.column5, v.column6, v.column7
        from sites as s, webhooks as w, (values ${rows.join(',')}) as v where s.id = '${SITE}' and w.site_no = s.no`,
    );
    manager.service.startSender(FAST);
    await publish('c_a');
    await accept(1);
    await expect.poll(async () => (await readCallIds(id)).length).toBe(500);
    expect((await readCallIds(id)).at(-1)).toBe('msg_old_11');
  });

  test('reports its calls as metrics', async () => {
    await manager.close();
    manager = await startNode({ ...ENVIRONMENT, GALLEY_METRICS: 'true' });
    const { id } = await createWebhook();
    receiver.behave = () => (receiver.calls.length === 0 ? 500 : 200);
    manager.service.startSender(FAST);
    await publish('c_a');
    await settled(id, 1);
    const readMetrics = async () => (await fetch(`${manager.service.url}/metrics`)).text();
    await expect.poll(readMetrics).toContain('galley_webhook_calls_waiting 0');
    expect(await readMetrics()).toContain('galley_webhook_calls_total{outcome="delivered"} 1');
    expect(await readMetrics()).toContain('galley_webhook_calls_total{outcome="retried"} 1');
    expect(await readMetrics()).toContain('galley_webhook_calls_total{outcome="failed"} 0');
  });

  test('stops while a receiver hangs, and the next sender sends the call again', async () => {
    await createWebhook();
    receiver.behave = () => (receiver.calls.length === 0 ? 'hang' : 200);
    const sender = manager.service.startSender({ ...FAST, attemptMs: 600_000 });
    await publish('c_a');
    await receiver.waitUntil(({ calls }) => calls.length === 1);
    await sender.stop();
    manager.service.startSender(FAST);
    await accept(1);
    expect(receiver.calls).toHaveLength(2);
    expect(receiver.calls[0]?.id).toBe(receiver.calls[1]?.id);
  });

  test('works in only one process at a time, and another process takes over when that one stops', async () => {
    const { id } = await createWebhook();
    const other = await startNode();
    try {
      const sender = manager.service.startSender(FAST);
      await publish('c_a');
      await accept(1);
      other.service.startSender(FAST);
      for (const each of ['c_a', 'c_b', 'c_c']) await publish(each);
      await accept(4);
      await settled(id, 4);
      await sender.stop();
      await publish('c_b');
      await accept(5);
      await settled(id, 5);
      expect(new Set(receiver.calls.map((call) => call.id)).size).toBe(receiver.calls.length);
    } finally {
      await other.close();
    }
  });

  test('takes over a lease that seems to last too long because a clock was wrong', async () => {
    await createWebhook();
    const inAnHour = Date.now() + 3600 * 1000;
    await runSql(
      manager.service.storage,
      `insert into leases (name, holder, until) values ('webhooks', 'somebody else', ${inAnHour})`,
    );
    manager.service.startSender(FAST);
    await publish('c_a');
    await accept(1);
  });

  test('records nothing and stops sending once another process has taken its lease', async () => {
    const { id } = await createWebhook();
    receiver.behave = () => (receiver.calls.length === 0 ? { status: 200, afterMs: 3000 } : 200);
    manager.service.startSender({ ...FAST, attemptMs: 600_000, leaseMs: 4000 });
    await publish('c_a');
    await expect.poll(() => logged.some(({ msg }) => msg === 'this process now sends the webhook calls')).toBe(true);
    await expect.poll(async () => (await readCalls(id)).length).toBe(1);
    await runSql(manager.service.storage, `update leases set holder = 'somebody else', until = ${Date.now() + 6000}`);
    await accept(1);
    expect((await readCalls(id))[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    // The other process's lease ends, so the call is sent again.
    await accept(2);
    expect(new Set(receiver.calls.map((call) => call.id)).size).toBe(1);
    await settled(id, 1);
  });
});

/** All calls to a webhook, newest first. */
async function readCallIds(id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (;;) {
    const page = await manager.expectOk<{ data: WebhookCallBody[]; next_cursor: string | null }>(
      'GET',
      `${HERE}/webhooks/${id}/calls?limit=100${cursor}`,
    );
    ids.push(...page.data.map((call) => call.id));
    if (page.next_cursor === null) return ids;
    cursor = `&cursor=${page.next_cursor}`;
  }
}
