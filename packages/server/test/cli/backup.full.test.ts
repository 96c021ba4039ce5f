import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { changeDatabase } from '../support/change-database.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

async function makeSite() {
  const folder = await makeFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord(), typeRecord(), postRecord('c_1')]));
  await runForJson(['import', 'site.ndjson'], { cwd });
  return { cwd, database: join(cwd, 'data/galley.db'), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('galley backup', () => {
  test('copies everything into one file that only the owner can read', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    const { status, stdout, stderr } = await runGalley(['backup', 'copy.db'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Backed up \.\/data\/galley\.db to copy\.db: [\d.]+ [kM]B\.\n$/);
    expect(dumpDatabase(join(cwd, 'copy.db'))).toEqual(dumpDatabase(site.database));
    expect((await stat(join(cwd, 'copy.db'))).mode & 0o777).toBe(0o600);
    expect((await readdir(cwd)).sort()).toEqual(['copy.db', 'data', 'site.ndjson']);
  });

  test('includes the latest writes while a service is running, and produces a usable replacement for the database', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    {
      // Like a service, this connection leaves the latest writes in the write-ahead log.
      const storage = await openSqlite(site.database, Date.now());
      await runForJson(['site', 'create', '--name', 'Late', '--id', 's_late'], { cwd });
      const { size } = await stat(join(cwd, 'data/galley.db-wal'));
      expect(size).toBeGreaterThan(0);
      expect(await runForJson(['backup', 'copy.db'], { cwd })).toEqual({
        file: 'copy.db',
        database: './data/galley.db',
        bytes: (await stat(join(cwd, 'copy.db'))).size,
      });
      await storage.close();
    }
    const env = { GALLEY_DATABASE_URL: 'sqlite:copy.db' };
    expect(await runForJson(['site', 'list'], { cwd, env })).toMatchObject([{ id: 's_late' }, { id: 's_small' }]);
  });

  test('replaces an existing file only with --force', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    await writeFile(join(cwd, 'copy.db'), 'mine');
    expect(await runGalley(['backup', 'copy.db'], { cwd })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: copy.db already exists. Use --force to replace it.\n',
    });
    expect(await readFile(join(cwd, 'copy.db'), 'utf8')).toBe('mine');
    expect((await runGalley(['backup', 'copy.db', '--force'], { cwd })).status).toBe(0);
    expect(dumpDatabase(join(cwd, 'copy.db'))).toEqual(dumpDatabase(site.database));
  });

  test('does not upgrade an older schema', async () => {
    await using site = await makeSite();
    changeDatabase(site.database, 'delete from schema_versions where version > 1');
    expect((await runGalley(['backup', 'copy.db'], { cwd: site.cwd })).status).toBe(0);
    expect(dumpDatabase(join(site.cwd, 'copy.db')).schema_versions).toMatchObject([{ version: 1 }]);
  });

  test('refuses to overwrite the database it is backing up, whichever path refers to it', async () => {
    await using site = await makeSite();
    const before = dumpDatabase(site.database);
    for (const name of ['data/galley.db', './data/../data/galley.db', site.database]) {
      const { status, stderr } = await runGalley(['backup', name, '--force'], { cwd: site.cwd });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: `error: ${name} is the database itself. Choose another file.\n`,
      });
    }
    expect(dumpDatabase(site.database)).toEqual(before);
  });

  test('refuses to overwrite a database that is in use', async () => {
    await using site = await makeSite();
    await writeFile(join(site.cwd, 'copy.db-wal'), '');
    const { status, stderr } = await runGalley(['backup', 'copy.db'], { cwd: site.cwd });
    expect(status).toBe(1);
    expect(stderr).toContain('copy.db-wal already exists');
  });

  test('leaves no copy of a damaged database behind', async () => {
    await using site = await makeSite();
    const bytes = await readFile(site.database);
    const schema = dumpDatabase(site.database);
    expect(schema.contents).toHaveLength(1);
    // The last pages contain indexes and values, not the schema.
    bytes.fill(0xa5, bytes.length - 40_960);
    await writeFile(site.database, bytes);
    const { status, stdout, stderr } = await runGalley(['backup', 'copy.db'], { cwd: site.cwd });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error: The database is damaged, and so is the copy: /);
    expect((await readdir(site.cwd)).sort()).toEqual(['data', 'site.ndjson']);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a PostgreSQL database', { GALLEY_DATABASE_URL: 'postgres://ada:secret@localhost/galley' }, 'pg_dump'],
    ['a missing database', { GALLEY_DATABASE_URL: 'sqlite:none.db' }, 'There is no database at none.db yet.'],
    [
      'a file that is not a database',
      { GALLEY_DATABASE_URL: 'sqlite:site.ndjson' },
      'is damaged, or is not a SQLite database',
    ],
  ])('rejects %s and explains why', async (_, env, complaint) => {
    await using site = await makeSite();
    const { status, stdout, stderr } = await runGalley(['backup', 'copy.db'], { cwd: site.cwd, env });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(stderr).not.toContain('secret');
    expect((await readdir(site.cwd)).sort()).toEqual(['data', 'site.ndjson']);
  });
});
