// Connections that the server ends in the middle: readers notice nothing, and whoever saves learns what has become of it.

import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Manager, startManager } from '../management/manager.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { createPostgresDatabase, type PostgresDatabase, TEMPLATE } from '../support/test-database.ts';

const IDS = Array.from({ length: 20 }, (_, no) => `c_${no}`);
const NOT_SAVED = 'Service unavailable. Nothing was saved.';
const UNKNOWN =
  'The database failed during the save, so the change may or may not have been saved. Check before you repeat it, or repeat the request with the same Idempotency-Key.';
/** Whoever holds this lock stops writes. */
const GATE = 4711;

let database: PostgresDatabase;
let proxy: FaultProxy;
let manager: Manager;
/** Errors in the log. */
const lines: { readonly msg: string }[] = [];
/** Straight at the server. */
let admin: Client;

beforeAll(async () => {
  database = await createPostgresDatabase(TEMPLATE);
  proxy = await startFaultProxy(database.url.url);
  const createDatabase = async () => ({ url: { engine: 'postgres', url: proxy.url } as const, remove: async () => {} });
  const log = pino({ level: 'error' }, { write: (text) => void lines.push(JSON.parse(text)) });
  manager = await startManager({ GALLEY_CACHE_MB: '0' }, { createDatabase, log });
  await manager.service.importRecords([siteRecord(), typeRecord(), ...IDS.map((id) => postRecord(id))]);
  admin = new Client(database.url.url);
  await admin.connect();
  await admin.query(`create function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end $$`);
});

afterAll(async () => {
  await manager.close();
  await proxy[Symbol.asyncDispose]();
  await admin.end();
  await database.remove();
});

/** @returns how many connections were ended */
async function terminateAll(): Promise<number> {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'galley'`,
  );
  return rowCount ?? 0;
}

test('reads go on while the server ends all connections again and again', async () => {
  const statuses = new Map<string, number>();
  let isOver = false;
  let ended = 0;
  const count = async (name: string, answering: Promise<Answer>): Promise<void> => {
    const key = `${name} ${(await answering).status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  };
  const readers = Array.from({ length: 4 }, async (_, reader) => {
    for (let no = reader; !isOver; no += 1) {
      await count('object', manager.read('s_small', `/${IDS[no % IDS.length]}`));
      await count('list', manager.read('s_small', `?limit=5&sort=name:desc&no=${no}`));
      await count('preview', manager.read('s_small', `?limit=5&no=${no}`, { 'x-service-preview': 'true' }));
      await count('management', manager.call('GET', `/sites/s_small/content?limit=5`));
    }
  });
  const until = performance.now() + 4000;
  while (performance.now() < until || ended <= 10) {
    ended += await terminateAll();
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  isOver = true;
  await Promise.all(readers);
  expect([...statuses.keys()].toSorted()).toEqual(['list 200', 'management 200', 'object 200', 'preview 200']);
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

test('a save whose connection ends before the commit says that nothing was saved', async () => {
  const open = await stopAtGate(
    'create trigger gate after insert on audit_entries for each row execute function wait_at_gate()',
  );
  const saving = createAuthor('before');
  await awaitWriterAtGate();
  await terminateAll();
  const { status, headers, body } = await saving;
  expect([status, headers.get('retry-after'), body]).toEqual([503, '1', { message: NOT_SAVED }]);
  await open();
  expect(await countAuthors('before')).toBe(0);
  expect((await createAuthor('before')).status).toBe(201);
  await admin.query('drop trigger gate on audit_entries');
});

test('a save whose connection ends during the commit says that it may be saved, and its repeat does nothing twice', async () => {
  const open = await stopAtGate(
    'create constraint trigger gate after insert on audit_entries deferrable initially deferred for each row execute function wait_at_gate()',
  );
  const saving = createAuthor('during');
  await awaitWriterAtGate();
  proxy.cut();
  const { status, headers, body } = await saving;
  expect([status, headers.get('retry-after'), body]).toEqual([503, '1', { message: UNKNOWN }]);
  expect(lines.filter(({ msg }) => msg.includes('may or may not have been saved'))).toHaveLength(1);
  await open();
  // The server does not know that nobody waits for it.
  await expect.poll(() => countAuthors('during')).toBe(1);
  const again = await createAuthor('during');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(await countAuthors('during')).toBe(1);
  await admin.query('drop trigger gate on audit_entries');
});

test('a save on a connection that was ended before it began is done all the same', async () => {
  for (let no = 0; no < 10; no += 1) {
    await terminateAll();
    expect((await createAuthor(`idle-${no}`)).status).toBe(201);
  }
});
