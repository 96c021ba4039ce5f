import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileStoreError } from '../files/file-store.ts';
import { takeFile } from './take-file.ts';
import { openTemporaryFile } from './temporary-file.ts';
import { openUploadTools } from './upload-tools.ts';
import { openUploads, RULES, type StoreKind, split, take } from './uploads.fixture.ts';

const HOUR_MS = 60 * 60 * 1000;

describe.each(['folder', 'bucket'] satisfies StoreKind[])('temporary files for a %s', (kind) => {
  test('are removed when a service starts more than a day after their process ended', async () => {
    await using uploads = await openUploads(kind);
    const { store, images, folder } = uploads.tools;
    const files = await Promise.all(['old', 'new'].map(() => openTemporaryFile(uploads.tools)));
    for (const file of files) await file.receive(split(Buffer.from('half a')), 100);
    const [old, recent] = files.map(({ path }) => path);
    const times = [25, 23].map((hours) => new Date(Date.now() - hours * HOUR_MS));
    await utimes(old ?? '', times[0] ?? 0, times[0] ?? 0);
    await utimes(recent ?? '', times[1] ?? 0, times[1] ?? 0);
    expect(await uploads.listTemporary()).toHaveLength(2);
    await (await openUploadTools({ store, images, folder })).close();
    const left = await uploads.listTemporary();
    expect(left).toHaveLength(1);
    expect(recent).toContain(left[0]);
  });
});

test('folders that belong to other programs are not touched', async () => {
  await using uploads = await openUploads('bucket');
  const { store, images, folder } = uploads.tools;
  const past = new Date(0);
  for (const name of ['other', 'galley-upload-empty']) {
    await mkdir(join(folder, name));
    await utimes(join(folder, name), past, past);
  }
  await writeFile(join(folder, 'galley-upload-file'), '');
  await utimes(join(folder, 'galley-upload-file'), past, past);
  await (await openUploadTools({ store, images, folder })).close();
  expect((await readdir(folder)).toSorted()).toEqual(['galley-upload-file', 'other']);
});

test('if the folder cannot be used, the error names the folder and gives the reason', async () => {
  await using uploads = await openUploads('bucket');
  const tools = { ...uploads.tools, folder: join(uploads.folder, 'missing') };
  const taking = takeFile(tools, split(Buffer.from('a')), 'a.txt', RULES);
  await expect(taking).rejects.toThrow(FileStoreError);
  await expect(taking).rejects.toThrow(`The uploads folder ${tools.folder} cannot be used.`);
});

test('a source can yield empty chunks', async () => {
  await using uploads = await openUploads('folder');
  const chunks = (async function* () {
    yield Buffer.of();
    yield Buffer.from('# No');
    yield Buffer.of();
    yield Buffer.from('tes\n');
    yield Buffer.of();
  })();
  const taken = await takeFile(uploads.tools, chunks, 'notes.md', RULES);
  if (!taken.ok) throw new Error(taken.problem.message);
  await using file = taken.value;
  await using same = await take(uploads, Buffer.from('# Notes\n'), 'notes.md');
  expect(file.sha256).toBe(same.sha256);
});
