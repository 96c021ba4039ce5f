// Reads the body of an upload, which may take much longer than other requests. The client only has to keep sending: a client that sends
// nothing for a while, or hardly anything, gets a 408 response. Time during which we are not reading does not count.

import type { IncomingMessage } from 'node:http';
import { PROBLEMS, ProblemError } from './problems.ts';

export interface UploadPace {
  readonly idleMs: number;
  /** The minimum average rate, once `graceMs` has passed. */
  readonly slowestBytesPerSecond: number;
  readonly graceMs: number;
}

/** The minimum rate is that of a GPRS connection. */
const UPLOAD_PACE: UploadPace = Object.freeze({
  idleMs: 30_000,
  slowestBytesPerSecond: 4 * 1024,
  graceMs: 60_000,
});

const uploads = new WeakSet<IncomingMessage>();

/** From now on, the time limit for whole requests does not apply to this one. Call this before the upload waits for anything. */
export function allowLongBody(request: IncomingMessage): void {
  uploads.add(request);
}

export function hasLongBody(request: IncomingMessage): boolean {
  return uploads.has(request);
}

/** Throws a ProblemError if the client is too slow or disconnects. The connection stays open if the reader stops early. */
export async function* receiveUpload(
  request: IncomingMessage,
  { idleMs, slowestBytesPerSecond, graceMs }: UploadPace = UPLOAD_PACE,
): AsyncGenerator<Buffer, void, void> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let giveUp: (reason: Error) => void = () => {};
  let isWaiting = false;
  let waitedMs = 0;
  let bytes = 0;
  const timer = setTimeout(() => giveUp(new ProblemError(PROBLEMS.requestTimeout)), idleMs);
  try {
    while (true) {
      const since = performance.now();
      timer.refresh();
      isWaiting = true;
      // `Promise.race` would keep a reaction for each chunk until the end of the upload.
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        giveUp = reject;
        chunks.next().then(resolve, () => reject(new ProblemError(PROBLEMS.badRequest)));
      });
      isWaiting = false;
      giveUp = () => {};
      if (next.done === true) return;
      waitedMs += performance.now() - since;
      bytes += next.value.length;
      if (waitedMs > graceMs && bytes * 1000 < slowestBytesPerSecond * waitedMs) {
        throw new ProblemError(PROBLEMS.requestTimeout);
      }
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    // While the iterator is waiting for a chunk, `return` settles only when the connection ends.
    const ended = chunks.return?.().catch(() => {});
    if (!isWaiting) await ended;
  }
}

/** This is more than a browser sends in one form, because the panel sends larger files in parts. */
const MOST_DISCARDED_BYTES = 64 * 1024 ** 2;

/**
 * Discards what the client is still sending, so that the client can read the response. After too many bytes, we stop reading. The HTTP
 * layer closes the connection soon after the response.
 */
export function discardRest(request: IncomingMessage, mostBytes = MOST_DISCARDED_BYTES): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) request.pause();
  });
  request.resume();
}
