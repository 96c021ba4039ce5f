// `galley export --with-assets` writes a folder, and importing it elsewhere produces the same assets, byte for byte.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makeFolder, runForJson, runGalley } from '../support/galley-command.ts';
import { siteRecord, toLines, typeRecord } from '../support/small-site.ts';

/** A site that has two assets with the same name, two with the same bytes, and a text file whose name is in a non-Latin script. */
async function makeLibrary() {
  const folder = await makeFolder();
  const cwd = folder.path;
  const [red, blue] = await Promise.all(['red', 'blue'].map(drawPicture));
  const text = Buffer.from('Grüße\n');
  const assets = [
    await addFile(cwd, 'a_1', 'one/photo.png', red),
    await addFile(cwd, 'a_2', 'two/photo.png', blue),
    await addFile(cwd, 'a_3', 'three/photo.png', red),
    await addFile(cwd, 'a_4', 'メモ.txt', text),
  ];
  await writeFile(join(cwd, 'site/bundle.ndjson'), toLines([siteRecord(), typeRecord(), ...assets]));
  expect(await runForJson(['import', 'site'], { cwd })).toMatchObject({ files: [{ file: 'site', assets: 4 }] });
  return { cwd, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

function drawPicture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
}

async function addFile(cwd: string, id: string, path: string, bytes: Buffer = Buffer.alloc(0)) {
  const target = join(cwd, 'site/files', path);
  await mkdir(join(target, '..'), { recursive: true });
  await writeFile(target, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const asset = { kind: 'asset', id, site: 's_small', name: id, file: `files/${path}`, sha256, folder: 'press' };
  const picture = { width: 40, height: 20, placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI' };
  return path.endsWith('.png') ? { ...asset, ...picture } : asset;
}

describe('galley export --with-assets', () => {
  test('writes the bundle and each file once, and importing the folder elsewhere produces the same site', async () => {
    await using library = await makeLibrary();
    const { cwd } = library;
    expect(await runGalley(['export', '--site', 's_small', '--out', 'all', '--with-assets'], { cwd })).toEqual({
      status: 0,
      stdout: 'Exported s_small to all: 0 content objects and 6 other records, with 3 files.\n',
      stderr: '',
    });
    const written = await readdir(join(cwd, 'all'), { recursive: true, withFileTypes: true });
    expect(
      written
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['bundle.ndjson', 'photo.png', 'photo.png', 'メモ.txt'].sort());
    expect((await stat(join(cwd, 'all'))).mode & 0o077).toBe(0);
    const env = { GALLEY_DATABASE_URL: 'sqlite:other/galley.db', GALLEY_ASSETS_URL: 'file:other/assets' };
    await mkdir(join(cwd, 'other'));
    await runForJson(['import', 'all'], { cwd, env });
    await runForJson(['export', '--site', 's_small', '--out', 'again', '--with-assets'], { cwd, env });
    for (const entry of written.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name).slice(join(cwd, 'all').length);
      expect(await readFile(join(cwd, 'again', path))).toEqual(await readFile(join(cwd, 'all', path)));
    }
  });

  test('does not write into a folder that is not empty', async () => {
    await using library = await makeLibrary();
    const { cwd } = library;
    const outcome = await runGalley(['export', '--site', 's_small', '--out', 'site', '--with-assets'], { cwd });
    expect([outcome.status, outcome.stderr]).toEqual([
      1,
      `error: ${join(cwd, 'site')} is not empty. Choose another folder.\n`,
    ]);
  });

  test('leaves nothing behind if a file is missing from the store', async () => {
    await using library = await makeLibrary();
    const { cwd } = library;
    await rm(join(cwd, 'data/assets/files'), { recursive: true });
    const before = (await readdir(cwd)).sort();
    const outcome = await runGalley(['export', '--site', 's_small', '--out', 'all', '--with-assets'], { cwd });
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(
      /^error: files\/\w{16}\/photo\.png is missing from file:.*\. Nothing was exported\.\n$/,
    );
    expect((await readdir(cwd)).sort()).toEqual(before);
  });
});
