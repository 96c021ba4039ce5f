import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runForJson, runGalley, runProgram } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

describe('galley export', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let cwd: string;

  beforeAll(async () => {
    folder = await makeFolder();
    cwd = folder.path;
    // More than fits into a pipe.
    const posts = Array.from({ length: 100 }, (_, index) =>
      postRecord(`c_${index}`, { fields: { title: { text: 'x'.repeat(2000) } } }),
    );
    await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord(), typeRecord(), ...posts]));
    await runForJson(['import', 'site.ndjson'], { cwd });
  });

  afterAll(() => folder[Symbol.asyncDispose]());

  const run = (...args: readonly string[]) => runGalley(['export', ...args], { cwd });

  test('fails with a message when the output disk is full', async () => {
    const options = { cwd, redirection: '1>/dev/full' };
    const exported = await runProgram(['export', '--site', 's_small'], options);
    expect([exported.status, exported.stderr]).toEqual([
      1,
      'error: The export is incomplete: ENOSPC: no space left on device, write.\n',
    ]);
    const listed = await runProgram(['site', 'list'], options);
    expect([listed.status, listed.stderr]).toEqual([
      1,
      'error: The output could not be written: ENOSPC: no space left on device, write.\n',
    ]);
  });

  test('exits without an error when the program reading its output stops early', async () => {
    const options = { cwd, redirection: '| head -n 1' };
    const { status, stdout, stderr } = await runProgram(['export', '--site', 's_small'], options);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('prints a bundle that changes nothing when it is imported again', async () => {
    const { status, stdout, stderr } = await run('--site', 's_small');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const kinds = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(['site', 'content_type', ...Array(100).fill('content')]);
    await writeFile(join(cwd, 'again.ndjson'), stdout);
    expect(await runForJson(['import', 'again.ndjson'], { cwd })).toMatchObject({ files: [{ changed: 0 }] });
  });

  test('writes a file, gzipped if its name ends in .gz, and prints a summary', async () => {
    expect(await run('--site', 's_small', '--out', 'a.ndjson')).toEqual({
      status: 0,
      stdout: 'Exported s_small to a.ndjson: 100 content objects and 2 other records.\n',
      stderr: '',
    });
    expect(await runForJson(['export', '--site', 's_small', '--out', 'a.ndjson.gz'], { cwd })).toEqual({
      file: 'a.ndjson.gz',
      site: 's_small',
      content_types: 1,
      authors: 0,
      assets: 0,
      contents: 100,
    });
    const plain = await readFile(join(cwd, 'a.ndjson'));
    expect(gunzipSync(await readFile(join(cwd, 'a.ndjson.gz')))).toEqual(plain);
  });

  test('replaces an existing file only with --force, and always writes a file that only the owner can read', async () => {
    const out = join(cwd, 'mine.ndjson');
    const readMode = async () => (await stat(out)).mode & 0o777;
    await writeFile(out, 'mine');
    await chmod(out, 0o644);
    expect(await run('--site', 's_small', '--out', 'mine.ndjson')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: mine.ndjson already exists. Use --force to replace it.\n',
    });
    expect([await readFile(out, 'utf8'), await readMode()]).toEqual(['mine', 0o644]);
    expect((await run('--site', 's_small', '--out', 'mine.ndjson', '--force')).status).toBe(0);
    expect(await readFile(out, 'utf8')).toContain('"kind":"site"');
    expect(await readMode()).toBe(0o600);
    expect((await run('--site', 's_small', '--out', 'new.ndjson')).status).toBe(0);
    expect((await stat(join(cwd, 'new.ndjson'))).mode & 0o777).toBe(0o600);
  });

  test.each<[string, readonly string[], number, string]>([
    ['an unknown site', ['--site', 's_none'], 1, 'There is no site s_none.'],
    ['a missing site', [], 2, "required option '--site <id>' not specified"],
    ['an invalid ID', ['--site', 'a b'], 2, "option '--site <id>' argument 'a b' is invalid"],
    ['--json without a file', ['--site', 's_small', '--json'], 2, '--json needs --out'],
    ['--force without a file', ['--site', 's_small', '--force'], 2, '--force needs --out'],
    ['--with-assets without a folder', ['--site', 's_small', '--with-assets'], 2, '--with-assets needs --out'],
    [
      '--with-assets with --force',
      ['--site', 's_small', '--with-assets', '--force', '--out', 'all'],
      2,
      '--force does not work with --with-assets; choose a new folder',
    ],
    ['a file without a name', ['--site', 's_small', '--out', ''], 2, '--out must name a file'],
    ['a folder', ['--site', 's_small', '--out', 'data', '--force'], 1, 'data is a folder. Choose a file name.'],
    ['a missing folder', ['--site', 's_small', '--out', 'no/a.ndjson'], 1, 'its folder does not exist'],
    ['a device', ['--site', 's_small', '--out', '/dev/null', '--force'], 1, '/dev/null is not a regular file.'],
  ])('rejects %s and leaves no file behind', async (_, args, status, complaint) => {
    const before = await readdir(cwd);
    const outcome = await run(...args);
    expect({ status: outcome.status, stdout: outcome.stdout }).toEqual({ status, stdout: '' });
    expect(outcome.stderr).toContain(complaint);
    expect(await readdir(cwd)).toEqual(before);
  });

  test('does not create a database', async () => {
    await using empty = await makeFolder();
    const { status, stderr } = await runGalley(['export', '--site', 's_small'], { cwd: empty.path });
    expect(status).toBe(1);
    expect(stderr).toContain('There is no database at ./data/galley.db yet.');
    expect(await readdir(empty.path)).toEqual([]);
  });
});
