// galley migrate-to must never write to a non-empty database, leave an incomplete copy that a service would open, mix two states of a
// database, or show a password.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { COPIED_TABLES, LEFT_BEHIND, selectCopySource } from '../../src/storage/copied-tables.ts';
import { copyIntoPostgres } from '../../src/storage/postgres/copy-into-postgres.ts';
import { selectSites } from '../../src/storage/sites/select-catalog.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { importText } from '../import/export-database.ts';
import { changeDatabase } from '../support/change-database.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley, startGalley } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { TEMPLATE } from '../support/test-server.ts';

const POSTS = 120;

describe('galley migrate-to', () => {
  const resources = new AsyncDisposableStack();
  let folder: string;
  let target: PostgresDatabase;

  beforeAll(async () => {
    ({ path: folder } = resources.use(await makeFolder()));
    const storage = await openSqlite(join(folder, 'source.db'), Date.now());
    const posts = Array.from({ length: POSTS }, (_, index) =>
      postRecord(`c_${index}`, { fields: { rank: { number: index / 7 } } }),
    );
    await importText(storage, folder, toLines([siteRecord(), typeRecord(), ...posts]));
    await storage.close();
  });

  beforeEach(async () => {
    target = await createPostgresDatabase();
    const { remove } = target;
    resources.defer(remove);
  });

  afterAll(() => resources.disposeAsync());

  /** A separate database for a test. */
  async function createSource(name: string): Promise<{ readonly path: string; readonly env: Record<string, string> }> {
    const path = join(folder, `${name}.db`);
    await copyFile(join(folder, 'source.db'), path);
    return { path, env: { GALLEY_DATABASE_URL: `sqlite:${path}` } };
  }

  const run = (args: readonly string[], env: Readonly<Record<string, string>>) => runGalley(args, { cwd: folder, env });

  /** Everything in the target's schema; used to detect changes. */
  async function dumpTarget(): Promise<Readonly<Record<string, readonly unknown[]>>> {
    return withClient(target.url.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
      );
      const dumped: [string, readonly unknown[]][] = [];
      for (const { name } of rows) dumped.push([name, (await client.query(`select * from ${name}`)).rows]);
      return Object.fromEntries(dumped);
    });
  }

  /** Copies this many rows, then fails as if the connection had been lost. */
  async function breakOff(path: string, afterRows: number): Promise<void> {
    const storage = await openSqlite(path, Date.now());
    const broken = new Error('interrupted');
    const copying = storage.snapshot(async (source) =>
      copyIntoPostgres(source, await source.run(selectCopySource(path)), target.url.url, {
        now: Date.now(),
        onProgress: (rows) => {
          if (rows >= afterRows) throw broken;
        },
      }),
    );
    await expect(copying).rejects.toBe(broken);
    await storage.close();
  }

  test('copies every table in the schema', async () => {
    const { path } = await createSource('tables');
    const known = [...COPIED_TABLES.map(({ name }) => name), ...LEFT_BEHIND, 'schema_versions'];
    expect(known.toSorted()).toEqual(Object.keys(dumpDatabase(path)).toSorted());
  });

  test('reports in a dry run what would be copied, and writes nothing', async () => {
    const { path, env } = await createSource('dry');
    const before = dumpDatabase(path);
    const { status, stdout, stderr } = await run(['migrate-to', '--dry-run', target.url.url], env);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/can be copied to 127\.0\.0\.1:\d+\/test_\w+: \d+ rows\. Nothing was written\./);
    expect(stdout).toMatch(/^published_contents +120$/m);
    const summary = await runForJson(['migrate-to', '--dry-run', target.url.url], { cwd: folder, env });
    expect(summary).toMatchObject({ dry_run: true, found_rows: 0, edited_since: false });
    expect(Object(summary).tables).toContainEqual({ table: 'contents', rows: POSTS });
    expect(await dumpTarget()).toEqual({});
    expect(dumpDatabase(path)).toEqual(before);
  });

  test('refuses a target that is not empty, reports its contents, and leaves it unchanged', async () => {
    const { env } = await createSource('taken');
    await withClient(target.url.url, (client) =>
      client.query('create table orders (no integer); insert into orders values (7)'),
    );
    for (const options of [[], ['--dry-run']]) {
      const { status, stdout, stderr } = await run(['migrate-to', ...options, target.url.url], env);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain('is not empty: it contains 1 table (orders). Nothing was written to it.');
    }
    expect(await dumpTarget()).toEqual({ orders: [{ no: 7 }] });
  });

  test('refuses a target that is already a Galley installation, even a new one', async () => {
    const { env } = await createSource('ours');
    const ours = await createPostgresDatabase(TEMPLATE);
    resources.defer(() => ours.remove());
    const { status, stderr } = await run(['migrate-to', ours.url.url], env);
    expect(status).toBe(1);
    expect(stderr).toContain('it contains a Galley installation with 0 sites, 0 content objects and 0 users');
  });

  test('resumes after an interruption, and no service opens the copy until it is complete', async () => {
    const { env, path } = await createSource('resumed');
    await breakOff(path, 100);
    const opening = openStorage(target.url, Date.now());
    await expect(opening).rejects.toThrow('The database contains an unfinished copy.');
    const doctor = await run(['doctor'], { GALLEY_DATABASE_URL: target.url.url });
    expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringContaining('an unfinished copy')]);
    const planned = Object(await runForJson(['migrate-to', '--dry-run', target.url.url], { cwd: folder, env }));
    expect(planned.found_rows).toBeGreaterThanOrEqual(100);
    expect(planned.found_rows).toBeLessThan(planned.rows);
    const summary = Object(await runForJson(['migrate-to', target.url.url], { cwd: folder, env }));
    expect(summary).toMatchObject({ rows: planned.rows, found_rows: planned.found_rows });
    const storage = await openStorage(target.url, Date.now());
    expect(await storage.read(selectSites())).toHaveLength(1);
    await storage.close();
    expect(Object.keys(await dumpTarget()).filter((name) => name.startsWith('unfinished'))).toEqual([]);
  });

  test('resumes after its process has been killed', async () => {
    const { env, path } = await createSource('killed');
    await breakOff(path, 100);
    await withClient(target.url.url, async (client) => {
      await client.query('begin; lock table published_numbers in share mode');
      await using copying = startGalley(['migrate-to', target.url.url], { cwd: folder, env });
      await waitUntil(async () => {
        const { rows } = await client.query(
          "select 1 from pg_locks where relation = 'published_numbers'::regclass and not granted",
        );
        return rows.length > 0;
      });
      expect(await copying.stop('SIGKILL')).toMatchObject({ status: null, stdout: '' });
    });
    const before = await dumpTarget();
    expect([before.published_contents?.length, before.published_numbers]).toEqual([POSTS, []]);
    const { rows, found_rows } = Object(await runForJson(['migrate-to', target.url.url], { cwd: folder, env }));
    expect(found_rows).toBeGreaterThan(2 * POSTS);
    expect(found_rows).toBeLessThan(rows);
  });

  test('refuses to resume if the copied data has changed in the meantime, and says what to do', async () => {
    const { env, path } = await createSource('changed');
    await breakOff(path, 100);
    const before = await dumpTarget();
    changeDatabase(path, "update contents set name = 'Changed' where id = 'c_3'");
    const { status, stderr } = await run(['migrate-to', target.url.url], env);
    expect(status).toBe(1);
    expect(stderr).toContain('rows in contents have since changed');
    expect(stderr).toContain('drop the database and create it again');
    expect(await dumpTarget()).toEqual(before);
  });

  test('refuses to resume with a copy of a different database', async () => {
    const first = await createSource('first');
    const second = await createSource('second');
    changeDatabase(second.path, 'update schema_versions set applied_at = applied_at + 1');
    await breakOff(first.path, 100);
    for (const options of [[], ['--dry-run']]) {
      const { status, stderr } = await run(['migrate-to', ...options, target.url.url], second.env);
      expect(status).toBe(1);
      expect(stderr).toContain(`an unfinished copy of a different database, ${first.path}.`);
    }
  });

  test('detects a copy that differs from the original', async () => {
    const { env, path } = await createSource('differing');
    await breakOff(path, 200);
    await withClient(target.url.url, (client) => client.query("update contents set name = 'Other' where id = 'c_3'"));
    const { status, stderr } = await run(['migrate-to', target.url.url], env);
    expect(status).toBe(1);
    expect(stderr).toContain('The copy differs from the original: contents has different values.');
    await expect(openStorage(target.url, Date.now())).rejects.toThrow('an unfinished copy');
  });

  test('gives each site a new generation that the original database has never used', async () => {
    const { env, path } = await createSource('generation');
    const before = Date.now();
    await runForJson(['migrate-to', target.url.url], { cwd: folder, env });
    const dumped = await dumpTarget();
    expect(Number(Object(dumped.sites?.[0]).generation)).toBeGreaterThanOrEqual(before);
    expect(Number(Object(dumped.database_moments?.[0]).stamp)).toBeGreaterThanOrEqual(before * 1000);
    expect(Number(Object(dumped.sites?.[0]).catalog)).toBe(Object(dumpDatabase(path).sites?.[0]).catalog);
  });

  test.each([
    ['a wrong password', { password: 'hunter2' }, [], /rejected the login/],
    ['an unknown database', { pathname: '/nowhere' }, ['--dry-run'], /There is no database at/],
    ['an unreachable server', { port: '1' }, [], /cannot be reached: .*ECONNREFUSED/],
  ])('reports %s without showing the password', async (_, change, options, message) => {
    const { env } = await createSource(`wrong-${Object.keys(change)[0]}`);
    const url = Object.assign(new URL(target.url.url), change);
    const { status, stdout, stderr } = await run(['migrate-to', ...options, url.href], env);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(url.password);
    expect(stderr).not.toContain('This is a bug');
  });

  test('reads the password from the environment', async () => {
    const { env } = await createSource('environment');
    const url = new URL(target.url.url);
    const PGPASSWORD = url.password;
    url.password = '';
    const { status, stderr } = await run(['migrate-to', '--dry-run', url.href], { ...env, PGPASSWORD });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('reports a usage error for a target that is not a PostgreSQL server, without showing the password', async () => {
    const { status, stderr } = await run(['migrate-to', 'mysql://galley:hunter2@db/galley'], {});
    expect(status).toBe(2);
    expect(stderr).toMatch(/must look like postgres:\/\//);
    expect(stderr).not.toContain('hunter2');
  });

  test('copies only from an existing embedded database', async () => {
    const onServer = await run(['migrate-to', target.url.url], { GALLEY_DATABASE_URL: target.url.url });
    expect([onServer.status, onServer.stderr]).toEqual([
      1,
      expect.stringContaining('GALLEY_DATABASE_URL already refers to a PostgreSQL database.'),
    ]);
    const nowhere = await run(['migrate-to', target.url.url], { GALLEY_DATABASE_URL: 'sqlite:nowhere.db' });
    expect([nowhere.status, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('There is no database at nowhere.db'),
    ]);
    expect(await dumpTarget()).toEqual({});
  });
});

async function withClient<Outcome>(url: string, work: (client: Client) => Promise<Outcome>): Promise<Outcome> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function waitUntil(check: () => Promise<boolean>): Promise<void> {
  while (!(await check()));
}
