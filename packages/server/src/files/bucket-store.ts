// Keeps files in an S3 bucket, under `files/<digest>`. The digest is known only at the end, so a file with more than one part is uploaded
// to `incoming/<id>`, and then S3 copies it. Memory holds at most three parts of a file.

import { randomUUID } from 'node:crypto';
import type { BucketLocation } from './assets-url.ts';
import { createDerivedFiles } from './bucket-derived.ts';
import { type BucketOptions, openBucket, PARTS_IN_FLIGHT } from './bucket-objects.ts';
import { createBucketPartials } from './bucket-partial.ts';
import {
  type FileEntry,
  type FileStore,
  isSha256,
  type LeftOver,
  putCopy,
  putWithin,
  requireRange,
  requireSha256,
  type StoreMetered,
} from './file-store.ts';
import { createTurns } from './turns.ts';

/** S3 accepts at most 10,000 parts, each of at least 5 MiB. */
const PART_BYTES = 5 * 1024 ** 2;
/** S3 reports times in whole seconds. */
const CLOCK_STEP_MS = 1000;

export function openBucketStore(location: BucketLocation, options: BucketOptions = {}): FileStore {
  const { bucket, prefix } = location;
  const address = prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  const base = prefix === '' ? '' : `${prefix}/`;
  const files = `${base}files/`;
  const incoming = `${base}incoming/`;
  const ownerKey = `${base}owner`;
  const turns = createTurns();
  const objects = openBucket(location, address, options);

  function keyOf(sha256: string): string {
    return `${files}${requireSha256(sha256)}`;
  }

  const store: StoreMetered = async (source, meter) => {
    const parts = splitParts(source, (chunk) => meter.add(chunk));
    try {
      const first = await parts.next();
      if (first.done === true) return undefined;
      if (first.value.isLast) {
        const stored = meter.finish();
        await turns.take(stored.sha256, () => objects.put(keyOf(stored.sha256), first.value.body));
        return stored;
      }
      let isComplete = false;
      const bodies = (async function* () {
        yield first.value.body;
        for await (const { body, isLast } of parts) {
          isComplete = isLast;
          if (body.length > 0) yield body;
        }
      })();
      const temporary = `${incoming}${randomUUID()}`;
      if (!(await objects.putParts(temporary, bodies, () => isComplete))) return undefined;
      try {
        const stored = meter.finish();
        await turns.take(stored.sha256, () => objects.copy(temporary, keyOf(stored.sha256)));
        return stored;
      } finally {
        // Only the result of the copy matters. If this fails, `removeLeftOvers` deletes the object later.
        await objects.remove(temporary).catch(() => {});
      }
    } finally {
      await parts.return();
    }
  };

  return {
    address,
    incoming: null,
    derived: createDerivedFiles(`${base}derived/`, objects),
    partial: createBucketPartials(`${base}uploads/`, objects),
    locate: () => null,

    check: () => objects.check(files),

    async checkWriting() {
      const key = `${incoming}check-${randomUUID()}`;
      await objects.check(files);
      await objects.putText(key, 'check');
      await objects.remove(key);
    },

    put: (source, limit) => putWithin(store, source, limit),

    putFile: (path, file) => putCopy(store, path, file),

    async read(sha256, range) {
      if (range !== undefined) requireRange(range);
      return objects.read(keyOf(sha256), range);
    },

    async has(sha256) {
      return (await objects.find(keyOf(sha256))) !== undefined;
    },

    async remove(sha256, putBefore) {
      const key = keyOf(sha256);
      return turns.take(sha256, async () => {
        const found = await objects.find(key);
        if (found === undefined || found.lastChange.getTime() + CLOCK_STEP_MS > putBefore.getTime()) return false;
        await objects.remove(key);
        return true;
      });
    },

    async *list(): AsyncGenerator<FileEntry> {
      for await (const { name, bytes, lastChange } of objects.list(files)) {
        if (isSha256(name)) yield { sha256: name, bytes, lastPut: lastChange };
      }
    },

    async readOwner() {
      const found = await objects.readText(ownerKey);
      return found === undefined ? undefined : { name: found.text, claimedAt: found.lastChange };
    },

    writeOwner: (name) => objects.putText(ownerKey, name),

    async *listLeftOvers(): AsyncGenerator<LeftOver> {
      for await (const { name, lastChange } of objects.list(incoming)) yield { name: `incoming/${name}`, lastChange };
      for await (const { key, lastChange } of objects.listUploads(incoming)) {
        yield { name: key.slice(base.length), lastChange };
      }
    },

    async removeLeftOvers(before) {
      let removed = 0;
      for await (const { name, lastChange } of objects.list(incoming)) {
        if (lastChange >= before) continue;
        await objects.remove(`${incoming}${name}`);
        removed += 1;
      }
      for await (const upload of objects.listUploads(incoming)) {
        if (upload.lastChange >= before) continue;
        await objects.abortUpload(upload);
        removed += 1;
      }
      return removed;
    },

    close: async () => objects.close(),
  };
}

interface Part {
  readonly body: Uint8Array;
  readonly isLast: boolean;
}

/** Collects chunks into parts of equal size. If `add` refuses a chunk, there is no last part. */
async function* splitParts(
  source: AsyncIterable<Uint8Array>,
  add: (chunk: Uint8Array) => boolean,
): AsyncGenerator<Part, void, void> {
  // A part is filled while earlier ones are being sent. Buffers are reused, because new ones would pile up before V8 frees them.
  const rooms: Buffer[] = [];
  let room: Buffer = Buffer.allocUnsafe(PART_BYTES);
  let used = 0;
  for await (const chunk of source) {
    if (!add(chunk)) return;
    let rest = chunk;
    while (rest.length > 0) {
      if (used === PART_BYTES) {
        yield { body: room, isLast: false };
        rooms.push(room);
        room = (rooms.length < PARTS_IN_FLIGHT ? undefined : rooms.shift()) ?? Buffer.allocUnsafe(PART_BYTES);
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
