import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeDatabase } from '../support/change-database.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { type CommandOptions, makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

interface Finding {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly advice: string | null;
}

async function makeSite() {
  const folder = await makeFolder();
  const cwd = folder.path;
  const contents = [
    postRecord('c_1'),
    postRecord('c_2', { draft: { name: 'Newer' } }),
    postRecord('c_3', { status: 'draft' }),
  ];
  await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord(), typeRecord(), ...contents]));
  await runForJson(['import', 'site.ndjson'], { cwd });
  return { cwd, database: join(cwd, 'data/galley.db'), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** The findings whose status is not ok, by name. */
async function examine(options: CommandOptions) {
  const { status, stdout, stderr } = await runGalley(['doctor', '--json'], options);
  const report: { status: string; checks: Finding[] } = JSON.parse(stdout);
  const found = report.checks.filter((check) => check.status !== 'ok');
  expect(status).toBe(report.status === 'problem' ? 1 : 0);
  if (report.status === 'problem') expect(stderr).toMatch(/^error: The doctor found \d+ problems?\.\n$/);
  for (const { advice } of found) expect(advice).not.toBeNull();
  return Object.fromEntries(found.map(({ name, status: mark, message }) => [name, `${mark}: ${message}`]));
}

/** The warnings that are expected for a freshly imported site. */
const UNFINISHED = {
  owners: 'warning: nobody can sign in as an owner',
  'API keys': 'warning: no API key works',
};

describe('galley doctor', () => {
  test('runs every check, changes nothing, and reports what is missing from a new site', async () => {
    await using site = await makeSite();
    const before = await readFile(site.database);
    expect(await examine(site)).toEqual(UNFINISHED);
    expect(await readFile(site.database)).toEqual(before);
    await runForJson(['key', 'create', '--site', 's_small'], site);
    expect(await examine(site)).toEqual({ owners: UNFINISHED.owners });
  });

  test('prints its findings with advice', async () => {
    await using site = await makeSite();
    const { status, stdout } = await runGalley(['doctor'], site);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Settings\n {2}✓ GALLEY_PORT +3000 \(default\)\n/);
    expect(stdout).toMatch(/^ {2}✓ published +2 content objects, all readable$/m);
    expect(stdout).toMatch(
      /^ {2}! API keys +no API key works\n {20,}Create one: npx --no galley key create --all-sites$/m,
    );
    expect(stdout).toMatch(/\n\n2 warnings\.\n$/);
  });

  test('recommends setting the public URL when other machines can reach the panel', async () => {
    await using site = await makeSite();
    const find = async (env: Readonly<Record<string, string>>) => (await examine({ ...site, env })).GALLEY_PUBLIC_URL;
    const advice = 'warning: from the request (default), so the panel is available only at IP addresses and localhost';
    expect(await find({ GALLEY_HOST: '0.0.0.0' })).toBe(advice);
    expect(await find({ GALLEY_TRUST_PROXY: 'loopback' })).toBe(advice);
    expect(await find({ GALLEY_HOST: '0.0.0.0', GALLEY_ADMIN_HOSTS: 'cms.example.com' })).toBeUndefined();
    expect(await find({ GALLEY_HOST: '0.0.0.0', GALLEY_ADMIN: 'false' })).toBeUndefined();
  });

  test('shows the source of each setting, and no secrets', async () => {
    await using site = await makeSite();
    await writeFile(join(site.cwd, '.env'), 'GALLEY_CACHE_MB=32\nGALLEY_MATCH=some\n');
    const env = { PORT: '8080', GALLEY_PROT: '1', GALLEY_REPLICA_URLS: 'postgres://ada:secret@localhost/x' };
    const { status, stdout } = await runGalley(['doctor', '--json'], { cwd: site.cwd, env });
    expect(status).toBe(1);
    expect(stdout).not.toContain('secret');
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    const messages = Object.fromEntries(checks.map(({ name, status: mark, message }) => [name, `${mark}: ${message}`]));
    expect(messages).toMatchObject({
      GALLEY_PORT: 'ok: 8080 (PORT in the environment)',
      GALLEY_CACHE_MB: 'ok: 32 (file .env)',
      GALLEY_REPLICA_URLS: 'ok: postgres://… (not shown) (environment)',
      GALLEY_MATCH: 'problem: is "some"; allowed: all or any.',
      GALLEY_PROT: 'problem: is not a setting; did you mean GALLEY_PORT?',
    });
  });

  test.each<[string, string, Readonly<Record<string, string>>]>([
    [
      'published content that readers cannot see',
      "delete from published_contents where id = 'c_1'",
      { published: 'problem: readers cannot read 1 published content object' },
    ],
    [
      'published content without a stored body',
      'delete from published_bodies where content_no = 1',
      { published: 'problem: readers cannot read 1 published content object' },
    ],
    [
      'unpublished content that readers can see',
      "update contents set status = 'draft' where id = 'c_1'",
      { published: 'problem: readers can read 1 content object that should not be public' },
    ],
    [
      'values without content',
      "insert into published_numbers (content_no, field_no, language, key, id) values (999, 1, 'en', 1, 'c_x')",
      { published: 'problem: 1 value without content' },
    ],
    [
      'missing previews',
      "delete from preview_contents where id = 'c_2'; delete from preview_texts; delete from preview_numbers",
      { previews: 'problem: previews of 1 content object are wrong' },
    ],
    [
      'published content without a required value, as in an older database',
      "update fields set is_required = 1 where handle = 'related'",
      { 'required values': 'warning: 2 published content objects without a required value: c_1, c_2' },
    ],
    [
      'altered stored text',
      "update published_bodies set body = replace(body, 'Post c_1', 'Most c_1') where content_no in (1, 2); " +
        "update preview_bodies set body = replace(body, ' a', ' u') where content_no = 3",
      { 'stored text': 'problem: 1 published object damaged: c_1; 1 draft damaged: c_3' },
    ],
    [
      'missing versions',
      'pragma foreign_keys = off; delete from content_versions where number = 1 and content_no = 1',
      { versions: 'problem: 2 versions missing' },
    ],
    [
      'wrong counts',
      "update content_counts set total = 7 where status = 'draft'; delete from content_counts where is_changed = 1",
      { counts: 'problem: 3 dashboard figures wrong' },
    ],
    [
      'dangling references',
      'pragma foreign_keys = off; update contents set author_no = 99 where no = 1',
      { references: 'problem: 1 row refers to a missing row' },
    ],
    [
      'overdue schedules',
      'update contents set publish_at = 1000 where no = 3',
      { schedules: 'warning: 1 schedule overdue' },
    ],
  ])('finds %s', async (_, change, expected) => {
    await using site = await makeSite();
    changeDatabase(site.database, change);
    expect(await examine(site)).toMatchObject(expected);
  });

  test('reports a newer or older schema, and skips the content checks', async () => {
    await using site = await makeSite();
    const current = dumpDatabase(site.database).schema_versions?.length;
    changeDatabase(site.database, 'insert into schema_versions (version, applied_at) values (99, 0)');
    expect(await examine(site)).toEqual({ schema: `problem: version 99; this release uses ${current}` });
    changeDatabase(site.database, 'delete from schema_versions');
    expect(await examine(site)).toEqual({ schema: `warning: version 0; this release uses ${current}` });
  });

  test('reports a file that is damaged, empty, or not a database', async () => {
    await using site = await makeSite();
    const bytes = await readFile(site.database);
    await writeFile(site.database, Buffer.from(bytes).fill(0xa5, bytes.length - 40_960));
    expect(await examine(site)).toMatchObject({ integrity: expect.stringMatching(/^problem: damaged: /) });
    await writeFile(site.database, Buffer.alloc(8192, 0xa5));
    expect(await examine(site)).toMatchObject({
      opening: expect.stringContaining('is damaged, or is not a SQLite database'),
    });
    await writeFile(site.database, '');
    expect(await examine(site)).toMatchObject({ schema: 'problem: this is not a Galley database, or it is empty' });
    await rm(site.database);
    await mkdir(site.database);
    expect(await examine(site)).toMatchObject({ file: 'problem: ./data/galley.db is not a file' });
  });

  test('distinguishes a missing database from one that cannot be created, and creates neither', async () => {
    await using folder = await makeFolder();
    const cwd = folder.path;
    expect(await examine({ cwd })).toEqual({ file: 'warning: ./data/galley.db does not exist yet' });
    expect(await examine({ cwd })).toEqual({ file: 'warning: ./data/galley.db does not exist yet' });
    await writeFile(join(cwd, 'file'), '');
    expect(await examine({ cwd, env: { GALLEY_DATABASE_URL: 'sqlite:file/galley.db' } })).toMatchObject({
      file: expect.stringContaining('problem: file/galley.db does not exist, and cannot be created'),
    });
    expect(await examine({ cwd, env: { GALLEY_DATABASE_URL: 'sqlite::memory:' } })).toMatchObject({
      opening: 'problem: it must be a file',
    });
  });

  test('warns when other users can read the database', async () => {
    await using site = await makeSite();
    await chmod(join(site.cwd, 'data'), 0o755);
    await chmod(site.database, 0o644);
    expect(await examine(site)).toMatchObject({
      permissions: 'warning: other users on this machine can read the database',
    });
    await chmod(site.database, 0o600);
    expect(await examine(site)).toEqual(UNFINISHED);
  });
});
