// galley migrate-to with --assets-to: the uploaded files are in the new store before the copied database can be used.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { addAsset, digest, TEST_STORES, type TestStore } from '../support/asset-store.ts';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { siteRecord, toLines } from '../support/small-site.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

async function install(from: TestStore) {
  await using made = new AsyncDisposableStack();
  const { path: cwd } = made.use(await makeFolder());
  await writeFile(join(cwd, 'site.ndjson'), toLines([siteRecord()]));
  await runForJson(['import', 'site.ndjson'], { cwd });
  const files = [100, 200, 300].map((size) => randomBytes(size));
  const storage = await openStorage({ engine: 'sqlite', path: join(cwd, 'data/galley.db') }, Date.now());
  for (const [index, bytes] of files.entries()) await addAsset(storage, from.store, { id: `a_${index}`, bytes });
  await storage.close();
  const target = made.adopt(await createPostgresDatabase(), (each) => each.remove());
  const kept = made.move();
  return { cwd, files, url: target.url.url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const [[, makeFolderStore], [, makeBucketStore]] = TEST_STORES;

describe.each([
  ['a folder', 'a bucket', makeFolderStore, makeBucketStore],
  ['a bucket', 'a folder', makeBucketStore, makeFolderStore],
] as const)('an installation whose files move from %s to %s', (_from, toKind, makeFrom, makeTo) => {
  test('has all of its files in the new store', async () => {
    await using from = await makeFrom();
    await using to = await makeTo();
    await using site = await install(from);
    const { cwd, files, url } = site;
    const env = { ...to.env, ...from.env };
    const command = ['migrate-to', url, '--assets-to', to.env.GALLEY_ASSETS_URL ?? ''];
    const planned = await runForJson([...command, '--dry-run'], { cwd, env });
    expect(planned).toMatchObject({ dry_run: true, assets: { copied: 3, to: to.store.address } });
    for (const bytes of files) expect(await to.store.has(digest(bytes))).toBe(false);

    // An earlier run copied one of the files.
    await to.store.put(
      (async function* () {
        yield files[0] ?? Buffer.of();
      })(),
      100,
    );
    const { status, stdout } = await runGalley(command, { cwd, env });
    expect(status).toBe(0);
    expect(stdout).toContain(
      `Copied 2 files (500 bytes) from ${from.store.address} to ${to.store.address}; it already had 1 file.\n`,
    );
    expect(stdout).toContain('set GALLEY_DATABASE_URL and GALLEY_ASSETS_URL to the new URLs');
    for (const bytes of files) expect(await to.store.has(digest(bytes))).toBe(true);

    const moved = { ...from.env, ...to.env, GALLEY_DATABASE_URL: url };
    const { checks } = Object(await runForJson(['doctor'], { cwd, env: moved }));
    const found = checks.filter(({ group }: { group: string }) => group === 'Files');
    expect(found.map(({ name, status: mark }: { name: string; status: string }) => [name, mark])).toEqual([
      // Other nodes cannot read a folder on this machine.
      ['file store', toKind === 'a folder' ? 'warning' : 'ok'],
      ['asset files', 'ok'],
      ['unused files', 'ok'],
      ['unfinished uploads', 'ok'],
    ]);
  });

  test('is not copied if a file is missing', async () => {
    await using from = await makeFrom();
    await using to = await makeTo();
    await using site = await install(from);
    const { cwd, files, url } = site;
    const env = { ...to.env, ...from.env };
    const lost = digest(files[1] ?? Buffer.of());
    await from.store.remove(lost, new Date('2100-01-01'));
    const command = ['migrate-to', url, '--assets-to', to.env.GALLEY_ASSETS_URL ?? ''];
    const { status, stderr } = await runGalley(command, { cwd, env });
    expect(status).toBe(1);
    expect(stderr).toContain(`1 file missing from ${from.store.address}: ${lost}\n`);
    expect(stderr).toContain('The database was not copied.');
    const report = JSON.stringify(await runForJson(['doctor'], { cwd, env: { ...env, GALLEY_DATABASE_URL: url } }));
    expect(report).toContain('there is no schema yet');
  });
});

test('galley migrate-to says where the files are if it does not copy them', async () => {
  await using from = await makeFolderStore();
  await using site = await install(from);
  const { cwd, url } = site;
  const { stdout } = await runGalley(['migrate-to', url], { cwd, env: from.env });
  expect(stdout).toContain(`The uploaded files stay in ${from.store.address}.`);
  const same = ['migrate-to', url, '--assets-to', from.env.GALLEY_ASSETS_URL ?? ''];
  expect((await runGalley(same, { cwd, env: from.env })).stderr).toContain(
    'The files cannot be copied to the store that they are already in.',
  );
});
