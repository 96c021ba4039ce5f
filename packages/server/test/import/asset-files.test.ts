// A bundle can contain its assets' files. An import puts them into the store and rejects those that it cannot use.

import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { BundleFiles } from '../../src/bundle/bundle-files.ts';
import { BundleRefusal, formatFinding } from '../../src/bundle/bundle-report.ts';
import { createDryBundleFiles, openBundleFiles } from '../../src/bundle/take-bundle-files.ts';
import { openFileStore } from '../../src/files/open-file-store.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder } from '../support/galley-command.ts';
import { siteRecord, toLines } from '../support/small-site.ts';
import { exportText, importFile } from './export-database.ts';

const PLACEHOLDER = '1QcSHQRnh493V4dIh4eXh1h4kJUI';

async function openLibrary() {
  const folder = await makeFolder();
  const databasePath = join(folder.path, 'galley.db');
  const storage = await openSqlite(databasePath, Date.now());
  const store = join(folder.path, 'assets');
  const files = openBundleFiles({ kind: 'folder', path: store });
  const bundle = join(folder.path, 'bundle');
  await mkdir(join(bundle, 'files'), { recursive: true });

  /** @param taken null for a bundle from standard input */
  async function importAssets(assets: readonly object[], taken: BundleFiles | null = files) {
    const path = join(bundle, 'bundle.ndjson');
    await writeFile(path, toLines([siteRecord(), ...assets]));
    return importFile(storage, path, taken ?? undefined);
  }

  return {
    bundle,
    storage,
    importAssets,
    /** Writes a picture to the bundle and returns its record. */
    async addPicture(name: string, background: string) {
      const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
      await writeFile(join(bundle, 'files', name), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const asset = { kind: 'asset', id: 'a_1', site: 's_small', name: 'Red', file: `files/${name}`, sha256 };
      return { asset: { ...asset, width: 40, height: 20, placeholder: PLACEHOLDER, colour: '#ff0000' }, bytes };
    },
    async refuse(asset: object, taken: BundleFiles | null = files): Promise<string> {
      const before = JSON.stringify(dumpDatabase(databasePath));
      const refusal = await importAssets([asset], taken).catch((error: unknown) => error);
      if (!(refusal instanceof BundleRefusal)) throw refusal;
      expect(JSON.stringify(dumpDatabase(databasePath))).toBe(before);
      return refusal.faults.map((fault) => `${fault.line}: ${formatFinding(fault)}`).join('\n');
    },
    rows: (table: string) => (dumpDatabase(databasePath)[table] ?? []).map((row) => Object(row)),
    async readStored(sha256: string): Promise<Buffer | undefined> {
      const opened = await openFileStore({ kind: 'folder', path: store });
      try {
        const reading = await opened.read(sha256);
        return reading && (await buffer(reading.stream));
      } finally {
        await opened.close();
      }
    },
    countStored: async () => (await readdir(join(store, 'files')).catch(() => [])).length,
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await storage.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("an import stores the file, along with all the details given in the file's record", async () => {
  await using library = await openLibrary();
  const { asset, bytes } = await library.addPicture('Red picture.png', 'red');
  const shelf = { focal_point: { x: 25, y: 75 }, folder: 'press/2026', tags: ['Paper', 'colour'] };
  await library.importAssets([{ ...asset, ...shelf }]);
  const version = asset.sha256.slice(0, 16);
  const path = `assets/s_small/a_1/${version}/Red-picture.png`;
  expect(library.rows('assets')).toMatchObject([
    {
      ...{ id: 'a_1', path, url: `/${path}`, sha256: asset.sha256, file_name: 'Red-picture.png', extension: 'png' },
      ...{ size: bytes.length, mime_type: 'image/png', width: 40, height: 20, placeholder: PLACEHOLDER },
      ...{ colour: '#ff0000', focal_x: 25, focal_y: 75, folder: 'press/2026' },
    },
  ]);
  expect(library.rows('asset_files')).toMatchObject([{ version, sha256: asset.sha256, replaced_at: null }]);
  expect(library.rows('asset_tags').map(({ tag }) => tag)).toEqual(['colour', 'Paper']);
  expect(await library.readStored(asset.sha256)).toEqual(bytes);
});

test('importing the same bundle again changes nothing', async () => {
  await using library = await openLibrary();
  const { asset } = await library.addPicture('red.png', 'red');
  expect(await library.importAssets([{ ...asset, tags: ['one'] }])).toMatchObject({ changed: 2 });
  expect(await library.importAssets([{ ...asset, tags: ['one'] }])).toMatchObject({ changed: 0 });
  expect(await library.importAssets([{ ...asset, tags: ['two'] }])).toMatchObject({ changed: 1 });
  expect(library.rows('asset_files')).toHaveLength(1);
});

test('an export without files can be imported into a site that already has the files, even from standard input', async () => {
  await using library = await openLibrary();
  const { asset } = await library.addPicture('red.png', 'red');
  await library.importAssets([{ ...asset, folder: 'press', tags: ['one'], focal_point: { x: 1, y: 2 } }]);
  const [, line = ''] = (await exportText(library.storage, 's_small')).trimEnd().split('\n');
  const exported = JSON.parse(line);
  expect(exported.file).toBe(`files/${asset.sha256.slice(0, 16)}/red.png`);
  expect(await library.importAssets([exported], null)).toMatchObject({ changed: 0 });
  expect(await library.importAssets([{ ...exported, name: 'New' }], null)).toMatchObject({ changed: 1 });
});

test('a new file replaces the old one, a URL replaces the new one, and both files are kept', async () => {
  await using library = await openLibrary();
  const red = await library.addPicture('red.png', 'red');
  const blue = await library.addPicture('blue.png', 'blue');
  await library.importAssets([red.asset]);
  await library.importAssets([blue.asset]);
  const digests = () => library.rows('asset_files').map(({ sha256, replaced_at }) => [sha256, replaced_at === null]);
  expect(digests()).toEqual([
    [red.asset.sha256, false],
    [blue.asset.sha256, true],
  ]);
  await library.importAssets([
    { kind: 'asset', id: 'a_1', site: 's_small', name: 'Far', url: 'https://x.example/1.png' },
  ]);
  expect(digests().map(([, isCurrent]) => isCurrent)).toEqual([false, false]);
  expect(library.rows('assets')).toMatchObject([{ sha256: null, file_name: null, placeholder: null }]);
});

test('a dry run stores nothing', async () => {
  await using library = await openLibrary();
  const { asset } = await library.addPicture('red.png', 'red');
  expect(await library.importAssets([asset], createDryBundleFiles())).toMatchObject({ assets: 1 });
  expect(await library.countStored()).toBe(0);
});

test('a file that cannot be used is reported as an error in its record', async () => {
  await using library = await openLibrary();
  const { asset } = await library.addPicture('red.png', 'red');
  const where = '2: asset a_1, field file:';
  expect(await library.refuse({ ...asset, file: 'files/none.png' })).toBe(`${where} files/none.png does not exist`);
  expect(await library.refuse({ ...asset, file: 'files' })).toBe(`${where} files is a folder, not a file`);
  expect(await library.refuse(asset, null)).toBe(
    `${where} files/red.png cannot be read: a bundle from standard input has no files`,
  );
  expect(await library.refuse({ ...asset, sha256: '0'.repeat(64) })).toBe(
    `${where} files/red.png is not the file that the bundle was made with: its SHA-256 is different`,
  );
});

test('the type of a file is determined by its bytes, whatever its name says', async () => {
  await using library = await openLibrary();
  const { asset } = await library.addPicture('red.html', 'red');
  await library.importAssets([asset]);
  expect(library.rows('assets')).toMatchObject([{ file_name: 'red.png', mime_type: 'image/png', extension: 'png' }]);
});

test('a file that its record does not describe is treated like an upload', async () => {
  await using library = await openLibrary();
  const { asset } = await library.addPicture('red.png', 'red');
  const { id, name, file, site, kind } = asset;
  await library.importAssets([{ id, name, file, site, kind }]);
  expect(library.rows('assets')).toMatchObject([
    {
      sha256: asset.sha256,
      width: 40,
      height: 20,
      colour: '#ff0000',
      placeholder: expect.stringMatching(/^[\w+/=]+$/),
    },
  ]);
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9" height="9"/></svg>';
  await writeFile(join(library.bundle, 'files/drawing.svg'), drawing);
  await library.importAssets([{ id, name, site, kind, file: 'files/drawing.svg' }]);
  const [{ sha256 }] = library.rows('assets') as [{ sha256: string }];
  expect((await library.readStored(sha256))?.toString()).not.toContain('onload');
  await writeFile(join(library.bundle, 'files/empty.jpg'), '');
  expect(await library.refuse({ id, name, site, kind, file: 'files/empty.jpg' })).toBe(
    '2: asset a_1, field file: files/empty.jpg cannot be imported: The file is empty. Choose another file.',
  );
});

test('SVG is sanitised whatever its record says', async () => {
  await using library = await openLibrary();
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  await writeFile(join(library.bundle, 'files/drawing.svg'), drawing);
  const { asset } = await library.addPicture('red.png', 'red');
  const sha256 = createHash('sha256').update(drawing).digest('hex');
  expect(await library.refuse({ ...asset, file: 'files/drawing.svg', sha256 })).toMatch('its SHA-256 is different');
});
