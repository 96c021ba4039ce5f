// What only the embedded engine promises. `contract.test.ts` tests what both engines promise.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { deleteAsset } from '../../src/authoring/assets.ts';
import { publishById } from '../../src/authoring/command-work.ts';
import { saveContent } from '../../src/authoring/contents/save-content.ts';
import { deleteSite } from '../../src/authoring/sites/delete-site.ts';
import { deleteType } from '../../src/authoring/types/content-types.ts';
import { deleteField } from '../../src/authoring/types/delete-field.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { insertAccount, selectAccountById } from '../../src/storage/accounts/accounts.ts';
import { ConstraintViolation, DatabaseUnusable, StorageUnavailable } from '../../src/storage/engine.ts';
import { selectSites } from '../../src/storage/sites/select-catalog.ts';
import { Checkpoints } from '../../src/storage/sqlite/checkpoints.ts';
import { compileQuery } from '../../src/storage/sqlite/compile-query.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { SqliteEngine } from '../../src/storage/sqlite/sqlite-engine.ts';
import { translateSqliteError } from '../../src/storage/sqlite/sqlite-errors.ts';
import { checkTime, defineStatement, TIME_CHECK } from '../../src/storage/statement.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { importRecords } from './editor.ts';
import type { WalRace } from './wal-race.ts';

async function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'galley-storage-'));
}

describe('the embedded database', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await createFolder();
    path = join(folder, 'galley.db');
  });

  afterEach(() => rm(folder, { recursive: true }));

  function provoke(cause: () => unknown): unknown {
    try {
      cause();
    } catch (error) {
      return translateSqliteError(error);
    }
    throw new Error('No error was thrown');
  }

  test('creates its file and the parent folders', async () => {
    const deep = join(folder, 'a', 'b', 'galley.db');
    const storage = await openSqlite(deep, 0);
    await storage.close();
    expect(existsSync(deep)).toBe(true);
  });

  test('enables its write-ahead log even if several connections request it at the same time', async () => {
    const threads = 2;
    const paths = Array.from({ length: 50 }, (_, index) => join(folder, `${index}.db`));
    const race: WalRace = { paths, threads, arrivals: new SharedArrayBuffer(paths.length * 4) };
    const runs = Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('wal-race.ts', import.meta.url), { workerData: race });
      const [code] = await once(worker, 'exit');
      return code;
    });
    expect(await Promise.all(runs)).toEqual([0, 0]);
  });

  test('can still be read while a write waits for another process, and the write succeeds once that process has finished', async () => {
    const storage = await openSqlite(path, 0, { usualMs: 600_000, importMs: 600_000 });
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    let hasWritten = false;
    const written = storage
      .transaction((transaction) => transaction.run(insertAccount('o_late', 'Late', 0)))
      .then(() => {
        hasWritten = true;
      });
    // If the write blocked the process, this loop could not continue, and nobody would get a response.
    for (let turns = 0; turns < 100; turns += 1) {
      await setImmediate();
      await storage.read(selectSites());
    }
    expect(hasWritten).toBe(false);
    other.exec('commit');
    await written;
    expect(await storage.read(selectAccountById('o_late'))).toMatchObject({ name: 'Late' });
    other.close();
    await storage.close();
  });

  test('copies a long write-ahead log into the database file on a separate thread after the commit, so that nobody waits', async () => {
    const storage = await openSqlite(path, 0);
    const other = new DatabaseSync(path);
    const countUncopied = () => {
      const row = other.prepare('pragma wal_checkpoint(noop)').get();
      return Number(row?.log) - Number(row?.checkpointed);
    };
    const name = 'x'.repeat(1_000_000);
    await storage.transaction(async (transaction) => {
      for (let index = 0; index < 10; index += 1) await transaction.run(insertAccount(`o_${index}`, name, 0));
    });
    expect(countUncopied()).toBeGreaterThan(1000);
    await expect.poll(countUncopied).toBe(0);
    other.close();
    await storage.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test.each([
    ['the thread fails', () => new Checkpoints(join(folder, 'missing', 'galley.db'))],
    [
      'no thread can be started',
      () =>
        new Checkpoints(path, () => {
          throw new Error('The system has no more threads');
        }),
    ],
  ])('copies the log itself if %s', async (_name, createCheckpoints) => {
    await (await openSqlite(path, 0)).close();
    const engine = new SqliteEngine(path, createCheckpoints());
    const longName = 'x'.repeat(12_000_000);
    await engine.transaction((transaction) => transaction.run(insertAccount('o_one', longName, 0)));
    await expect.poll(async () => (await stat(path)).size).toBeGreaterThan(longName.length);
    await engine.eraseTraces();
    expect((await stat(`${path}-wal`)).size).toBe(0);
    await engine.close();
  });

  test('retains no byte of deleted data in its file or its log', async () => {
    const storage = await openSqlite(path, 0);
    const texts = Array.from({ length: 40 }, (_, index) => ({ line: { text: `numbat ${index} `.repeat(300) } }));
    await importRecords(storage, [
      site('s_one'),
      contentType('s_one', 'note', [{ handle: 'line', type: 'text' }]),
      ...texts.map((fields, index) => content({ id: `c_${index}`, site: 's_one', fields })),
    ]);
    const readBytes = async () =>
      (await Promise.all([path, `${path}-wal`].map((file) => readFile(file, 'latin1')))).join('');
    expect(await readBytes()).toContain('numbat');
    await deleteSite(createDesk(storage), COMMAND_ACTOR, 's_one', 's_one');
    expect(await readBytes()).not.toContain('numbat');
    await storage.close();
  });

  test("retains none of the values in a deleted field or block type, and no part of a deleted asset's URL", async () => {
    const storage = await openSqlite(path, 0);
    const desk = createDesk(storage);
    const line = [{ handle: 'line', type: 'text' }];
    const aside = { ...contentType('s_one', 'aside', line), object_type: 'block' };
    const blocks = { blocks: [{ content_type: 'aside', fields: { line: { text: 'a quokka' } } }] };
    await importRecords(storage, [
      site('s_one'),
      contentType('s_one', 'note', [...line, { handle: 'body', type: 'blocks' }]),
      aside,
      { kind: 'asset', id: 'a_one', site: 's_one', name: 'One', url: 'https://cdn.example/dugong.jpg' },
      content({ id: 'c_one', site: 's_one', fields: { line: { text: 'a numbat' }, body: blocks } }),
    ]);
    // The blocks remain only in an older version, where they do not count as used.
    await saveContent(desk, COMMAND_ACTOR, 's_one', 'c_one', { version: 1, fields: { line: { text: 'a numbat' } } });
    await publishById(storage, { siteId: 's_one', contentId: 'c_one', now: Date.now() });
    const readBytes = async () =>
      (await Promise.all([path, `${path}-wal`].map((file) => readFile(file, 'latin1')))).join('');
    for (const [word, remove] of [
      [
        'numbat',
        () => deleteField(desk, COMMAND_ACTOR, { siteId: 's_one', typeName: 'note', fieldName: 'line' }, 'line'),
      ],
      ['quokka', () => deleteType(desk, COMMAND_ACTOR, 's_one', 'aside')],
      ['dugong', () => deleteAsset(desk, COMMAND_ACTOR, 's_one', 'a_one')],
    ] as const) {
      expect(await readBytes()).toContain(word);
      await remove();
      expect(await readBytes(), word).not.toContain(word);
    }
    await storage.close();
  });

  // After an import, the content in one language may have only every second row number, or every hundredth.
  test.each([1, 2, 100, 4096])(
    'checks the time for about every sixteenth row of a slow list if row numbers increase in steps of %i',
    (stride) => {
      const rows = 3200;
      const slow = defineStatement((traits) => {
        const [inTime = sql`1`] = checkTime(sql.ref('c.x'), traits);
        const [step, last] = [sql.lit(stride), sql.lit(rows * stride)];
        return sql`with recursive c(x) as (select ${step} union all select x + ${step} from c where x < ${last})
          select count(*) from c where ${inTime}`;
      });
      const { text } = compileQuery({ statement: slow, values: {}, common: {} });
      const database = new DatabaseSync(':memory:');
      let checks = 0;
      database.function(TIME_CHECK, () => {
        checks += 1;
        return 1;
      });
      expect(Object.values(database.prepare(text).get() ?? {})).toEqual([rows]);
      expect(checks).toBeGreaterThan(rows / 32);
      expect(checks).toBeLessThan(rows / 8);
      database.close();
    },
  );

  test('is unavailable while another connection holds the lock', async () => {
    const holder = new DatabaseSync(path);
    const waiting = new DatabaseSync(path, { timeout: 0 });
    holder.exec('create table t (n integer unique)');
    holder.exec('begin exclusive');
    const error = provoke(() => waiting.exec('begin immediate'));
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(error).toHaveProperty('cause.errcode', 5);
    holder.exec('rollback');
    holder.close();
    waiting.close();
  });

  test('is unavailable when it cannot grow, and reports the cause', async () => {
    const database = new DatabaseSync(path);
    database.exec('pragma max_page_count = 2; create table t (text text)');
    const error = provoke(() => database.exec(`insert into t values (hex(randomblob(100000)))`));
    expect(error).toBeInstanceOf(StorageUnavailable);
    database.close();
  });

  test('distinguishes all kinds of constraint violations from other errors', async () => {
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: true });
    database.exec("create table a (n integer primary key, t text not null unique check (t <> ''))");
    database.exec('create table b (n integer references a (n))');
    database.exec("insert into a values (1, 'x')");
    for (const statement of [
      "insert into a values (1, 'y')",
      "insert into a values (2, 'x')",
      'insert into a values (2, null)',
      "insert into a values (2, '')",
      'insert into b values (7)',
    ]) {
      expect(
        provoke(() => database.exec(statement)),
        statement,
      ).toBeInstanceOf(ConstraintViolation);
    }
    for (const statement of ['select nothing from a', 'not sql']) {
      const error = provoke(() => database.exec(statement));
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(ConstraintViolation);
      expect(error).not.toBeInstanceOf(StorageUnavailable);
    }
    database.close();
  });

  test('passes on unrelated errors unchanged', () => {
    for (const error of [new Error('other'), new TypeError('x'), 'text', undefined, { errcode: 5 }]) {
      expect(translateSqliteError(error)).toBe(error);
    }
  });

  test('rejects a folder, a file that is not a database, and a path at which nothing can be created', async () => {
    await writeFile(path, 'This is a text of some length, and no database at all. '.repeat(100));
    await mkdir(join(folder, 'folder.db'));
    await writeFile(join(folder, 'file'), '');
    for (const wrong of [path, join(folder, 'folder.db'), join(folder, 'file', 'galley.db')]) {
      await expect(openSqlite(wrong, 0), wrong).rejects.toBeInstanceOf(DatabaseUnusable);
    }
  });
});
