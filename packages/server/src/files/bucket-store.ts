// Keeps files in an S3 bucket, under `files/<digest>`. The digest is known only at the end, so a file of more than one part is uploaded
// to `incoming/<id>` and copied by S3. Memory holds at most three parts of a file.

import { randomUUID } from 'node:crypto';
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
import { fail, ok } from '../content/result.ts';
import type { BucketLocation } from './assets-url.ts';
import { createDerivedFiles } from './bucket-derived.ts';
import { buildBucketError, isMissing, isNotImplemented, isUnsatisfiable } from './bucket-errors.ts';
import { createBucketPartials } from './bucket-partial.ts';
import {
  type ByteRange,
  type FileEntry,
  type FileReading,
  type FileStore,
  isSha256,
  type LeftOver,
  openMeter,
  putCopy,
  requireRange,
  requireSha256,
  type StoredFile,
} from './file-store.ts';
import { createTurns } from './turns.ts';

/** S3 accepts 10,000 parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_IN_FLIGHT = 2;
const MOST_ATTEMPTS = 3;
const CONNECT_MS = 5_000;
/** Each client that slowly downloads a file keeps a connection. The S3 client's own limit of 50 would let a few of them stop all others. */
const MOST_CONNECTIONS = 1000;
/** Copying a large file can take S3 this long. */
const SILENCE_MS = 120_000;
/** Looking for a file and removing it happen in transactions, while nobody else can save. PostgreSQL ends a silent one after a minute. */
const QUICK_MS = 15_000;
/** S3 reports times in whole seconds. */
const CLOCK_STEP_MS = 1000;

export interface BucketOptions {
  /** By default, credentials are found as the AWS tools find them. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** How many keys one request lists. */
  readonly pageSize?: number;
  /** How long looking for a file or removing it may take. */
  readonly quickMs?: number;
}

export function openBucketStore(location: BucketLocation, options: BucketOptions = {}): FileStore {
  const { bucket: Bucket, prefix, region, endpoint, isPathStyle } = location;
  const { credentials, pageSize = 1000, quickMs = QUICK_MS } = options;
  const address = prefix === '' ? `s3://${Bucket}` : `s3://${Bucket}/${prefix}`;
  const base = prefix === '' ? '' : `${prefix}/`;
  const files = `${base}files/`;
  const incoming = `${base}incoming/`;
  const ownerKey = `${base}owner`;
  const turns = createTurns();
  const client = new S3Client({
    ...(region === null ? {} : { region }),
    // Other services ignore the region, but the client demands one.
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

  function keyOf(sha256: string): string {
    return `${files}${requireSha256(sha256)}`;
  }

  async function translate<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work;
    } catch (error) {
      throw buildBucketError(address, error);
    }
  }

  function limitTime(): { readonly abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(quickMs) };
  }

  async function findObject(Key: string): Promise<{ readonly bytes: number; readonly lastPut: Date } | undefined> {
    try {
      const found = await client.send(new HeadObjectCommand({ Bucket, Key }), limitTime());
      return { bytes: found.ContentLength ?? 0, lastPut: found.LastModified ?? new Date() };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw buildBucketError(address, error);
    }
  }

  /** Version 1 of the list request: every S3 service has it, and each page starts after a key instead of a token. */
  async function* listObjects(Prefix: string): AsyncGenerator<{ name: string; bytes: number; lastChange: Date }> {
    let marker: string | undefined;
    while (true) {
      const page = await translate(
        client.send(
          new ListObjectsCommand({
            Bucket,
            Prefix,
            MaxKeys: pageSize,
            ...(marker === undefined ? {} : { Marker: marker }),
          }),
        ),
      );
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
        yield { name: Key.slice(Prefix.length), bytes: Size, lastChange: LastModified };
      }
      marker = page.Contents?.at(-1)?.Key;
      if (page.IsTruncated !== true || marker === undefined) return;
    }
  }

  async function selectUploads(position: UploadPosition): Promise<Partial<ListMultipartUploadsCommandOutput>> {
    try {
      return await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: incoming, ...position }));
    } catch (error) {
      if (isNotImplemented(error)) return {};
      throw buildBucketError(address, error);
    }
  }

  /** Uploads that were neither completed nor aborted. Services that cannot list them expire them on their own. */
  async function* listUploads(): AsyncGenerator<{ key: string; id: string; lastChange: Date }> {
    let position: UploadPosition | undefined = {};
    while (position !== undefined) {
      const page = await selectUploads(position);
      for (const { Key, UploadId, Initiated = new Date() } of page.Uploads ?? []) {
        if (Key !== undefined && UploadId !== undefined) yield { key: Key, id: UploadId, lastChange: Initiated };
      }
      const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
      position = IsTruncated === true ? buildPosition(NextKeyMarker, NextUploadIdMarker) : undefined;
    }
  }

  async function putWhole(body: Uint8Array, sha256: string): Promise<void> {
    await turns.take(sha256, () =>
      translate(client.send(new PutObjectCommand({ Bucket, Key: keyOf(sha256), Body: body }))),
    );
  }

  /** Uploads the parts, and gives the file its name when `finish` returns the digest; undefined discards everything. */
  async function putParts(
    parts: AsyncIterable<Uint8Array>,
    finish: () => StoredFile | undefined,
  ): Promise<StoredFile | undefined> {
    const Key = `${incoming}${randomUUID()}`;
    const { UploadId = '' } = await translate(client.send(new CreateMultipartUploadCommand({ Bucket, Key })));
    const stop = new AbortController();
    let isUploaded = false;
    const sent: Promise<CompletedPart>[] = [];
    try {
      let inFlight: Promise<CompletedPart>[] = [];
      for await (const Body of parts) {
        const PartNumber = sent.length + 1;
        const command = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
        const part = client
          .send(command, { abortSignal: stop.signal })
          .then(({ ETag = '' }): CompletedPart => ({ PartNumber, ETag }));
        // A failure must not count as unhandled before its turn to be awaited.
        part.catch(() => {});
        sent.push(part);
        inFlight.push(part);
        if (inFlight.length < PARTS_IN_FLIGHT) continue;
        await translate(inFlight[0] ?? part);
        inFlight = inFlight.slice(1);
      }
      const stored = finish();
      if (stored === undefined) return undefined;
      const MultipartUpload = { Parts: await translate(Promise.all(sent)) };
      await translate(client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })));
      isUploaded = true;
      const CopySource = `${Bucket}/${Key}`;
      await turns.take(stored.sha256, () =>
        translate(client.send(new CopyObjectCommand({ Bucket, Key: keyOf(stored.sha256), CopySource }))),
      );
      return stored;
    } finally {
      stop.abort();
      await Promise.allSettled(sent);
      const cleaning = isUploaded
        ? client.send(new DeleteObjectCommand({ Bucket, Key }))
        : client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      // The outcome of the upload counts. `removeLeftOvers` finds what remains.
      await cleaning.catch(() => {});
    }
  }

  async function put(source: AsyncIterable<Uint8Array>, limit: number): ReturnType<FileStore['put']> {
    const meter = openMeter(limit);
    const parts = splitParts(source, (chunk) => meter.add(chunk));
    try {
      const first = await parts.next();
      if (first.done === true) return fail({ code: 'too_large', limit });
      if (first.value.isLast) {
        const stored = meter.finish();
        await putWhole(first.value.body, stored.sha256);
        return ok(stored);
      }
      let isComplete = false;
      const rest = (async function* () {
        yield first.value.body;
        for await (const { body, isLast } of parts) {
          isComplete = isLast;
          if (body.length > 0) yield body;
        }
      })();
      const stored = await putParts(rest, () => (isComplete ? meter.finish() : undefined));
      return stored === undefined ? fail({ code: 'too_large', limit }) : ok(stored);
    } finally {
      await parts.return();
    }
  }

  async function readObject(Key: string, range?: ByteRange): Promise<FileReading | undefined> {
    // The whole file needs no range, which S3 refuses for an empty one.
    const isWhole = range === undefined || (range.start === 0 && range.end === undefined);
    const Range = isWhole ? undefined : `bytes=${range.start}-${range.end ?? ''}`;
    try {
      const command = new GetObjectCommand({ Bucket, Key, ...(Range === undefined ? {} : { Range }) });
      const { Body, ContentLength = 0, ContentRange } = await client.send(command);
      if (!(Body instanceof Readable)) throw new TypeError('The S3 client returned no stream.');
      return { stream: Body, bytes: readTotal(ContentRange) ?? ContentLength };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isUnsatisfiable(error)) throw buildBucketError(address, error);
      const found = await findObject(Key);
      return found === undefined ? undefined : { stream: Readable.from([]), bytes: found.bytes };
    }
  }

  const derived = createDerivedFiles(`${base}derived/`, {
    read: (Key) => readObject(Key),
    put: (Key, Body, ContentLength) =>
      translate(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }))),
    list: listObjects,
    remove: (Key) => translate(client.send(new DeleteObjectCommand({ Bucket, Key }))),
  });

  const partial = createBucketPartials(`${base}uploads/`, {
    read: (Key) => readObject(Key),
    put: (Key, Body) => translate(client.send(new PutObjectCommand({ Bucket, Key, Body }))),
    list: listObjects,
    remove: (Key) => translate(client.send(new DeleteObjectCommand({ Bucket, Key }))),
  });

  return {
    address,
    incoming: null,
    derived,
    partial,
    locate: () => null,

    async check() {
      await translate(client.send(new ListObjectsCommand({ Bucket, Prefix: files, MaxKeys: 1 })));
    },

    async checkWriting() {
      const Key = `${incoming}check-${randomUUID()}`;
      await translate(client.send(new ListObjectsCommand({ Bucket, Prefix: files, MaxKeys: 1 })));
      await translate(client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from('check') })));
      await translate(client.send(new DeleteObjectCommand({ Bucket, Key })));
    },

    put,

    async putFile(path, file) {
      await putCopy(put, path, file);
    },

    async read(sha256, range) {
      if (range !== undefined) requireRange(range);
      return readObject(keyOf(sha256), range);
    },

    async has(sha256) {
      return (await findObject(keyOf(sha256))) !== undefined;
    },

    async remove(sha256, putBefore) {
      const Key = keyOf(sha256);
      return turns.take(sha256, async () => {
        const found = await findObject(Key);
        if (found === undefined || found.lastPut.getTime() + CLOCK_STEP_MS > putBefore.getTime()) return false;
        await translate(client.send(new DeleteObjectCommand({ Bucket, Key }), limitTime()));
        return true;
      });
    },

    async *list(): AsyncGenerator<FileEntry> {
      for await (const { name, bytes, lastChange } of listObjects(files)) {
        if (isSha256(name)) yield { sha256: name, bytes, lastPut: lastChange };
      }
    },

    async readOwner() {
      const found = await readObject(ownerKey);
      return found === undefined ? undefined : text(found.stream);
    },

    async writeOwner(owner) {
      await translate(client.send(new PutObjectCommand({ Bucket, Key: ownerKey, Body: Buffer.from(owner) })));
    },

    async *listLeftOvers(): AsyncGenerator<LeftOver> {
      for await (const { name, lastChange } of listObjects(incoming)) yield { name: `incoming/${name}`, lastChange };
      for await (const { key, lastChange } of listUploads()) yield { name: key.slice(base.length), lastChange };
    },

    async removeLeftOvers(before) {
      let removed = 0;
      for await (const { name, lastChange } of listObjects(incoming)) {
        if (lastChange >= before) continue;
        await translate(client.send(new DeleteObjectCommand({ Bucket, Key: `${incoming}${name}` })));
        removed += 1;
      }
      for await (const { key, id, lastChange } of listUploads()) {
        if (lastChange >= before) continue;
        await translate(client.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: id })));
        removed += 1;
      }
      return removed;
    },

    async close() {
      client.destroy();
    },
  };
}

interface Part {
  readonly body: Uint8Array;
  readonly isLast: boolean;
}

/** Collects chunks into parts of equal size. If `add` refuses a chunk, it ends without a last part. */
async function* splitParts(
  source: AsyncIterable<Uint8Array>,
  add: (chunk: Uint8Array) => boolean,
): AsyncGenerator<Part, void, void> {
  let room = Buffer.allocUnsafe(PART_BYTES);
  let used = 0;
  for await (const chunk of source) {
    if (!add(chunk)) return;
    let rest = chunk;
    while (rest.length > 0) {
      if (used === PART_BYTES) {
        yield { body: room, isLast: false };
        // The previous part may still be on its way.
        room = Buffer.allocUnsafe(PART_BYTES);
        used = 0;
      }
      const piece = rest.subarray(0, PART_BYTES - used);
      room.set(piece, used);
      used += piece.length;
      rest = rest.subarray(piece.length);
    }
  }
  yield { body: room.subarray(0, used), isLast: true };
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
