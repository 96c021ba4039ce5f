import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildEnvironment, makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

async function makeSite() {
  const folder = await makeFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord(), typeRecord(), postRecord('c_1')]));
  await runForJson(['import', 'site.ndjson'], { cwd });
  return { cwd, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe.concurrent('galley export', () => {
  test('fails with a message when the output disk is full', async () => {
    await using site = await makeSite();
    const options = { cwd: site.cwd, redirection: '1>/dev/full' };
    const exported = await runGalley(['export', '--site', 's_small'], options);
    expect([exported.status, exported.stderr]).toEqual([
      1,
      'error: The export is incomplete: ENOSPC: no space left on device, write.\n',
    ]);
    const listed = await runGalley(['site', 'list'], options);
    expect([listed.status, listed.stderr]).toEqual([
      1,
      'error: The output could not be written: ENOSPC: no space left on device, write.\n',
    ]);
  });

  test('prints a bundle that changes nothing when it is imported again', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    const { status, stdout, stderr } = await runGalley(['export', '--site', 's_small'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const kinds = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(['site', 'content_type', 'content']);
    await writeFile(join(cwd, 'again.ndjson'), stdout);
    expect(await runForJson(['import', 'again.ndjson'], { cwd })).toMatchObject({ files: [{ changed: 0 }] });
  });

  test('writes a file, gzipped if its name ends in .gz, and prints a summary', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    expect(await runGalley(['export', '--site', 's_small', '--out', 'a.ndjson'], { cwd })).toEqual({
      status: 0,
      stdout: 'Exported s_small to a.ndjson: 1 content object and 2 other records.\n',
      stderr: '',
    });
    expect(await runForJson(['export', '--site', 's_small', '--out', 'a.ndjson.gz'], { cwd })).toEqual({
      file: 'a.ndjson.gz',
      site: 's_small',
      content_types: 1,
      authors: 0,
      assets: 0,
      contents: 1,
    });
    const plain = await readFile(join(cwd, 'a.ndjson'));
    expect(gunzipSync(await readFile(join(cwd, 'a.ndjson.gz')))).toEqual(plain);
  });

  test('writes a file that only the owner can read, even when it replaces another file', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    const out = join(cwd, 'a.ndjson');
    const args = ['export', '--site', 's_small', '--out', out];
    expect(await runGalley(args, { cwd })).toMatchObject({ status: 0 });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    await chmod(out, 0o644);
    expect(await runGalley([...args, '--force'], { cwd })).toMatchObject({ status: 0 });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  test('replaces an existing file only with --force', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    await writeFile(join(cwd, 'a.ndjson'), 'mine');
    const args = ['export', '--site', 's_small', '--out', 'a.ndjson'];
    expect(await runGalley(args, { cwd })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: a.ndjson already exists. Use --force to replace it.\n',
    });
    expect(await readFile(join(cwd, 'a.ndjson'), 'utf8')).toBe('mine');
    expect((await runGalley([...args, '--force'], { cwd })).status).toBe(0);
    expect(await readFile(join(cwd, 'a.ndjson'), 'utf8')).toContain('"kind":"site"');
  });

  test.each<[string, readonly string[], number, string]>([
    ['an unknown site', ['--site', 's_none'], 1, 'There is no site s_none.'],
    ['a missing site', [], 2, "required option '--site <id>' not specified"],
    ['an invalid ID', ['--site', 'a b'], 2, "option '--site <id>' argument 'a b' is invalid"],
    ['--json without a file', ['--site', 's_small', '--json'], 2, '--json needs --out'],
    ['--force without a file', ['--site', 's_small', '--force'], 2, '--force needs --out'],
    ['a file without a name', ['--site', 's_small', '--out', ''], 2, '--out must name a file'],
    ['a folder', ['--site', 's_small', '--out', 'data', '--force'], 1, 'data is a folder. Choose a file name.'],
    ['a missing folder', ['--site', 's_small', '--out', 'no/a.ndjson'], 1, 'its folder does not exist'],
    ['a device', ['--site', 's_small', '--out', '/dev/null', '--force'], 1, '/dev/null is not a regular file.'],
  ])('rejects %s and leaves no file behind', async (_, args, status, complaint) => {
    await using site = await makeSite();
    const outcome = await runGalley(['export', ...args], { cwd: site.cwd });
    expect({ status: outcome.status, stdout: outcome.stdout }).toEqual({ status, stdout: '' });
    expect(outcome.stderr).toContain(complaint);
    expect((await readdir(site.cwd)).sort()).toEqual(['data', 'site.ndjson']);
  });

  test('does not create a database', async () => {
    await using folder = await makeFolder();
    const { status, stderr } = await runGalley(['export', '--site', 's_small'], { cwd: folder.path });
    expect(status).toBe(1);
    expect(stderr).toContain('There is no database at ./data/galley.db yet.');
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('exits without an error when the program reading its output stops early', async () => {
    await using site = await makeSite();
    const many = Array.from({ length: 400 }, (_, index) =>
      postRecord(`c_${index}`, { fields: { title: { text: 'x'.repeat(2000) } } }),
    );
    await writeFile(join(site.cwd, 'many.ndjson'), toLines(many));
    await runForJson(['import', 'many.ndjson'], { cwd: site.cwd });
    const program = join(import.meta.dirname, '../../bin/galley.js');
    const command = `"${process.execPath}" "${program}" export --site s_small | head -n 1`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], { cwd: site.cwd, env: buildEnvironment() });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await once(child, 'close');
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect({ status: child.exitCode, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('leaves no file behind when it is interrupted', async () => {
    await using site = await makeSite();
    const { cwd } = site;
    const many = Array.from({ length: 3000 }, (_, index) =>
      postRecord(`c_${index}`, { fields: { title: { text: 'x'.repeat(500) } } }),
    );
    await writeFile(join(cwd, 'many.ndjson'), toLines(many));
    await runForJson(['import', 'many.ndjson'], { cwd });
    await mkdir(join(cwd, 'out'));
    const program = join(import.meta.dirname, '../../bin/galley.js');
    const command = [program, 'export', '--site', 's_small', '--out', 'out/a.ndjson'];
    const child = spawn(process.execPath, command, { cwd, env: buildEnvironment() });
    const closed = once(child, 'close');
    // The temporary file shows that the export has started.
    while ((await readdir(join(cwd, 'out'))).length === 0 && child.exitCode === null) await new Promise(setImmediate);
    child.kill('SIGINT');
    await closed;
    expect(child.signalCode).toBe('SIGINT');
    expect(await readdir(join(cwd, 'out'))).toEqual([]);
  });
});
