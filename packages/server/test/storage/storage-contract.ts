// What every database engine promises to the rest of the service. Each engine runs this suite on a real database.

import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../../src/content/api-token.ts';
import { openStorage } from '../../src/open-storage.ts';
import type { DatabaseUrl } from '../../src/settings.ts';
import { SCHEMA_VERSION } from '../../src/storage/migrations.ts';
import {
  type AccessRow,
  ConstraintViolation,
  insertContentType,
  type Procedure,
  revokeKey,
  SchemaTooNew,
  type Storage,
  selectSite,
  selectSites,
  writeSite,
} from '../../src/storage/port.ts';
import { defineStatement, query, slot } from '../../src/storage/statement.ts';
import { author, content, contentType, site } from '../conformance/fixture.ts';
import { createKey, importRecords, publish, unpublish } from './editor.ts';
import { describePublishedReadModel } from './published-read-model.ts';

/** A database of its own for one test. */
export interface ContractDatabase {
  readonly url: DatabaseUrl;
  remove(): Promise<void>;
}

const OTHER_PROCESS = fileURLToPath(new URL('other-process.ts', import.meta.url));

const NOTE = contentType('s_one', 'note', [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
]);

const RECORDS = [
  site('s_one'),
  site('s_two'),
  author('u_ada', 'Ada', { site: 's_one' }),
  NOTE,
  content({ id: 'c_1', site: 's_one', author: 'u_ada', fields: { line: { text: 'x' } }, draft: { name: 'newer' } }),
];

const selectVersions = defineStatement(() => sql`select version from schema_versions order by version`);
const insertVersion = defineStatement(
  () => sql`insert into schema_versions (version, applied_at) values (${slot('version')}, 0)`,
);

export function describeStorageContract(engine: string, createDatabase: () => Promise<ContractDatabase>): void {
  describe(`storage on ${engine}`, () => {
    let database: ContractDatabase;
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

    async function open(): Promise<Storage> {
      const fresh = await openStorage(database.url, Date.now());
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

    describe('transactions', () => {
      test('keep everything when they end, and give back the outcome of the work', async () => {
        const outcome = await storage.transaction(async (transaction) => {
          await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
          await transaction.run(writeSite(siteWrite('s_b', 'B'), 0));
          return 'done';
        });
        expect(outcome).toBe('done');
        expect(await siteNames()).toEqual(['A', 'B']);
      });

      test('keep nothing when the work fails, and pass its error on', async () => {
        const failure = new Error('second thoughts');
        const attempt = storage.transaction(async (transaction) => {
          await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
          throw failure;
        });
        await expect(attempt).rejects.toBe(failure);
        expect(await siteNames()).toEqual([]);
      });

      test('see their own writes', async () => {
        await storage.transaction(async (transaction) => {
          await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
          expect((await transaction.run(selectSites())).map(({ name }) => name)).toEqual(['A']);
        });
      });

      test('run one after the other, in the order in which they were asked for', async () => {
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

      test('lose no update when many change the same row', async () => {
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

      test('go on after one that failed', async () => {
        const failing = storage.transaction(async () => {
          throw new Error('no');
        });
        const following = addSite(storage, 's_a', 'A');
        await expect(failing).rejects.toThrow('no');
        await following;
        expect(await siteNames()).toEqual(['A']);
      });

      test('are kept even if the process is killed as soon as they end', async () => {
        await addSite(storage, 's_a', 'before');
        const other = spawnSync(process.execPath, processArguments('rename-and-die', 's_a', 'after'));
        expect(other.signal).toBe('SIGKILL');
        expect(await siteNames()).toEqual(['after']);
        await addSite(storage, 's_b', 'B');
        expect(await siteNames()).toEqual(['after', 'B']);
      });

      test('that break a rule of the schema end in ConstraintViolation and keep nothing', async () => {
        const type = { handle: 'note', name: 'Note', objectType: 'entry', uriPattern: '{slug}' } as const;
        const attempt = storage.transaction(async (transaction) => {
          const { no } = await transaction.run(writeSite(siteWrite('s_a', 'A'), 0));
          await transaction.run(insertContentType(no, { id: 't_1', ...type }));
          await transaction.run(insertContentType(no, { id: 't_2', ...type }));
        });
        await expect(attempt).rejects.toBeInstanceOf(ConstraintViolation);
        expect(await siteNames()).toEqual([]);
      });

      test('that refer to what is not there end in ConstraintViolation', async () => {
        const type = { id: 't_1', handle: 'note', name: 'Note', objectType: 'entry', uriPattern: '{slug}' } as const;
        const attempt = storage.transaction((transaction) => transaction.run(insertContentType(999, type)));
        await expect(attempt).rejects.toBeInstanceOf(ConstraintViolation);
      });
    });

    describe('reads', () => {
      test('see nothing of a transaction before it ends, and all of it from then on', async () => {
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

      test('see one moment, also when another process commits between two of their queries', async () => {
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

      test('that fail leave the next one unharmed', async () => {
        function* fail(): Procedure<void> {
          yield* selectSites();
          throw new Error('on purpose');
        }
        await expect(storage.read(fail())).rejects.toThrow('on purpose');
        expect(await siteNames()).toEqual([]);
      });

      test('see what another connection has committed, at once', async () => {
        const second = await open();
        for (let round = 0; round < 5; round++) {
          await addSite(second, 's_a', `by the second, ${round}`);
          expect(await siteNames()).toEqual([`by the second, ${round}`]);
          await addSite(storage, 's_a', `by the first, ${round}`);
          expect(await siteNames(second)).toEqual([`by the first, ${round}`]);
        }
      });
    });

    describe('the reads of the delivery API', () => {
      async function access(token: string, siteId = 's_one', from = storage): Promise<AccessRow> {
        const { delivery } = from;
        const row = await delivery.inSnapshot(() => delivery.selectAccess(hashToken(token), siteId));
        if (row === undefined) throw new Error('The key is not known');
        return row;
      }

      async function shownAuthor(token: string, from = storage): Promise<string | undefined> {
        const { delivery } = from;
        const { site_no, catalog } = await access(token, 's_one', from);
        if (site_no === null || catalog === null) throw new Error('The site is not known');
        const selected = await delivery.inSnapshot(function* () {
          const memo = yield* delivery.loadCatalog(site_no, catalog);
          return yield* delivery.selectContent('c_1', null, memo, 'public');
        });
        return [...(selected?.related.authors.values() ?? [])][0]?.name;
      }

      test('show a revoked key at once, whichever connection revoked it', async () => {
        await importRecords(storage, RECORDS);
        const second = await open();
        for (const [revoking, asking] of [
          [storage, storage],
          [storage, second],
        ] as const) {
          const { id, token } = await createKey(storage);
          expect((await access(token, 's_one', asking)).revoked_at).toBe(null);
          await revoking.transaction((transaction) => transaction.run(revokeKey(id, 7)));
          expect((await access(token, 's_one', asking)).revoked_at).toBe(7);
        }
      });

      test('show a renamed author at once, whichever connection renamed it', async () => {
        await importRecords(storage, RECORDS);
        const { token } = await createKey(storage);
        const second = await open();
        expect(await shownAuthor(token)).toBe('Ada');
        for (const [index, writer] of [storage, second].entries()) {
          const name = `Ada ${index}`;
          await importRecords(writer, [author('u_ada', name, { site: 's_one' })]);
          expect(await shownAuthor(token)).toBe(name);
          expect(await shownAuthor(token, second)).toBe(name);
        }
      });

      test('know the generation of a site, which moves with every change that readers can see, and only then', async () => {
        await importRecords(storage, RECORDS);
        const { token } = await createKey(storage);
        let last = await access(token);
        const other = await access(token, 's_two');
        async function moves(change: () => Promise<unknown>): Promise<readonly [boolean, boolean]> {
          await change();
          const now = await access(token);
          const moved = [now.generation !== last.generation, now.catalog !== last.catalog] as const;
          expect(now.generation).toBeGreaterThanOrEqual(last.generation ?? 0);
          last = now;
          return moved;
        }
        const NOTHING = [false, false];
        const CONTENT = [true, false];
        const CATALOG = [true, true];
        expect(await moves(() => importRecords(storage, RECORDS))).toEqual(NOTHING);
        expect(await moves(() => createKey(storage))).toEqual(NOTHING);
        expect(await moves(() => publish(storage, 's_one', 'c_1'))).toEqual(CONTENT);
        expect(await moves(() => unpublish(storage, 's_one', 'c_1'))).toEqual(CONTENT);
        expect(await moves(() => importRecords(storage, [content({ id: 'c_2', site: 's_one' })]))).toEqual(CONTENT);
        const renamed = author('u_ada', 'Countess', { site: 's_one' });
        expect(await moves(() => importRecords(storage, [renamed]))).toEqual(CATALOG);
        expect(await moves(() => importRecords(storage, [renamed]))).toEqual(NOTHING);
        expect(await moves(() => importRecords(storage, [site('s_one', { name: 'One' })]))).toEqual(CATALOG);
        expect(await moves(() => importRecords(storage, [site('s_two', { name: 'Two' })]))).toEqual(NOTHING);
        const grown = contentType('s_one', 'note', [
          { handle: 'line', type: 'text' },
          { handle: 'rank', type: 'number' },
          { handle: 'more', type: 'text' },
        ]);
        expect(await moves(() => importRecords(storage, [grown]))).toEqual(CATALOG);
        const broken = [author('u_ada', 'Lost', { site: 's_one' }), content({ id: 'c_3', site: 's_one', author: 'u_no' })];
        const attempt = () => expect(importRecords(storage, broken)).rejects.toThrow(/u_no does not exist/);
        expect(await moves(attempt)).toEqual(NOTHING);
        const elsewhere = await access(token, 's_two');
        expect(elsewhere.generation).toBe((other.generation ?? 0) + 1);
      });
    });

    describe('opening', () => {
      async function versions(): Promise<readonly number[]> {
        return (await storage.read(query<{ version: number }>(selectVersions))).map(({ version }) => version);
      }

      test('brings a new database to the newest schema, step by step', async () => {
        expect(await versions()).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1));
        await storage.check();
      });

      test('again changes nothing, and finds what was written', async () => {
        await addSite(storage, 's_a', 'A');
        const again = await open();
        expect(await siteNames(again)).toEqual(['A']);
        expect(await versions()).toHaveLength(SCHEMA_VERSION);
      });

      test('in many processes at once prepares a new database exactly once', async () => {
        const fresh = await createDatabase();
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

      test('refuses a database that a newer release has written, and leaves it as it is', async () => {
        const version = SCHEMA_VERSION + 1;
        await storage.transaction((transaction) => transaction.run(query(insertVersion, { version })));
        await expect(openStorage(database.url, Date.now())).rejects.toBeInstanceOf(SchemaTooNew);
        await expect(storage.check()).rejects.toThrow(`schema version ${version}`);
        expect(await versions()).toHaveLength(SCHEMA_VERSION + 1);
      });
    });

    describe('closing', () => {
      test('waits for the transactions that were asked for before', async () => {
        const second = await openStorage(database.url, Date.now());
        const writing = addSite(second, 's_a', 'A');
        await Promise.all([writing, second.close()]);
        expect(await siteNames()).toEqual(['A']);
      });
    });

    describePublishedReadModel(() => storage);
  });
}

function siteWrite(id: string, name: string) {
  return { id, name, url: null, defaultLanguage: 'en', languages: ['en'] };
}
