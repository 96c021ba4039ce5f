// The server closes connections while they are in use. Readers must not be affected, and the response to a failed save must say whether
// the change was saved.

import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Manager, startManager } from '../management/manager.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { LIKE_PRODUCTION } from '../support/service.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { TEMPLATE } from '../support/test-server.ts';

const IDS = Array.from({ length: 20 }, (_, no) => `c_${no}`);
const NOT_SAVED = 'Service unavailable. Nothing was saved.';
const UNKNOWN =
  'The database failed during the save, so the change may or may not have been saved. Check before you try again, or repeat the request with the same Idempotency-Key.';
/** Holding this lock blocks all writes. */
const GATE = 4711;

let database: PostgresDatabase;
let proxy: FaultProxy;
let manager: Manager;
/** The errors in the log. */
const lines: { readonly msg: string }[] = [];
/** Uses a direct connection to the server. */
let admin: Client;
let other: Client;

beforeAll(async () => {
  database = await createPostgresDatabase(TEMPLATE);
  proxy = await startFaultProxy(database.url.url);
  const createDatabase = async () => ({ url: { engine: 'postgres', url: proxy.url } as const, remove: async () => {} });
  const log = pino({ level: 'error' }, { write: (text) => void lines.push(JSON.parse(text)) });
  manager = await startManager({ GALLEY_CACHE_MB: '0' }, { createDatabase, log, storage: LIKE_PRODUCTION });
  await manager.service.importRecords([siteRecord(), typeRecord(), ...IDS.map((id) => postRecord(id))]);
  [admin, other] = [new Client(database.url.url), new Client(database.url.url)];
  await Promise.all([admin.connect(), other.connect()]);
  await admin.query(`create function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end $$`);
});

afterAll(async () => {
  await manager.close();
  await proxy[Symbol.asyncDispose]();
  await Promise.all([admin.end(), other.end()]);
  await database.remove();
});

/** @returns the number of connections that were closed */
async function terminateAll(): Promise<number> {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'galley'`,
  );
  return rowCount ?? 0;
}

const READS: Readonly<Record<string, (no: number) => Promise<Answer>>> = {
  object: (no) => manager.read('s_small', `/${IDS[no % IDS.length]}`),
  list: (no) => manager.read('s_small', `?limit=5&sort=name:desc&no=${no}`),
  preview: (no) => manager.read('s_small', `?limit=5&no=${no}`, { 'x-service-preview': 'true' }),
  management: () => manager.call('GET', '/sites/s_small/content?limit=5'),
};

const TIMES_ENDED = 3;

// A read has 1.7 seconds. If the machine is so busy that this is not enough, the test tries again.
test.each(Object.entries(READS))(
  'a read succeeds even if its connection is closed several times: %s',
  async (_name, read) => {
    await expect.poll(() => readInterrupted(read)).toEqual([TIMES_ENDED, 200]);
  },
);

/** @returns how often the connection was closed, and the status of the response */
async function readInterrupted(read: (no: number) => Promise<Answer>): Promise<readonly [number, number]> {
  await other.query('begin');
  await other.query('lock table contents, published_contents, preview_contents in access exclusive mode');
  let isAnswered = false;
  const reading = read(0).finally(() => {
    isAnswered = true;
  });
  const ended = new Set<number>();
  while (ended.size < TIMES_ENDED && !isAnswered) {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    for (const { pid } of rows) ended.add(pid);
  }
  await other.query('rollback');
  return [ended.size, (await reading).status];
}

/** A read keeps retrying for at least this long. (No request waits longer than 1 s for a connection, or 1.7 s for a read.) */
const LEAST_TRIED_MS = 950;

test('no read gives up early while the server keeps closing all connections', async () => {
  const statuses = new Map<string, number>();
  let isOver = false;
  let ending = Promise.resolve(0);
  let ended = 0;
  const readers = Array.from({ length: 6 }, async (_, reader) => {
    for (let no = reader; !isOver; no += 1) {
      for (const [name, read] of Object.entries(READS)) {
        const startedAt = performance.now();
        const { status } = await read(no);
        // A busy machine only makes this take longer.
        const hasTried = status === 503 && performance.now() - startedAt >= LEAST_TRIED_MS;
        const key = `${name} ${hasTried ? 'after retrying' : status}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        // The reader that was served interrupts the others.
        ending = ending.then(terminateAll);
        ended += await ending;
      }
    }
  });
  await expect.poll(() => ended > 100 && statuses.size >= Object.keys(READS).length).toBe(true);
  isOver = true;
  await Promise.all(readers);
  expect([...statuses.keys()].filter((key) => !/ (200|after retrying)$/.test(key))).toEqual([]);
});

async function stopAtGate(trigger: string): Promise<() => Promise<void>> {
  await admin.query(trigger);
  await admin.query(`select pg_advisory_lock(${GATE})`);
  return async () => {
    await admin.query(`select pg_advisory_unlock(${GATE})`);
  };
}

async function awaitWriterAtGate(): Promise<void> {
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`;
  await expect.poll(async () => (await admin.query(waiting)).rowCount, { interval: 5 }).toBe(1);
}

function createAuthor(key: string): Promise<Answer> {
  const options = { body: { name: key }, headers: { 'idempotency-key': key } };
  return manager.call('POST', '/sites/s_small/authors', options);
}

async function countAuthors(name: string): Promise<number> {
  return Number((await admin.query('select 1 from authors where name = $1', [name])).rowCount);
}

test('a save whose connection is closed before the commit reports that nothing was saved', async () => {
  const open = await stopAtGate(
    'create trigger gate after insert on audit_entries for each row execute function wait_at_gate()',
  );
  const saving = createAuthor('before');
  await awaitWriterAtGate();
  await terminateAll();
  const { status, headers, body } = await saving;
  expect([status, headers.get('retry-after'), body]).toEqual([503, '1', { message: NOT_SAVED, code: 'not_saved' }]);
  await open();
  expect(await countAuthors('before')).toBe(0);
  expect((await createAuthor('before')).status).toBe(201);
  await admin.query('drop trigger gate on audit_entries');
});

test('a save whose connection is closed during the commit reports that the change may have been saved, and can be retried safely', async () => {
  const open = await stopAtGate(
    'create constraint trigger gate after insert on audit_entries deferrable initially deferred for each row execute function wait_at_gate()',
  );
  const saving = createAuthor('during');
  await awaitWriterAtGate();
  proxy.cut();
  const { status, headers, body } = await saving;
  expect([status, headers.get('retry-after'), body]).toEqual([503, '1', { message: UNKNOWN, code: 'outcome_unknown' }]);
  expect(lines.filter(({ msg }) => msg.includes('may or may not have been saved'))).toHaveLength(1);
  await open();
  // The server does not notice that its client is gone, so it completes the commit.
  await expect.poll(() => countAuthors('during')).toBe(1);
  const again = await createAuthor('during');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(await countAuthors('during')).toBe(1);
  await admin.query('drop trigger gate on audit_entries');
});

test('a save succeeds even if its connection was closed before the save began', async () => {
  for (let no = 0; no < 10; no += 1) {
    await terminateAll();
    expect((await createAuthor(`idle-${no}`)).status).toBe(201);
  }
});
