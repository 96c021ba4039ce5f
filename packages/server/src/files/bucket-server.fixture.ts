// For tests: an S3 server on a free port. Unlike S3, s3rver cannot list or abort multipart uploads, and does not make changes
// atomically. This file makes up for both.

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3Client } from '@aws-sdk/client-s3';
import S3rver, { type Context, type Store } from 's3rver';
import type { BucketLocation } from './assets-url.ts';
import { createTurns } from './turns.ts';

export const BUCKET_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const;

export interface BucketServer extends AsyncDisposable {
  readonly location: BucketLocation;
  /** The number of requests received, by method and operation. */
  readonly requests: Map<string, number>;
  /** The bytes of an object, as the server stores them. */
  readObject(key: string): Promise<Buffer>;
  /** Makes an object look as if it had been written long ago. */
  makeOld(key: string): Promise<void>;
}

/** Creates a client for requests that do not go through a store. The caller destroys the client. */
export function connectClient({ endpoint }: BucketLocation): S3Client {
  return new S3Client({
    endpoint: endpoint ?? '',
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: BUCKET_CREDENTIALS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
}

export async function startBucketServer(bucket: string, prefix: string): Promise<BucketServer> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-bucket-'));
  const directory = join(folder, 'buckets');
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  const requests = new Map<string, number>();
  makeAtomic(server.store, folder);
  server.middleware.unshift(async (context, next) => {
    const name = nameRequest(context);
    requests.set(name, (requests.get(name) ?? 0) + 1);
    if (!(await answerUploads(server.store, bucket, context))) await next();
  });
  const { port } = await server.run();
  return {
    location: {
      kind: 'bucket',
      bucket,
      prefix,
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      isPathStyle: true,
    },
    requests,
    readObject: (key) => readFile(server.store.getResourcePath(bucket, key, 'object')),
    makeOld: (key) => utimes(server.store.getResourcePath(bucket, key, 'object'), new Date(0), new Date(0)),
    async [Symbol.asyncDispose]() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function nameRequest({ method, query }: Context): string {
  return 'uploadId' in query ? `${method} upload` : method;
}

/** Requests that read or change an object run one at a time. Only the bodies of uploads may arrive in parallel. */
function makeAtomic(store: Store, folder: string): void {
  const turns = createTurns();
  const { deleteObject, getObject, listObjects } = store;
  store.deleteObject = (...given) => turns.take('', () => deleteObject.apply(store, given));
  store.getObject = (...given) => turns.take('', () => getObject.apply(store, given));
  store.listObjects = (...given) => turns.take('', () => listObjects.apply(store, given));

  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    const temporary = join(folder, randomUUID());
    const hash = createHash('md5');
    await pipeline(
      Buffer.isBuffer(content) ? Readable.from([content]) : content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(temporary),
    );
    const md5 = hash.digest('hex');
    const { size } = await stat(temporary);
    await turns.take('', async () => {
      await mkdir(dirname(path), { recursive: true });
      await rename(temporary, path);
      await store.putMetadata(bucket, key, metadata, md5);
    });
    return { size, md5 };
  };

  store.copyObject = async (from, fromKey, to, toKey) => {
    const content = createReadStream(store.getResourcePath(from, fromKey, 'object'));
    await store.putObject({ bucket: to, key: toKey, content, metadata: {} });
    return store.getMetadata(to, toKey);
  };
}

/** Handles the requests that s3rver does not support. Returns whether this was one of them. */
async function answerUploads(store: Store, bucket: string, context: Context): Promise<boolean> {
  const uploads = store.getResourcePath(bucket, undefined, 'uploads');
  const { method, query } = context;
  if (method === 'DELETE' && query.uploadId !== undefined) {
    // An upload exists for as long as its key does. Parts whose request was cancelled may still be written while the folder is deleted.
    const folder = join(uploads, query.uploadId);
    await rm(join(folder, 'key'), { force: true });
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    context.status = 204;
    return true;
  }
  if (method !== 'GET' || !('uploads' in query)) return false;
  const ids = await readdir(uploads).catch(() => []);
  const entries = await Promise.all(
    ids.map(async (id) => {
      const key = await readFile(join(uploads, id, 'key'), 'utf8').catch(() => undefined);
      if (key === undefined) return '';
      const { mtime } = await stat(join(uploads, id, 'key'));
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`;
    }),
  );
  context.type = 'application/xml';
  context.body = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`;
  return true;
}
