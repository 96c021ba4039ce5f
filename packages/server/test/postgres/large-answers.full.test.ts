// A thread with its own connections reads large responses. The node must not serve older data than that thread has seen.

import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createDrainState } from '../../src/http/drain.ts';
import { readSettings } from '../../src/settings.ts';
import { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts';
import { buildStorage } from '../../src/storage/storage.ts';
import { exchange, LIST_PATH, type Reply } from '../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../conformance/records.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startService, type TestService } from '../support/service.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { TEMPLATE } from '../support/test-server.ts';

const TEXT = 'long text '.repeat(150_000);
const TYPES = [site(PRESS), contentType(PRESS, 'note', [{ handle: 'body', type: 'text' }])];

function buildContents(name: string): readonly object[] {
  const large = content({ id: 'c_large', name, fields: { body: { text: TEXT } } });
  return [...TYPES, content({ id: 'c_small', name }), large];
}

let database: PostgresDatabase;
let toThread: FaultProxy;
/** A second service, whose writes the node has to detect. */
let other: TestService;
let token: string;

beforeAll(async () => {
  database = await createPostgresDatabase(TEMPLATE);
  toThread = await startFaultProxy(database.url.url);
  const address = database.url;
  other = await startService({}, { createDatabase: async () => ({ url: address, remove: async () => {} }) });
  await other.importRecords(buildContents('old'));
  ({ token } = await other.createKey({ sites: [PRESS] }));
});

afterAll(async () => {
  await other?.close();
  await toThread?.[Symbol.asyncDispose]();
  await database?.remove();
});

/**
 * Opens a node that does not watch the server, and uses it to read an object by ID.
 * @param freshnessMs how long the node treats its last read as current
 */
async function startNode(freshnessMs: number): Promise<(id: string, more?: object) => Promise<Reply>> {
  const settings = readSettings({}, () => '');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  const engine = new PostgresEngine(database.url.url, { freshnessMs });
  const storage = buildStorage(engine, randomBytes(32), { engine: 'postgres', url: toThread.url });
  const node = createApp({
    settings: settings.value,
    storage,
    log: pino({ level: 'silent' }),
    drain: createDrainState(),
    now: Date.now,
    version: '0.0.0-test',
    demoAccess: undefined,
  });
  node.addHook('onClose', () => storage.close());
  const url = await node.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => node.close());
  const headers = { authorization: `Bearer ${token}`, 'x-service-site': PRESS };
  return (id, more = {}) => exchange(url, 'GET', `${LIST_PATH}/${id}`, { ...headers, ...more });
}

test('a node that has served newer data in a large response does not then serve older data from its cache', async () => {
  const read = await startNode(600_000);
  await read('c_small');
  const before = await read('c_small');
  expect([before.headers['cache-status'], before.text]).toEqual(['galley; hit', expect.stringContaining('"old"')]);
  // The delay ensures that the thread reads after the import.
  toThread.delay(100);
  const large = read('c_large');
  await expect.poll(() => toThread.connections, { interval: 1 }).toBeGreaterThan(0);
  await other.importRecords(buildContents('new'));
  expect((await large).text.slice(0, 1000)).toContain('"new"');
  const after = await read('c_small');
  expect([after.headers['cache-status'], after.text]).toEqual(['galley; fwd=miss', expect.stringContaining('"new"')]);
});

test('a client waiting for the same large response gets it, even if the thread can no longer reach the server', async () => {
  const read = await startNode(0);
  // The delay ensures that the second response is still being read when the first one arrives.
  toThread.delay(100);
  const replies = [read('c_large'), read('c_large')];
  const first = await Promise.race(replies);
  await toThread.refuse();
  const statuses = (await Promise.all(replies)).map(({ status, headers }) => [status, headers['cache-status']]);
  expect(statuses.toSorted()).toEqual([
    [200, 'galley; fwd=miss'],
    [200, 'galley; hit; detail=stale'],
  ]);
  expect((await replies[1])?.text).toBe(first.text);
});

test.each(['c_small', 'c_large'])(
  'a request with Cache-Control: newest returns what another node has just written to %s',
  async (id) => {
    toThread.delay(0);
    await toThread.restore();
    await other.importRecords(buildContents('earlier'));
    const read = await startNode(600_000);
    await read(id);
    await other.importRecords(buildContents('later'));
    const cached = await read(id);
    expect([cached.headers['cache-status'], cached.text]).toEqual([
      'galley; hit',
      expect.stringContaining('"earlier"'),
    ]);
    for (const directives of ['newest', 'no-cache, Newest']) {
      expect((await read(id, { 'cache-control': directives })).text).toContain('"later"');
    }
  },
);
