// With a full disk or a read-only database, changes are rejected with the reason, readers are not affected, and the service recovers on
// its own.

import type { ManagedContentBody } from '@galley/wire';
import { sql } from 'kysely';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMessage } from '../../src/cli/describe-failure.ts';
import { defineStatement, query } from '../../src/storage/statement.ts';
import { type Answer, type Manager, startManager } from '../management/manager.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

const HOUR_MS = 3_600_000;
const CONTENT = '/sites/s_small/content/c_1';
const PERSON = { email: 'ines@example.com', name: 'Ines', role: 'editor', password: 'a long enough password' };
const FULL =
  "Nothing was saved, because the server's disk is full; reading still works. Please tell the people who run this server.";
const READ_ONLY =
  'Nothing was saved, because the database is not accepting changes at the moment; reading still works. Please tell the people who run this server.';
const OK = [200, { status: 'ok', checks: { database: 'ok' } }];
const DEGRADED = [200, { status: 'degraded', checks: { database: 'ok', writes: 'failed' } }];

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly obstacle?: string;
  readonly met?: number;
  readonly err?: { readonly message: string };
}

let manager: Manager;
let database: TestDatabase;
let lines: LogLine[] = [];
/** How far the service's clock runs ahead. */
let aheadMs = 0;
let names = 0;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const createDatabase = async (): Promise<TestDatabase> => {
      database = await createTestDatabase(engine);
      return database;
    };
    const log = pino({ level: 'debug' }, { write: (text) => void lines.push(JSON.parse(text)) });
    manager = await startManager({ GALLEY_METRICS: 'true' }, { createDatabase, log, now: () => Date.now() + aheadMs });
    await manager.service.importRecords([siteRecord(), typeRecord(), postRecord('c_1'), postRecord('c_2')]);
    await manager.expectOk('POST', '/users', PERSON);
  });

  afterAll(() => manager.close());

  function rename(prefix = ''): Promise<Answer> {
    names += 1;
    return manager.call('PATCH', '/account', { body: { name: `${prefix}Account ${names}` } });
  }

  async function readReadiness(): Promise<readonly [number, unknown]> {
    const response = await fetch(`${manager.service.url}/readyz`);
    return [response.status, await response.json()];
  }

  async function readMetric(): Promise<string | undefined> {
    const text = await (await fetch(`${manager.service.url}/metrics`)).text();
    return /^galley_storage_writable (\d)$/m.exec(text)?.[1];
  }

  /** Runs SQL on the connection that the service uses for writes. */
  function runOnWriter(text: string): Promise<unknown> {
    return manager.service.storage.transaction((transaction) =>
      transaction.run(query(defineStatement(() => sql.raw(text)))),
    );
  }

  async function runOnServer(...texts: readonly string[]): Promise<void> {
    if (database.url.engine !== 'postgres') throw new Error('Not a server');
    const client = new Client(database.url.url);
    await client.connect();
    // The test that makes the database read-only must be able to undo that.
    await client.query('set default_transaction_read_only = off');
    for (const text of texts) await client.query(text);
    await client.end();
  }

  const REFUSE = `create function refuse() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`;
  const TABLES = ['audit_entries', 'idempotent_calls', 'content_versions'];
  const ISOLATE =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

  interface Fault {
    begin(): Promise<unknown>;
    /** Undefined if the fault cannot be undone. The test for it has to run last. */
    readonly end?: () => Promise<unknown>;
  }

  const ON_SQLITE: Record<'full' | 'read-only', Fault> = {
    // SQLite has its own size limit, which a test can set. The error is the same as for a full disk.
    full: {
      begin: () => runOnWriter('pragma max_page_count = 1'),
      end: () => runOnWriter('pragma max_page_count = 1000000'),
    },
    // From now on, this connection cannot even begin a transaction.
    'read-only': { begin: () => runOnWriter('pragma query_only = 1') },
  };

  const ON_POSTGRES: typeof ON_SQLITE = {
    full: {
      begin: () =>
        runOnServer(
          REFUSE,
          ...TABLES.map((table) => `create trigger full_${table} before insert on ${table} execute function refuse()`),
        ),
      end: () => runOnServer('drop function refuse cascade'),
    },
    'read-only': {
      begin: () => runOnServer(buildAlter('set default_transaction_read_only = on'), ISOLATE),
      end: () => runOnServer(buildAlter('reset default_transaction_read_only')),
    },
  };

  function buildAlter(change: string): string {
    return `do $$ begin execute format('alter database %I ${change}', current_database()); end $$`;
  }

  describe.each([
    ['full', 507, FULL, 'storage_full'],
    ['read-only', 503, READ_ONLY, 'database_read_only'],
  ] as const)('while the database is %s', (obstacle, status, message, code) => {
    const { begin, end } = engine === 'postgres' ? ON_POSTGRES[obstacle] : ON_SQLITE[obstacle];

    /** Existing pages may still have some free space. */
    async function failFirst(): Promise<Answer> {
      lines = [];
      await begin();
      // Long names fill up the free space quickly, and short ones use up the rest.
      while ((await rename('long '.repeat(40))).status === 200);
      for (;;) {
        const answer = await rename();
        if (answer.status !== 200) return answer;
      }
    }

    test('nothing is saved, and the response explains why; readers are not affected', async () => {
      const before = await manager.call('GET', CONTENT);
      const failed = await failFirst();
      expect([failed.status, failed.body]).toEqual([status, { message, code }]);
      expect(failed.headers.get('retry-after')).toBe('10');
      const { body: account } = await manager.call('GET', '/account');
      for (let count = 0; count < 20; count += 1) expect((await rename()).status).toBe(status);
      const save = { version: 1, name: 'x', fields: { title: { text: 'long '.repeat(20_000) } } };
      const calls = [
        manager.call('PUT', CONTENT, { body: save }),
        manager.call('POST', `${CONTENT}/unpublish`, { headers: { 'idempotency-key': 'k' } }),
        manager.call('POST', '/session', {
          token: undefined,
          body: { email: PERSON.email, password: PERSON.password },
        }),
      ];
      for (const answer of await Promise.all(calls))
        expect([answer.status, answer.body]).toEqual([status, { message, code }]);

      // A wrong password gets the same response for any email.
      for (const email of [PERSON.email, 'nobody@example.com']) {
        const body = { email, password: 'not the password' };
        expect((await manager.call('POST', '/session', { token: undefined, body })).status).toBe(401);
      }

      expect((await manager.call('GET', '/account')).body).toEqual(account);
      expect((await manager.call('GET', CONTENT)).body).toEqual(before.body);
      expect((await manager.read('s_small', `/c_1?fresh=${obstacle}`)).status).toBe(200);
      expect((await manager.read('s_small', `?fresh=${obstacle}`)).status).toBe(200);
    });

    test('an import saves nothing and reports the reason', async () => {
      const posts = Array.from({ length: 200 }, (_, no) => postRecord(`c_more_${no}`, { site: 's_more' }));
      const failure: unknown = await manager.service
        .importRecords([siteRecord('s_more'), typeRecord('s_more'), ...posts])
        .catch((error: unknown) => error);
      expect(findMessage(failure)).toMatch(
        /^The (database disk is full|database is read-only), so nothing was saved\./,
      );
      expect((await manager.call('GET', '/sites/s_more')).status).toBe(404);
    });

    test('the node reports the problem and keeps serving; the log mentions it once', async () => {
      await expect.poll(readReadiness).toEqual(DEGRADED);
      expect(await readMetric()).toBe('0');
      const told = lines.filter((line) => line.obstacle !== undefined);
      expect(told).toMatchObject([{ level: 50, obstacle, met: 1 }]);
      const engineCodes = { sqlite: { full: 13, 'read-only': 8 }, postgres: { full: 53100, 'read-only': 25006 } };
      expect(told[0]?.err?.message).toContain(String(engineCodes[engine][obstacle]));
    });

    if (end === undefined) return;

    test('a due schedule waits and runs once the database can be written to again', async () => {
      await end();
      await expect.poll(readReadiness).toEqual(OK);
      const path = '/sites/s_small/content/c_2';
      const { version } = await manager.expectOk<ManagedContentBody>('GET', path);
      // Long enough that no page of the database has space for it.
      const name = `Published when the database was no longer ${obstacle}`;
      await manager.expectOk('PUT', path, { version, name, fields: { title: { text: 'long '.repeat(20_000) } } });
      const at = new Date(Date.now() + aheadMs + HOUR_MS).toISOString();
      await manager.expectOk('POST', `${path}/schedule`, { publish_at: at });
      await failFirst();
      aheadMs += HOUR_MS;
      manager.service.startClock();
      await expect.poll(() => lines.some(({ msg }) => msg.startsWith('schedules are on hold'))).toBe(true);
      const readName = async () => JSON.stringify((await manager.read('s_small', '/c_2')).body).includes(name);
      expect(await readName()).toBe(false);
      expect(lines.filter((line) => line.obstacle !== undefined)).toHaveLength(1);
      expect(lines.filter(({ msg }) => msg.startsWith('schedules are on hold'))).toHaveLength(1);
      await end();
      await expect.poll(readName).toBe(true);
    });

    test('the next save works without a restart, and the node reports that it is healthy again', async () => {
      await failFirst();
      await end();
      expect((await rename()).status).toBe(200);
      await expect.poll(readReadiness).toEqual(OK);
      expect(await readMetric()).toBe('1');
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 30, msg: 'The database can be written to again.' }),
      );
    });

    test('the node detects the recovery on its own, even if nobody saves anything', async () => {
      await failFirst();
      await expect.poll(readReadiness).toEqual(DEGRADED);
      await end();
      await expect.poll(readReadiness).toEqual(OK);
    });
  });
});
