// The objects in one S3 bucket. All errors name the bucket and the reason.

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { BucketLocation } from './assets-url.ts';
import { buildBucketError, isMissing, isNotImplemented, isUnsatisfiable } from './bucket-errors.ts';
import type { ByteRange, FileReading } from './file-store.ts';

/** While this many parts are being sent, no further part is read. */
export const PARTS_IN_FLIGHT = 2;
const MOST_ATTEMPTS = 3;
const CONNECT_MS = 5_000;
/**
 * Each slow download keeps a connection busy. With the S3 client's default limit of 50 connections, 50 slow downloads would block all
 * others.
 */
const MOST_CONNECTIONS = 1000;
/** S3 can take this long to copy a large file. */
const SILENCE_MS = 120_000;
/** Short requests run inside transactions, during which nobody else can save. PostgreSQL ends an idle transaction after a minute. */
const QUICK_MS = 15_000;

export interface BucketOptions {
  /** By default, credentials come from the usual AWS sources. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** How many keys one list request returns. */
  readonly pageSize?: number;
  /** How long a short request may take. */
  readonly quickMs?: number;
}

export interface BucketObject {
  /** The key without the requested prefix. */
  readonly name: string;
  readonly bytes: number;
  readonly lastChange: Date;
}

/** A multipart upload that was neither completed nor aborted. */
interface UnfinishedUpload {
  readonly key: string;
  readonly id: string;
  readonly lastChange: Date;
}

export interface BucketObjects {
  /** A short request. */
  find(key: string): Promise<Omit<BucketObject, 'name'> | undefined>;
  read(key: string, range?: ByteRange): Promise<FileReading | undefined>;
  /** A short request. */
  readText(key: string): Promise<{ readonly text: string; readonly lastChange: Date } | undefined>;
  /** @param bytes the size, if the body is a stream */
  put(key: string, body: Uint8Array | Readable, bytes?: number): Promise<void>;
  /** A short request. */
  putText(key: string, content: string): Promise<void>;
  /** Uploads an object in parts. If `isComplete` returns false at the end, nothing is stored. Returns whether the object was stored. */
  putParts(key: string, parts: AsyncIterable<Uint8Array>, isComplete: () => boolean): Promise<boolean>;
  copy(from: string, to: string): Promise<void>;
  /** A short request. It also succeeds if the object does not exist. */
  remove(key: string): Promise<void>;
  /** Sorted by key. */
  list(prefix: string): AsyncIterable<BucketObject>;
  /** Throws unless the bucket can be listed. */
  check(prefix: string): Promise<void>;
  /** Services that cannot list unfinished uploads expire them on their own. */
  listUploads(prefix: string): AsyncIterable<UnfinishedUpload>;
  abortUpload(upload: Pick<UnfinishedUpload, 'key' | 'id'>): Promise<void>;
  close(): void;
}

/** @param address names the bucket in messages */
export function openBucket(
  { bucket: Bucket, region, endpoint, isPathStyle }: BucketLocation,
  address: string,
  { credentials, pageSize = 1000, quickMs = QUICK_MS }: BucketOptions,
): BucketObjects {
  const client = new S3Client({
    ...(region === null ? {} : { region }),
    // Other services ignore the region, but the client requires one.
    ...(region === null && endpoint !== null ? { region: 'us-east-1' } : {}),
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: isPathStyle,
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: MOST_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MOST_CONNECTIONS },
    },
    // With checksums, the client sends bodies in chunks with trailers, which some services store as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

  async function translate<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw buildBucketError(address, error);
    }
  }

  async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
    try {
      return await work;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw buildBucketError(address, error);
    }
  }

  function limitTime(): { readonly abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(quickMs) };
  }

  const find: BucketObjects['find'] = async (Key) => {
    const found = await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key }), limitTime()));
    return found === undefined
      ? undefined
      : { bytes: found.ContentLength ?? 0, lastChange: found.LastModified ?? new Date() };
  };

  /** Version 1 of the list request: every S3 service supports it, and a page starts after a key instead of at a token. */
  function requestList(Prefix: string, MaxKeys: number, after?: string) {
    const marker = after === undefined ? {} : { Marker: after };
    return translate(client.send(new ListObjectsCommand({ Bucket, Prefix, MaxKeys, ...marker })));
  }

  async function requestUploads(
    Prefix: string,
    position: UploadPosition,
  ): Promise<Partial<ListMultipartUploadsCommandOutput>> {
    try {
      return await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...position }));
    } catch (error) {
      if (isNotImplemented(error)) return {};
      throw buildBucketError(address, error);
    }
  }

  const abortUpload: BucketObjects['abortUpload'] = async ({ key: Key, id: UploadId }) => {
    await translate(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
  };

  return {
    find,

    async read(Key, range) {
      // Reading the whole file needs no range, and S3 refuses any range of an empty file.
      const isWhole = range === undefined || (range.start === 0 && range.end === undefined);
      const Range = isWhole ? undefined : `bytes=${range.start}-${range.end ?? ''}`;
      try {
        const command = new GetObjectCommand({ Bucket, Key, ...(Range === undefined ? {} : { Range }) });
        const { Body, ContentLength = 0, ContentRange } = await client.send(command);
        return { stream: requireStream(Body), bytes: readTotal(ContentRange) ?? ContentLength };
      } catch (error) {
        if (isMissing(error)) return undefined;
        if (!isUnsatisfiable(error)) throw buildBucketError(address, error);
        const found = await find(Key);
        return found === undefined ? undefined : { stream: Readable.from([]), bytes: found.bytes };
      }
    },

    async readText(Key) {
      const found = await unlessMissing(client.send(new GetObjectCommand({ Bucket, Key }), limitTime()));
      if (found === undefined) return undefined;
      return { text: await translate(text(requireStream(found.Body))), lastChange: found.LastModified ?? new Date() };
    },

    async put(Key, Body, bytes) {
      const size = bytes === undefined ? {} : { ContentLength: bytes };
      await translate(client.send(new PutObjectCommand({ Bucket, Key, Body, ...size })));
    },

    async putText(Key, content) {
      await translate(client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(content) }), limitTime()));
    },

    async putParts(Key, parts, isComplete) {
      const { UploadId = '' } = await translate(client.send(new CreateMultipartUploadCommand({ Bucket, Key })));
      const stop = new AbortController();
      let isStored = false;
      const sent: Promise<CompletedPart>[] = [];
      try {
        let inFlight: Promise<CompletedPart>[] = [];
        for await (const Body of parts) {
          const PartNumber = sent.length + 1;
          const command = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
          const part = client
            .send(command, { abortSignal: stop.signal })
            .then(({ ETag = '' }): CompletedPart => ({ PartNumber, ETag }));
          // Node must not report a failure as unhandled before we await this part.
          part.catch(() => {});
          sent.push(part);
          inFlight.push(part);
          if (inFlight.length < PARTS_IN_FLIGHT) continue;
          await translate(inFlight[0] ?? part);
          inFlight = inFlight.slice(1);
        }
        if (!isComplete()) return false;
        const MultipartUpload = { Parts: await translate(Promise.all(sent)) };
        await translate(client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })));
        isStored = true;
        return true;
      } finally {
        stop.abort();
        await Promise.allSettled(sent);
        // If this fails, `listUploads` still returns the upload.
        if (!isStored) await abortUpload({ key: Key, id: UploadId }).catch(() => {});
      }
    },

    async copy(from, Key) {
      await translate(client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` })));
    },

    async remove(Key) {
      await translate(client.send(new DeleteObjectCommand({ Bucket, Key }), limitTime()));
    },

    async *list(prefix) {
      let after: string | undefined;
      while (true) {
        const page = await requestList(prefix, pageSize, after);
        for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
          yield { name: Key.slice(prefix.length), bytes: Size, lastChange: LastModified };
        }
        after = page.Contents?.at(-1)?.Key;
        if (page.IsTruncated !== true || after === undefined) return;
      }
    },

    async check(prefix) {
      await requestList(prefix, 1);
    },

    async *listUploads(prefix) {
      let position: UploadPosition | undefined = {};
      while (position !== undefined) {
        const page = await requestUploads(prefix, position);
        for (const { Key, UploadId, Initiated = new Date() } of page.Uploads ?? []) {
          if (Key !== undefined && UploadId !== undefined) yield { key: Key, id: UploadId, lastChange: Initiated };
        }
        const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
        position = IsTruncated === true ? buildPosition(NextKeyMarker, NextUploadIdMarker) : undefined;
      }
    },

    abortUpload,

    close: () => client.destroy(),
  };
}

function requireStream(body: unknown): Readable {
  if (!(body instanceof Readable)) throw new TypeError('The S3 client returned no stream.');
  return body;
}

/** `bytes 0-9/1000` → 1000 */
function readTotal(contentRange: string | undefined): number | undefined {
  const total = /\/(\d+)$/.exec(contentRange ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}

interface UploadPosition {
  readonly KeyMarker?: string;
  readonly UploadIdMarker?: string;
}

function buildPosition(keyMarker: string | undefined, uploadIdMarker: string | undefined): UploadPosition | undefined {
  if (keyMarker === undefined) return undefined;
  return { KeyMarker: keyMarker, ...(uploadIdMarker === undefined ? {} : { UploadIdMarker: uploadIdMarker }) };
}
