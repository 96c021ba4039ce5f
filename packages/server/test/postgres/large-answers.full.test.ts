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
import { author, content, contentType, PRESS, site } from '../conformance/records.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startService, type TestService } from '../support/service.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { TEMPLATE } from '../support/test-server.ts';

const TEXT = 'long text '.repeat(150_000);
const RECORDS = [
  site(PRESS),
  author('u_ada', 'old'),
  contentType(PRESS, 'note', [{ handle: 'body', type: 'text' }]),
  content({ id: 'c_small', author: 'u_ada' }),
  content({ id: 'c_large', author: 'u_ada', fields: { body: { text: TEXT } } }),
];

/** Changes both objects with a small write. */
function renameAuthor(name: string): Promise<unknown> {
  return other.importRecords([author('u_ada', name)]);
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
  await other.importRecords(RECORDS);
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

// If the machine is so busy that the thread gives up, or that the proxy comes too late, these tests try again.

test('a node that has served newer data in a large response does not then serve older data from its cache', async () => {
  await expect.poll(serveNewer).toBe(200);
});

/** @returns the status of a large response that the thread reads after an import */
async function serveNewer(): Promise<number> {
  await renameAuthor('old');
  const read = await startNode(600_000);
  await read('c_small');
  const before = await read('c_small');
  expect([before.headers['cache-status'], before.text]).toEqual(['galley; hit', expect.stringContaining('"old"')]);
  const { connections } = toThread;
  const release = toThread.hold();
  const reading = read('c_large');
  await expect.poll(() => toThread.connections, { interval: 1 }).toBeGreaterThan(connections);
  await renameAuthor('new');
  release();
  const large = await reading;
  if (large.status !== 200) return large.status;
  expect(large.text.includes('"new"')).toBe(true);
  const after = await read('c_small');
  expect([after.headers['cache-status'], after.text]).toEqual(['galley; fwd=miss', expect.stringContaining('"new"')]);
  return 200;
}

test('a client waiting for the same large response gets it, even if the thread can no longer reach the server', async () => {
  await expect.poll(loseServer).toEqual([
    [200, 'galley; fwd=miss'],
    [200, 'galley; hit; detail=stale'],
  ]);
});

/** Sends a request twice, and disconnects the server when the first response has arrived. */
async function loseServer(): Promise<readonly unknown[]> {
  await toThread.restore();
  const read = await startNode(0);
  // The delay lets the first response arrive before the second one has been read.
  toThread.delay(100);
  const replies = [read('c_large'), read('c_large')];
  await Promise.race(replies);
  await toThread.refuse();
  const [one, other] = await Promise.all(replies);
  expect(one?.text === other?.text).toBe(one?.status === other?.status);
  return [one, other].map((reply) => [reply?.status, reply?.headers['cache-status']]).sort();
}

test.each(['c_small', 'c_large'])(
  'a request with Cache-Control: newest returns what another node has just written to %s',
  async (id) => {
    toThread.delay(0);
    await toThread.restore();
    await renameAuthor('earlier');
    const read = await startNode(600_000);
    await read(id);
    await renameAuthor('later');
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
