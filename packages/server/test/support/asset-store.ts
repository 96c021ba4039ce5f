// A store of uploaded files for a test: a folder or a bucket. It can also create assets whose files are in the store.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createAssetsFromFiles, replaceFile, type StoredUpload } from '../../src/authoring/asset-files.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import type { AssetsLocation } from '../../src/files/assets-url.ts';
import { BUCKET_CREDENTIALS, connectClient, startBucketServer } from '../../src/files/bucket-server.fixture.ts';
import { openBucketStore } from '../../src/files/bucket-store.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { openFolderStore } from '../../src/files/folder-store.ts';
import type { Storage } from '../../src/storage/storage.ts';

export interface TestStore extends AsyncDisposable {
  readonly location: AssetsLocation;
  readonly store: FileStore;
  /** The settings for a process that uses the store. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes a file look as if it had last been stored long ago. */
  makeOld(sha256: string): Promise<void>;
  /** Makes it look as if the owner had last claimed the store long ago. */
  makeClaimOld(): Promise<void>;
  /** Leaves behind an old part of an upload. */
  leaveBehind(): Promise<void>;
  /** Replaces the bytes of a file, as a failing disk could. */
  damage(sha256: string, bytes: Buffer): Promise<void>;
}

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

async function makeFolderStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-assets-'));
  const location = { kind: 'folder', path: join(folder, 'assets') } as const;
  const store = await openFolderStore(location);
  const pathOf = (sha256: string): string => join(location.path, 'files', sha256.slice(0, 2), sha256);
  return {
    location,
    store,
    env: { GALLEY_ASSETS_URL: `file:${location.path}` },
    makeOld: (sha256) => utimes(pathOf(sha256), LONG_AGO, LONG_AGO),
    makeClaimOld: () => utimes(join(location.path, 'owner'), LONG_AGO, LONG_AGO),
    async leaveBehind() {
      const path = join(location.path, 'incoming/unfinished');
      await writeFile(path, 'half a');
      await utimes(path, LONG_AGO, LONG_AGO);
    },
    async damage(sha256, bytes) {
      await mkdir(dirname(pathOf(sha256)), { recursive: true });
      await writeFile(pathOf(sha256), bytes);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makeBucketStore(): Promise<TestStore> {
  const server = await startBucketServer('pictures', 'galley');
  const { location } = server;
  const store = openBucketStore(location, { credentials: BUCKET_CREDENTIALS, pageSize: 3 });
  const client = connectClient(location);
  const put = async (Key: string, Body: Buffer | string): Promise<void> => {
    await client.send(new PutObjectCommand({ Bucket: location.bucket, Key, Body }));
  };
  return {
    location,
    store,
    env: {
      GALLEY_ASSETS_URL: `s3://pictures/galley?region=us-east-1&endpoint=${location.endpoint}&path_style=true`,
      AWS_ACCESS_KEY_ID: BUCKET_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: BUCKET_CREDENTIALS.secretAccessKey,
    },
    makeOld: (sha256) => server.makeOld(`galley/files/${sha256}`),
    makeClaimOld: () => server.makeOld('galley/owner'),
    async leaveBehind() {
      await put('galley/incoming/unfinished', 'half a');
      await server.makeOld('galley/incoming/unfinished');
    },
    damage: (sha256, bytes) => put(`galley/files/${sha256}`, bytes),
    async [Symbol.asyncDispose]() {
      client.destroy();
      await store.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

export const TEST_STORES = [
  ['a folder', makeFolderStore],
  ['a bucket', makeBucketStore],
] as const;

export function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function putBytes(store: FileStore, bytes: Buffer): Promise<string> {
  const put = await store.put(
    (async function* () {
      yield bytes;
    })(),
    bytes.length,
  );
  if (!put.ok) throw new Error(put.problem.code);
  return put.value.sha256;
}

/** Stores the bytes, and creates an asset with them. Returns their digest. @param id starts with `a_` */
export async function addAsset(
  storage: Storage,
  store: FileStore,
  { site = 's_small', id, bytes }: { readonly site?: string; readonly id: string; readonly bytes: Buffer },
): Promise<string> {
  const upload = await storeUpload(store, id, bytes);
  const details = { name: id, description: null, folder: '', refusesDuplicates: false };
  const desk = { ...createDesk(storage), newUuid: () => id.slice('a_'.length) };
  await createAssetsFromFiles(desk, COMMAND_ACTOR, site, [[upload, details]]);
  return upload.sha256;
}

/** Stores the bytes, and makes them the asset's file. */
export async function exchange(storage: Storage, store: FileStore, id: string, bytes: Buffer): Promise<string> {
  const upload = await storeUpload(store, id, bytes);
  await replaceFile(createDesk(storage), COMMAND_ACTOR, 's_small', id, upload);
  return upload.sha256;
}

async function storeUpload(store: FileStore, name: string, bytes: Buffer): Promise<StoredUpload> {
  const sha256 = await putBytes(store, bytes);
  return {
    sha256,
    fileName: `${name}.bin`,
    extension: 'bin',
    type: 'application/octet-stream',
    bytes: bytes.length,
    width: null,
    height: null,
    placeholder: null,
    colour: null,
    async ensureStored() {
      if (!(await store.has(sha256))) await putBytes(store, bytes);
    },
  };
}
