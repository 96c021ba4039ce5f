// Copies between all kinds of stores.

import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUCKET_CREDENTIALS, startBucketServer } from './bucket-server.fixture.ts';
import { openBucketStore } from './bucket-store.ts';
import { copyFiles } from './copy-files.ts';
import { type FileStore, FileStoreError, type StoredFile } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';

const NOTHING_LOST = { missing: { total: 0, digests: [] }, damaged: { total: 0, digests: [] } };

describe.each([
  ['a folder', 'a folder'],
  ['a folder', 'a bucket'],
  ['a bucket', 'a folder'],
  ['a bucket', 'a bucket'],
])('copying files from %s to %s', (fromKind, toKind) => {
  let resources: AsyncDisposableStack;
  let from: FileStore;
  let to: FileStore;

  beforeEach(async () => {
    resources = new AsyncDisposableStack();
    from = await open(fromKind);
    to = await open(toKind);
  });

  afterEach(() => resources.disposeAsync());

  async function open(kind: string): Promise<FileStore> {
    if (kind === 'a bucket') {
      const server = resources.use(await startBucketServer('pictures', 'galley'));
      return openBucketStore(server.location, { credentials: BUCKET_CREDENTIALS, pageSize: 3 });
    }
    const path = await mkdtemp(join(tmpdir(), 'galley-copies-'));
    resources.defer(() => rm(path, { recursive: true, force: true }));
    return openFolderStore({ kind: 'folder', path });
  }

  async function put(store: FileStore, bytes: Buffer): Promise<StoredFile> {
    const stored = await store.put(list([bytes]), bytes.length);
    if (!stored.ok) throw new Error(stored.problem.code);
    return stored.value;
  }

  async function fill(count: number): Promise<readonly StoredFile[]> {
    const files: StoredFile[] = [];
    for (let index = 0; index < count; index++) files.push(await put(from, randomBytes(1000 + index)));
    return sort(files);
  }

  test('copies every file completely, and only once', async () => {
    const files = await fill(9);
    const large = await put(from, randomBytes(9_000_000));
    const all = sort([...files, large]);
    const bytes = all.reduce((sum, file) => sum + file.bytes, 0);
    const progress: number[] = [];
    const onProgress = (done: number): unknown => progress.push(done);
    expect(await copyFiles(from, to, list(all), { onProgress })).toEqual({
      ...{ files: 10, bytes, copied: 10, copiedBytes: bytes },
      ...NOTHING_LOST,
    });
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { sha256 } of all) expect(await readDigest(to, sha256)).toBe(sha256);
    const last = await put(from, randomBytes(10));
    expect(await copyFiles(from, to, list(sort([...all, last])))).toMatchObject({ files: 11, copied: 1 });
  });

  test('leaves out files that no record refers to', async () => {
    const [one, ...others] = await fill(4);
    if (one === undefined) throw new Error('There is no file');
    await copyFiles(from, to, list([one]));
    expect(await to.has(one.sha256)).toBe(true);
    for (const { sha256 } of others) expect(await to.has(sha256)).toBe(false);
  });

  test('copies nothing in a dry run', async () => {
    const files = await fill(3);
    const gone = { sha256: 'f'.repeat(64), bytes: 1 };
    expect(await copyFiles(from, to, list([...files, gone]), { isDryRun: true })).toMatchObject({
      copied: 3,
      missing: { total: 1, digests: [gone.sha256] },
    });
    for (const { sha256 } of files) expect(await to.has(sha256)).toBe(false);
  });

  test('copies a file again if the sizes differ', async () => {
    const files = await fill(1);
    await copyFiles(from, to, list(files));
    const [file = { sha256: '', bytes: 0 }] = files;
    const grown = { ...file, bytes: file.bytes + 1 };
    expect(await copyFiles(from, to, list([grown]))).toMatchObject({ copied: 1 });
  });

  test('reports a missing file and copies the others', async () => {
    const files = await fill(5);
    const [, second = { sha256: '' }] = files;
    await from.remove(second.sha256, new Date('2100-01-01'));
    expect(await copyFiles(from, to, list(files))).toMatchObject({
      ...{ files: 4, copied: 4, damaged: { total: 0 } },
      missing: { total: 1, digests: [second.sha256] },
    });
  });

  test('stops if the source fails, and can be resumed', async () => {
    const files = await fill(5);
    const broken: FileStore = {
      ...from,
      read: () => Promise.reject(new FileStoreError('unreachable', 'The service cannot be reached', undefined)),
    };
    await expect(copyFiles(broken, to, list(files))).rejects.toThrow('The service cannot be reached');
    expect(await copyFiles(from, to, list(files))).toMatchObject({ files: 5, copied: 5 });
  });
});

test('a file with altered bytes is reported and not copied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-copies-'));
  const from = await openFolderStore({ kind: 'folder', path: join(folder, 'from') });
  const to = await openFolderStore({ kind: 'folder', path: join(folder, 'to') });
  const stored = await from.put(list([Buffer.from('picture')]), 100);
  const file = stored.ok ? stored.value : { sha256: '', bytes: 0 };
  await writeFile(join(folder, 'from/files', file.sha256.slice(0, 2), file.sha256), 'pictore');
  expect(await copyFiles(from, to, list([file]))).toMatchObject({
    ...{ files: 0, copied: 0, missing: { total: 0 } },
    damaged: { total: 1, digests: [file.sha256] },
  });
  expect(await readdir(join(folder, 'to/files'))).toEqual([]);
  expect(await readdir(join(folder, 'to/incoming'))).toEqual([]);
  await rm(folder, { recursive: true });
});

async function* list<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

function sort(files: readonly StoredFile[]): readonly StoredFile[] {
  return files.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
}

async function readDigest(store: FileStore, sha256: string): Promise<string | undefined> {
  const reading = await store.read(sha256);
  if (reading === undefined) return undefined;
  return createHash('sha256')
    .update(await buffer(reading.stream))
    .digest('hex');
}
