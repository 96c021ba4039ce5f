// For tests of file stores: stores in an empty folder and an empty bucket, and the operations that tests need.

import { createHash } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { BUCKET_CREDENTIALS, type BucketServer, connectClient, startBucketServer } from './bucket-server.fixture.ts';
import { openBucketStore } from './bucket-store.ts';
import type { FileStore } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';

export const MEGABYTE = 1024 ** 2;
export const PAST = new Date('2020-01-01T00:00:00Z');
export const FUTURE = new Date('2100-01-01T00:00:00Z');

export interface StoreSetup {
  readonly store: FileStore;
  /** A second store at the same location, as another process would open it. */
  readonly other: FileStore;
  /**
   * A store at the same location. Its removals must not undo a `put` into `store` that runs at the same time, even without a transaction.
   */
  readonly remover: FileStore;
  /** Makes a file look as if it was last stored long ago. */
  makeOld(sha256: string): Promise<void>;
  /** Leaves the same files behind as a process that ended in the middle of an upload. */
  leaveBehind(): Promise<void>;
  close(): Promise<void>;
}

export async function setUpFolder(): Promise<StoreSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-files-'));
  const location = { kind: 'folder', path: join(folder, 'assets') } as const;
  const other = await openFolderStore(location);
  return {
    store: await openFolderStore(location),
    other,
    remover: other,
    makeOld: (sha256) => utimes(join(location.path, 'files', sha256.slice(0, 2), sha256), PAST, PAST),
    leaveBehind: () => writeFile(join(location.path, 'incoming', 'unfinished'), 'half a'),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function setUpBucket(): Promise<StoreSetup> {
  const server = await startBucketServer('pictures', 'galley/assets');
  const options = { credentials: BUCKET_CREDENTIALS, pageSize: 3 };
  const store = openBucketStore(server.location, options);
  return {
    store,
    other: openBucketStore(server.location, options),
    remover: store,
    makeOld: (sha256) => server.makeOld(`galley/assets/files/${sha256}`),
    leaveBehind: () => startUpload(server),
    close: async () => server[Symbol.asyncDispose](),
  };
}

async function startUpload({ location }: BucketServer): Promise<void> {
  const client = connectClient(location);
  const key = { Bucket: location.bucket, Key: `${location.prefix}/incoming/unfinished` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(key));
  await client.send(new UploadPartCommand({ ...key, UploadId, PartNumber: 1, Body: Buffer.from('half a') }));
  client.destroy();
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function chunk(bytes: Buffer, size = 64 * 1024): Readable {
  return Readable.from(
    (function* () {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
    })(),
    { objectMode: false },
  );
}

export async function putBytes(store: FileStore, bytes: Buffer): Promise<string> {
  const put = await store.put(chunk(bytes), bytes.length);
  if (!put.ok) throw new Error(put.problem.code);
  return put.value.sha256;
}

export async function readBytes(
  store: FileStore,
  sha256: string,
  start = 0,
  end?: number,
): Promise<Buffer | undefined> {
  const reading = await store.read(sha256, { start, ...(end === undefined ? {} : { end }) });
  return reading === undefined ? undefined : buffer(reading.stream);
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
