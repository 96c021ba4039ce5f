import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../support/dump-database.ts';
import { type CommandOutcome, makeFolder, runForJson, runGalley, runProgram } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

const WHOLE = [postRecord('c_1', { fields: { rank: { number: 1 } } }), typeRecord(), siteRecord()];

const NOTHING_FOUND = { faults: [], has_more_faults: false, warnings: [], warning_count: 0 };

describe('galley import', () => {
  test('imports plain and gzipped bundles, with records in any order, and prints a summary', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines(WHOLE));
    await writeFile(join(cwd, 'more.ndjson.gz'), gzipSync(toLines([postRecord('c_2'), postRecord('c_3')])));
    expect(await runGalley(['import', 'site.ndjson', 'more.ndjson.gz'], { cwd })).toEqual({
      status: 0,
      stdout:
        'Imported site.ndjson: 1 content object and 2 other records; 3 changed.\n' +
        'Imported more.ndjson.gz: 2 content objects and 0 other records; 2 changed.\n',
      stderr: '',
    });
  });

  test('changes nothing when the same bundle is imported again', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines(WHOLE));
    await runForJson(['import', 'site.ndjson'], { cwd });
    const before = dumpDatabase(join(cwd, 'data/galley.db'));
    expect(await runForJson(['import', 'site.ndjson'], { cwd })).toEqual({
      dry_run: false,
      files: [{ file: 'site.ndjson', sites: 1, content_types: 1, authors: 0, assets: 0, contents: 1, changed: 0 }],
      ...NOTHING_FOUND,
    });
    expect(dumpDatabase(join(cwd, 'data/galley.db'))).toEqual(before);
  });

  test('leaves nothing behind after a dry run, not even a new database, although later files depend on earlier ones', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines(WHOLE));
    await writeFile(join(cwd, 'more.ndjson'), toLines([postRecord('c_2')]));
    const { status, stdout } = await runGalley(['import', '--dry-run', 'site.ndjson', 'more.ndjson'], { cwd });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout:
        'Checked site.ndjson: 1 content object and 2 other records; 3 would change.\n' +
        'Checked more.ndjson: 1 content object and 0 other records; 1 would change.\n',
    });
    expect(() => dumpDatabase(join(cwd, 'data/galley.db'))).toThrow('unable to open');

    await runForJson(['import', 'site.ndjson'], { cwd });
    const before = dumpDatabase(join(cwd, 'data/galley.db'));
    expect(await runForJson(['import', '--dry-run', 'more.ndjson'], { cwd })).toEqual({
      dry_run: true,
      files: [{ file: 'more.ndjson', sites: 0, content_types: 0, authors: 0, assets: 0, contents: 1, changed: 1 }],
      ...NOTHING_FOUND,
    });
    expect(dumpDatabase(join(cwd, 'data/galley.db'))).toEqual(before);
  });

  test('keeps the files imported before an invalid one, and lists them', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    await writeFile(join(cwd, 'site.ndjson'), toLines(WHOLE));
    await writeFile(join(cwd, 'wrong.ndjson'), toLines([postRecord('c_2'), postRecord('c_3', { author: 'u_none' })]));
    const { status, stdout, stderr } = await runGalley(['import', 'site.ndjson', 'wrong.ndjson', 'last.ndjson'], {
      cwd,
    });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'Imported site.ndjson: 1 content object and 2 other records; 3 changed.\n',
    });
    expect(stderr).toBe(
      'wrong.ndjson:2: content c_3, field author: author u_none does not exist\n' +
        'Nothing from wrong.ndjson was imported.\n' +
        'Already imported: site.ndjson\n' +
        'Not imported: last.ndjson\n',
    );
    expect(dumpDatabase(join(cwd, 'data/galley.db')).contents).toHaveLength(1);
  });

  test('lists up to 100 errors, and imports out-of-range values with a warning', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    const faults = Array.from({ length: 120 }, (_, index) => postRecord(`c_${index}`, { author: 'u_none' }));
    await writeFile(join(cwd, 'wrong.ndjson'), toLines([siteRecord(), typeRecord(), ...faults]));
    const wrong = await runGalley(['import', 'wrong.ndjson', '--dry-run', '--json'], { cwd });
    const lines = wrong.stderr.trimEnd().split('\n');
    expect([wrong.status, lines.length, lines[99], lines[100]]).toEqual([
      1,
      101,
      'wrong.ndjson:102: content c_99, field author: author u_none does not exist',
      '… and more errors; the first 100 are listed.',
    ]);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ dry_run: true, files: [], has_more_faults: true });
    expect(JSON.parse(wrong.stdout).faults[99]).toEqual({
      file: 'wrong.ndjson',
      line: 102,
      kind: 'content',
      id: 'c_99',
      field: 'author',
      message: 'author u_none does not exist',
    });
    const limited = { ...typeRecord(), fields: [{ handle: 'rank', type: 'number', max: 5 }] };
    const odd = Array.from({ length: 101 }, (_, index) =>
      postRecord(`c_${index}`, { fields: { rank: { number: 6 } } }),
    );
    await writeFile(join(cwd, 'odd.ndjson'), toLines([siteRecord(), limited, ...odd]));
    const { status, stdout, stderr } = await runGalley(['import', 'odd.ndjson'], { cwd });
    expect([status, stdout]).toEqual([
      0,
      'Imported odd.ndjson: 101 content objects and 2 other records; 103 changed.\n',
    ]);
    expect(stderr).toMatch(
      /^odd\.ndjson:3: warning: content c_0, field rank: number must be at most 5, got 6\n(.*\n){99}… and 1 more warning for odd\.ndjson\.\n$/,
    );
  });

  test('reads standard input, plain or gzipped', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    const plain = await runGalley(['import', '-'], { cwd, input: toLines(WHOLE) });
    expect(plain).toEqual({
      status: 0,
      stdout: 'Imported stdin: 1 content object and 2 other records; 3 changed.\n',
      stderr: '',
    });
    const packed = await runGalley(['import', '-'], { cwd, input: gzipSync(toLines([postRecord('c_2'), {}])) });
    expect(packed).toMatchObject({ status: 1, stdout: '' });
    expect(packed.stderr).toMatch(/^stdin:2: kind must be one of .*\nNothing from stdin was imported\.\n$/);
    const nothing = await runGalley(['import', '-'], { cwd, input: '' });
    expect(nothing).toMatchObject({ status: 1, stderr: 'error: Standard input is empty. Nothing was imported.\n' });
    const twice = await runGalley(['import', '-', '-', '--json'], { cwd, input: '' });
    expect(twice).toMatchObject({ status: 1, stderr: 'error: Standard input (-) can be read only once.\n' });
    expect(JSON.parse(twice.stdout)).toMatchObject({ files: [], error: 'Standard input (-) can be read only once.' });
  });

  test('prints JSON with --json, even for an invalid file', async () => {
    await using folder = await makeFolder();
    const { status, stdout, stderr } = await runGalley(['import', 'none.ndjson', '--json'], { cwd: folder.path });
    expect(status).toBe(1);
    const fault = { file: 'none.ndjson', line: null, kind: null, id: null, field: null, message: 'no such file' };
    expect(JSON.parse(stdout)).toEqual({ dry_run: false, files: [], ...NOTHING_FOUND, faults: [fault] });
    expect(stderr).toBe('none.ndjson: no such file\nNothing from none.ndjson was imported.\n');
  });
});

describe('an invalid bundle', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let before: ReturnType<typeof dumpDatabase>;

  beforeAll(async () => {
    folder = await makeFolder();
    await writeFile(join(folder.path, 'site.ndjson'), toLines(WHOLE));
    await runForJson(['import', 'site.ndjson'], { cwd: folder.path });
    before = dumpDatabase(join(folder.path, 'data/galley.db'));
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  async function importText(name: string, content: string | Buffer): Promise<CommandOutcome> {
    await writeFile(join(folder.path, name), content);
    return runGalley(['import', name], { cwd: folder.path });
  }

  function expectRefusal({ status, stdout, stderr }: CommandOutcome, complaint: string | RegExp): void {
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(complaint);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(dumpDatabase(join(folder.path, 'data/galley.db'))).toEqual(before);
  }

  test.each<[string, readonly object[], string]>([
    [
      'a duplicate id',
      [postRecord('c_8'), postRecord('c_9'), postRecord('c_8')],
      ':3: content c_8: is already defined on line 1',
    ],
    [
      'an unknown author',
      [postRecord('c_8', { author: 'u_none' })],
      ':1: content c_8, field author: author u_none does not exist',
    ],
    [
      'an unknown site',
      [postRecord('c_8', { site: 's_none' })],
      ':1: content c_8, field site: site s_none does not exist',
    ],
    [
      'a link to missing content',
      [postRecord('c_8'), postRecord('c_9', { fields: { related: { content_links: ['c_none'] } } })],
      ':2: content c_9, field related: content c_none does not exist',
    ],
    [
      'a duplicate slug',
      [postRecord('c_8', { slug: 'same' }), postRecord('c_9', { slug: 'same' })],
      ':2: content c_9, field slug: same is taken by c_8 (same type and language)',
    ],
    [
      'a field of the wrong type',
      [postRecord('c_8', { fields: { rank: { number: 'three' } } })],
      ':1: content c_8, field rank: number must be',
    ],
    [
      'an unknown field',
      [postRecord('c_8', { fields: { colour: { text: 'x' } } })],
      ':1: content c_8, field colour: is not a field of post',
    ],
    [
      'a cycle of translations',
      [postRecord('c_8', { translation_of: 'c_9' }), postRecord('c_9', { language: 'fr', translation_of: 'c_8' })],
      ':1: content c_8, field translation_of: c_9 is part of a circular chain of translations',
    ],
    ['an unknown kind', [{ kind: 'page', id: 'p_1' }], ':1: kind must be one of'],
  ])('changes nothing: %s', async (what, records, complaint) => {
    const outcome = await importText(`${what}.ndjson`, toLines(records));
    expectRefusal(outcome, `${what}.ndjson${complaint}`);
  });

  test('changes nothing if it is a truncated gzip file', async () => {
    const whole = gzipSync(toLines(Array.from({ length: 50 }, (_, index) => postRecord(`c_cut_${index}`))));
    expectRefusal(
      await importText('cut.ndjson.gz', whole.subarray(0, -20)),
      /^cut\.ndjson\.gz: the gzip data ends too early$/m,
    );
  });

  test('changes nothing if a line of JSON is truncated', async () => {
    const text = toLines([postRecord('c_8'), postRecord('c_9')]);
    expectRefusal(await importText('cut.ndjson', text.slice(0, -20)), /^cut\.ndjson:2: line /);
  });

  test('changes nothing if it is a binary file', async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7 + 128) % 256));
    expectRefusal(await importText('photo.jpg', bytes), /^photo\.jpg:1: /);
  });

  test('changes nothing if it is a folder', async () => {
    expectRefusal(await runGalley(['import', 'data'], { cwd: folder.path }), /^data: is a folder, not a file$/m);
  });

  test('changes nothing if it is a pipe passed as a file, because a pipe can be read only once', async () => {
    const input = toLines([postRecord('c_8')]);
    const outcome = await runProgram(['import', '/dev/stdin'], { cwd: folder.path, input });
    expectRefusal(outcome, /^\/dev\/stdin: is not a regular file, and bundles are read twice; use - and pipe it in$/m);
  });
});
