// The guarantees that every database engine gives the rest of the service.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { ConstraintViolation, StorageUnavailable, TookTooLong, type Transaction } from '../../src/storage/engine.ts';
import { SCHEMA_VERSION, SchemaTooNew } from '../../src/storage/migrations.ts';
import { selectSite, selectSites } from '../../src/storage/sites/select-catalog.ts';
import { writeSite } from '../../src/storage/sites/write-site.ts';
import { checkTime, defineStatement, type Procedure, query, slot } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { insertContentType } from '../../src/storage/types/write-types.ts';
import { releaseLease, takeLease } from '../../src/storage/webhooks/leases.ts';
import { runSql } from '../support/run-sql.ts';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  createTestDatabase,
  ENGINES,
  type TestDatabase,
} from '../support/test-database.ts';

const OTHER_PROCESS = fileURLToPath(new URL('other-process.ts', import.meta.url));

const selectVersions = defineStatement(() => sql`select version from schema_versions order by version`);
const insertVersion = defineStatement(
  () => sql`insert into schema_versions (version, applied_at) values (${slot('version')}, 0)`,
);

describe.each(ENGINES)('storage on %s', (engine) => {
  let database: TestDatabase;
  let storage: Storage;
  /** Another connection to the same database. */
  let second: Storage;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    storage = await openStorage(database.url, Date.now());
    second = await openStorage(database.url, Date.now());
  });

  afterEach(() => runSql(storage, 'delete from sites'));

  afterAll(async () => {
    await storage.close();
    await second.close();
    await database.remove();
  });

  async function siteNames(from = storage): Promise<readonly string[]> {
    return (await from.read(selectSites())).map(({ name }) => name);
  }

  function addSite(to: Storage, id: string, name = id): Promise<unknown> {
    return to.transaction((transaction) => transaction.run(writeSite(siteWrite(id, name), 0)));
  }

  async function readVersions(from: Storage): Promise<readonly number[]> {
    return (await from.read(query<{ version: number }>(selectVersions))).map(({ version }) => version);
  }

  test('is unavailable after it is closed, and can be closed again', async () => {
    const closed = await openStorage(database.url, Date.now());
    await closed.close();
    await expect(closed.read(selectSites())).rejects.toBeInstanceOf(StorageUnavailable);
    await closed.close();
  });

  test('waits for transactions that have already started before it closes', async () => {
    const closing = await openStorage(database.url, Date.now());
    const writing = addSite(closing, 's_a', 'A');
    await Promise.all([writing, closing.close()]);
    expect(await siteNames()).toEqual(['A']);
  });

  describe('transactions', () => {
    test('commit all changes when they end, and return the result of their work', async () => {
      const outcome = await storage.transaction(async (transaction) => {
        await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
        await transaction.run(writeSite(siteWrite('s_b', 'B'), 0));
        return 'done';
      });
      expect(outcome).toBe('done');
      expect(await siteNames()).toEqual(['A', 'B']);
    });

    test('are rolled back when their work fails, and pass on the error', async () => {
      const failure = new Error('second thoughts');
      const attempt = storage.transaction(async (transaction) => {
        await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
        throw failure;
      });
      const following = addSite(storage, 's_b', 'B');
      await expect(attempt).rejects.toBe(failure);
      await following;
      expect(await siteNames()).toEqual(['B']);
    });

    test('reject further statements once they have ended', async () => {
      let leaked: Transaction | undefined;
      await storage.transaction(async (transaction) => {
        leaked = transaction;
      });
      await expect(leaked?.run(writeSite(siteWrite('s_a', 'A'), 0))).rejects.toThrow('over');
      expect(await siteNames()).toEqual([]);
    });

    test('cannot be committed after filling tables has failed, even if the error is caught', async () => {
      const attempt = storage.transaction(async (transaction) => {
        await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
        const filling = transaction.fill(
          () => true,
          () => Promise.reject(new Error('no more')),
        );
        await filling.catch(() => undefined);
      });
      await expect(attempt).rejects.toThrow('its rows could not be written');
      expect(await siteNames()).toEqual([]);
    });

    test('commit changes made while tables are being filled', async () => {
      await storage.transaction((transaction) =>
        transaction.fill(
          () => true,
          () => transaction.run(writeSite(siteWrite('s_a', 'A'), 0)),
        ),
      );
      expect(await siteNames()).toEqual(['A']);
    });

    test('see their own writes, which reads do not see until they are committed', async () => {
      await storage.transaction(async (transaction) => {
        await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
        expect((await transaction.run(selectSites())).map(({ name }) => name)).toEqual(['A']);
        expect(await siteNames()).toEqual([]);
      });
      expect(await siteNames()).toEqual(['A']);
    });

    test('run one after the other, in the order in which they were started', async () => {
      const events: string[] = [];
      const gate = Promise.withResolvers<void>();
      const first = storage.transaction(async () => {
        events.push('first begins');
        await gate.promise;
        events.push('first ends');
      });
      const others = ['second', 'third'].map((name) => storage.transaction(async () => events.push(name)));
      await storage.read(selectSites());
      gate.resolve();
      await Promise.all([first, ...others]);
      expect(events).toEqual(['first begins', 'first ends', 'second', 'third']);
    });

    test('lose no update when many of them change the same row', async () => {
      await addSite(storage, 's_a', '0');
      const increment = () =>
        storage.transaction(async (transaction) => {
          const known = await transaction.run(selectSite('s_a'));
          await Promise.resolve();
          await transaction.run(writeSite(siteWrite('s_a', String(Number(known?.name) + 1)), 0));
        });
      await Promise.all(Array.from({ length: 20 }, increment));
      expect(await siteNames()).toEqual(['20']);
    });

    test('fail with ConstraintViolation and are rolled back if they violate a schema constraint', async () => {
      const type = { handle: 'note', name: 'Note', objectType: 'entry', uriPattern: '{slug}' } as const;
      const attempt = storage.transaction(async (transaction) => {
        const { no } = await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
        await transaction.run(insertContentType(no, { id: 't_1', ...type }, 0));
        await transaction.run(insertContentType(no, { id: 't_2', ...type }, 0));
      });
      await expect(attempt).rejects.toBeInstanceOf(ConstraintViolation);
      expect(await siteNames()).toEqual([]);
    });

    test('fail with ConstraintViolation if they refer to missing rows', async () => {
      const type = { id: 't_1', handle: 'note', name: 'Note', objectType: 'entry', uriPattern: '{slug}' } as const;
      const attempt = storage.transaction((transaction) => transaction.run(insertContentType(999, type, 0)));
      await expect(attempt).rejects.toBeInstanceOf(ConstraintViolation);
    });
  });

  describe('reads', () => {
    test('see one snapshot, even if another process commits between two of their queries; its commit is durable even if it is then killed', async () => {
      await addSite(storage, 's_a', 'before');
      function* readTwice(): Procedure<readonly (string | undefined)[]> {
        const first = yield* selectSite('s_a');
        const command = [OTHER_PROCESS, JSON.stringify(database.url), 'rename-and-die', 's_a', 'after'];
        const other = spawnSync(process.execPath, command, { encoding: 'utf8' });
        expect([other.signal, other.stderr]).toEqual(['SIGKILL', '']);
        const next = yield* selectSite('s_a');
        return [first?.name, next?.name];
      }
      expect(await storage.read(readTwice())).toEqual(['before', 'before']);
      expect(await siteNames()).toEqual(['after']);
      await addSite(storage, 's_b', 'B');
      expect(await siteNames()).toEqual(['after', 'B']);
    });

    test('cannot write', async () => {
      await expect(storage.read(writeSite(siteWrite('s_a', 'A'), 0))).rejects.toThrow();
      expect(await siteNames()).toEqual([]);
      await addSite(storage, 's_b', 'B');
      expect(await siteNames()).toEqual(['B']);
    });

    test('do not affect the next read if they fail', async () => {
      function* fail(): Procedure<void> {
        yield* selectSites();
        throw new Error('on purpose');
      }
      await expect(storage.read(fail())).rejects.toThrow('on purpose');
      expect(await siteNames()).toEqual([]);
    });

    test('see changes from another connection as soon as they are committed', async () => {
      for (let round = 0; round < 5; round++) {
        await addSite(second, 's_a', `by the second, ${round}`);
        expect(await siteNames()).toEqual([`by the second, ${round}`]);
        await addSite(storage, 's_a', `by the first, ${round}`);
        expect(await siteNames(second)).toEqual([`by the first, ${round}`]);
      }
    });
  });

  test('stops slow lists, while other reads and the lists of other callers are served', async () => {
    const endless = defineCount(1e15);
    const short = defineCount(3000);
    const readShort = (caller: string) => storage.readList(() => query(short), caller);
    const serve = async () => {
      const slow = Array.from({ length: 8 }, () => storage.readList(() => query(endless), 'a'));
      const stopped = Promise.allSettled(slow);
      const served = Promise.all([siteNames(), readShort('b')]);
      const first = await Promise.race([stopped, served.catch(() => 'refused')]);
      const late = { status: 'rejected', reason: expect.any(TookTooLong) };
      expect(await stopped).toEqual(slow.map(() => late));
      return first;
    };
    // If the machine has no time for this process, all lists may be late, so the test tries again.
    await expect.poll(serve).toEqual([[], [{ count: 3000 }]]);
    await expect.poll(() => readShort('a').catch(() => undefined)).toEqual([{ count: 3000 }]);
  });

  test('gives a lease to one holder at a time, until the lease ends or is released', async () => {
    const take = (from: Storage, holder: string, now: number, name = 'work') =>
      from.transaction((transaction) => transaction.run(takeLease(name, holder, now, 100)));
    expect(await take(storage, 'a', 1000)).toBe(true);
    expect(await take(second, 'b', 1001)).toBe(false);
    expect(await take(second, 'b', 1001, 'other')).toBe(true);
    // The holder renews the lease.
    expect(await take(storage, 'a', 1050)).toBe(true);
    expect(await take(second, 'b', 1149)).toBe(false);
    expect(await take(second, 'b', 1150)).toBe(true);
    expect(await take(storage, 'a', 1151)).toBe(false);
    const release = (holder: string) =>
      storage.transaction((transaction) => transaction.run(releaseLease('work', holder)));
    await release('a');
    expect(await take(storage, 'a', 1152)).toBe(false);
    await release('b');
    expect(await take(storage, 'a', 1153)).toBe(true);
  });

  describe('opening', () => {
    test('prepares a new database exactly once and creates its own secrets, even if many nodes open it at the same time', async () => {
      const fresh = await (engine === 'postgres' ? createPostgresDatabase() : createSqliteDatabase());
      onTestFinished(() => fresh.remove());
      const nodes = await Promise.all(Array.from({ length: 5 }, () => openStorage(fresh.url, Date.now())));
      const keysOf = (from: Storage) =>
        ['one purpose', 'another'].map((label) => from.deriveKey(label).toString('hex'));
      for (const node of nodes) {
        expect(await readVersions(node)).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1));
        await node.check();
      }
      expect(keysOf(second)).toEqual(keysOf(storage));
      expect(new Set(nodes.flatMap(keysOf)).size).toBe(2);
      expect(new Set([storage, ...nodes].flatMap(keysOf)).size).toBe(4);
      for (const node of nodes) await node.close();
    });

    test('changes nothing the second time, and keeps the existing data', async () => {
      await addSite(storage, 's_a', 'A');
      const again = await openStorage(database.url, Date.now());
      expect(await siteNames(again)).toEqual(['A']);
      await again.close();
      expect(await readVersions(storage)).toHaveLength(SCHEMA_VERSION);
    });

    test('rejects a database written by a newer release, and leaves it unchanged', async () => {
      const version = SCHEMA_VERSION + 1;
      onTestFinished(() => runSql(storage, `delete from schema_versions where version = ${version}`));
      await storage.transaction((transaction) => transaction.run(query(insertVersion, { version })));
      await expect(openStorage(database.url, Date.now())).rejects.toBeInstanceOf(SchemaTooNew);
      await expect(storage.check()).rejects.toThrow(`schema version ${version}`);
      expect(await readVersions(storage)).toHaveLength(SCHEMA_VERSION + 1);
    });
  });
});

/** Counts rows, of which it makes as many as it is told to. */
function defineCount(most: number) {
  return defineStatement(
    (traits) => {
      const inTime = sql.join([...checkTime(sql.ref('c.x'), traits), sql`c.x > 0`], sql` and `);
      const [first, next] = traits.checksTime ? [sql`1`, sql`c.x + 1`] : [sql`1::bigint`, sql`(c.x + 1)::bigint`];
      return sql`with recursive c(x) as (select ${first} union all select ${next} from c where c.x < ${sql.lit(most)})
        select count(*) as count from c where ${inTime}`;
    },
    { mayTakeLong: true },
  );
}

function siteWrite(id: string, name: string) {
  return { accountNo: MAIN_ACCOUNT_NO, id, name, url: null, defaultLanguage: 'en', languages: ['en'] };
}
