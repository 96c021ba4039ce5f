// The guarantees that every database engine gives the rest of the service. Each engine runs this suite on a real database.

import { execFile, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { ConstraintViolation, StorageUnavailable, TookTooLong, type Transaction } from '../../src/storage/engine.ts';
import { SCHEMA_VERSION, SchemaTooNew } from '../../src/storage/migrations.ts';
import type { EngineOptions } from '../../src/storage/postgres/open-postgres.ts';
import { selectSite, selectSites } from '../../src/storage/sites/select-catalog.ts';
import { writeSite } from '../../src/storage/sites/write-site.ts';
import { checkTime, defineStatement, type Procedure, query, slot } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { insertContentType } from '../../src/storage/types/write-types.ts';
import { releaseLease, takeLease } from '../../src/storage/webhooks/leases.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { describeDeliveryReads } from './delivery-reads.ts';
import { describeMigrations } from './migrations.ts';
import { describePublishedReadModel } from './published-read-model.ts';
import { describeWritePatience } from './write-patience.ts';

const OTHER_PROCESS = fileURLToPath(new URL('other-process.ts', import.meta.url));

const selectVersions = defineStatement(() => sql`select version from schema_versions order by version`);
const insertVersion = defineStatement(
  () => sql`insert into schema_versions (version, applied_at) values (${slot('version')}, 0)`,
);

interface Databases {
  /** May return a database that already has its schema, which is faster. */
  readonly createDatabase: () => Promise<TestDatabase>;
  readonly createEmptyDatabase: () => Promise<TestDatabase>;
}

export function describeStorageContract(engine: string, databases: Databases): void {
  const { createDatabase, createEmptyDatabase } = databases;
  describe(`storage on ${engine}`, () => {
    let database: TestDatabase;
    let storage: Storage;
    let opened: Storage[];

    beforeEach(async () => {
      database = await createDatabase();
      opened = [];
      storage = await open();
    });

    afterEach(async () => {
      for (const each of opened) await each.close();
      await database.remove();
    });

    async function open(options?: EngineOptions): Promise<Storage> {
      const fresh = await openStorage(database.url, Date.now(), options);
      opened.push(fresh);
      return fresh;
    }

    async function siteNames(from = storage): Promise<readonly string[]> {
      return (await from.read(selectSites())).map(({ name }) => name);
    }

    function addSite(to: Storage, id: string, name = id): Promise<unknown> {
      return to.transaction((transaction) => transaction.run(writeSite(siteWrite(id, name), 0)));
    }

    function processArguments(...command: readonly string[]): string[] {
      return [OTHER_PROCESS, JSON.stringify(database.url), ...command];
    }

    test('is unavailable after it is closed, and can be closed again', async () => {
      await storage.close();
      await expect(storage.read(selectSites())).rejects.toBeInstanceOf(StorageUnavailable);
      await storage.close();
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
        await expect(attempt).rejects.toBe(failure);
        expect(await siteNames()).toEqual([]);
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

      test('see their own writes', async () => {
        await storage.transaction(async (transaction) => {
          await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
          expect((await transaction.run(selectSites())).map(({ name }) => name)).toEqual(['A']);
        });
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

      test('still run after another transaction has failed', async () => {
        const failing = storage.transaction(async () => {
          throw new Error('no');
        });
        const following = addSite(storage, 's_a', 'A');
        await expect(failing).rejects.toThrow('no');
        await following;
        expect(await siteNames()).toEqual(['A']);
      });

      test('are durable even if the process is killed as soon as they end', async () => {
        await addSite(storage, 's_a', 'before');
        const other = spawnSync(process.execPath, processArguments('rename-and-die', 's_a', 'after'));
        expect(other.signal).toBe('SIGKILL');
        expect(await siteNames()).toEqual(['after']);
        await addSite(storage, 's_b', 'B');
        expect(await siteNames()).toEqual(['after', 'B']);
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
      test('see none of a transaction before it is committed, and all of it afterwards', async () => {
        const gate = Promise.withResolvers<void>();
        const written = Promise.withResolvers<void>();
        const writing = storage.transaction(async (transaction) => {
          await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
          written.resolve();
          await gate.promise;
        });
        await written.promise;
        expect(await siteNames()).toEqual([]);
        gate.resolve();
        await writing;
        expect(await siteNames()).toEqual(['A']);
      });

      test('see one snapshot, even if another process commits between two of their queries', async () => {
        await addSite(storage, 's_a', 'before');
        function* readTwice(): Procedure<readonly (string | undefined)[]> {
          const first = yield* selectSite('s_a');
          const other = spawnSync(process.execPath, processArguments('rename', 's_a', 'after'), { encoding: 'utf8' });
          expect([other.status, other.stderr]).toEqual([0, '']);
          const second = yield* selectSite('s_a');
          return [first?.name, second?.name];
        }
        expect(await storage.read(readTwice())).toEqual(['before', 'before']);
        expect(await siteNames()).toEqual(['after']);
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
        const second = await open();
        for (let round = 0; round < 5; round++) {
          await addSite(second, 's_a', `by the second, ${round}`);
          expect(await siteNames()).toEqual([`by the second, ${round}`]);
          await addSite(storage, 's_a', `by the first, ${round}`);
          expect(await siteNames(second)).toEqual([`by the first, ${round}`]);
        }
      });
    });

    describe('slow lists', () => {
      const endless = defineLong((step) => sql`${step} < 1e15`);
      const short = defineLong((step) => sql`${step} < 3000`);

      /** Counts rows for as long as `goesOn` is true. */
      function defineLong(goesOn: (step: RawBuilder<unknown>) => RawBuilder<unknown>, stride = 1) {
        return defineStatement(
          (traits) => {
            const inTime = sql.join([...checkTime(sql.ref('c.x'), traits), sql`c.x > 0`], sql` and `);
            const by = sql.lit(stride);
            const next = traits.checksTime ? sql`c.x + ${by}` : sql`(c.x + ${by})::bigint`;
            const first = traits.checksTime ? sql`1` : sql`1::bigint`;
            return sql`with recursive c(x) as (select ${first} union all select ${next} from c where ${goesOn(sql.ref('c.x'))})
              select count(*) as count from c where ${inTime}`;
          },
          { mayTakeLong: true },
        );
      }

      test('are stopped within two seconds, and do not make anyone else wait', async () => {
        const startedAt = performance.now();
        let isOver = false;
        const reading = storage
          .readList(() => query(endless), 'a')
          .finally(() => {
            isOver = true;
          });
        reading.catch(() => {});
        let reads = 0;
        while (!isOver) {
          await siteNames();
          reads += 1;
          await setTimeout(20);
        }
        await expect(reading).rejects.toBeInstanceOf(TookTooLong);
        expect(performance.now() - startedAt).toBeGreaterThan(1000);
        expect(reads).toBeGreaterThan(5);
      });

      // After an import, the content in one language may have only every second row number, or every hundredth.
      test.each([2, 4096])('are also stopped if row numbers increase in steps of %i', async (stride) => {
        const long = defineLong((step) => sql`${step} < ${sql.lit(30_000_000 * stride)}`, stride);
        await expect(storage.readList(() => query(long), 'a')).rejects.toBeInstanceOf(TookTooLong);
      });

      test("are still read if another caller's request exceeds the time limit", async () => {
        const others = Array.from({ length: 8 }, () => storage.readList(() => query(endless), 'a'));
        const outcomes = Promise.allSettled(others);
        expect(await storage.readList(() => query(short), 'b')).toEqual([{ count: 3000 }]);
        for (const { status } of await outcomes) expect(status).toBe('rejected');
        expect(await storage.readList(() => query(short), 'a')).toEqual([{ count: 3000 }]);
      });
    });

    describe('opening', () => {
      async function versions(from = storage): Promise<readonly number[]> {
        return (await from.read(query<{ version: number }>(selectVersions))).map(({ version }) => version);
      }

      test('migrates a new database to the latest schema, step by step', async () => {
        const fresh = await createEmptyDatabase();
        onTestFinished(() => fresh.remove());
        const prepared = await openStorage(fresh.url, Date.now());
        expect(await versions(prepared)).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1));
        await prepared.check();
        await prepared.close();
      });

      test('changes nothing the second time, and keeps the existing data', async () => {
        await addSite(storage, 's_a', 'A');
        const again = await open();
        expect(await siteNames(again)).toEqual(['A']);
        expect(await versions()).toHaveLength(SCHEMA_VERSION);
      });

      test('prepares a new database exactly once, even if many processes open it at the same time', async () => {
        const fresh = await createEmptyDatabase();
        try {
          const run = promisify(execFile);
          const arguments_ = [OTHER_PROCESS, JSON.stringify(fresh.url), 'open'];
          await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, arguments_)));
          const prepared = await openStorage(fresh.url, Date.now());
          const rows = await prepared.read(query(selectVersions));
          await prepared.close();
          expect(rows).toHaveLength(SCHEMA_VERSION);
        } finally {
          await fresh.remove();
        }
      });

      test('creates one secret per purpose, the same for everyone who opens the database and different for every other database', async () => {
        const [again, fresh] = await Promise.all([open(), createEmptyDatabase()]);
        onTestFinished(() => fresh.remove());
        const nodes = await Promise.all(Array.from({ length: 10 }, () => openStorage(fresh.url, Date.now())));
        const keysOf = (from: Storage) =>
          ['one purpose', 'another'].map((label) => from.deriveKey(label).toString('hex'));
        expect(keysOf(again)).toEqual(keysOf(storage));
        expect(new Set(nodes.flatMap(keysOf)).size).toBe(2);
        expect(new Set([storage, ...nodes].flatMap(keysOf)).size).toBe(4);
        for (const node of nodes) await node.close();
      });

      test('rejects a database written by a newer release, and leaves it unchanged', async () => {
        const version = SCHEMA_VERSION + 1;
        await storage.transaction((transaction) => transaction.run(query(insertVersion, { version })));
        await expect(openStorage(database.url, Date.now())).rejects.toBeInstanceOf(SchemaTooNew);
        await expect(storage.check()).rejects.toThrow(`schema version ${version}`);
        expect(await versions()).toHaveLength(SCHEMA_VERSION + 1);
      });
    });

    describe('closing', () => {
      test('waits for transactions that have already started', async () => {
        const second = await openStorage(database.url, Date.now());
        const writing = addSite(second, 's_a', 'A');
        await Promise.all([writing, second.close()]);
        expect(await siteNames()).toEqual(['A']);
      });
    });

    test('gives a lease to one holder at a time, until the lease ends or is released', async () => {
      const second = await open();
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

    describeMigrations(() => storage, open);
    describeDeliveryReads(() => storage, open);
    describePublishedReadModel(() => storage);
    describeWritePatience(() => database.url, open);
  });
}

function siteWrite(id: string, name: string) {
  return { accountNo: MAIN_ACCOUNT_NO, id, name, url: null, defaultLanguage: 'en', languages: ['en'] };
}
