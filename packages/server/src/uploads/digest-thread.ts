// The worker thread's script, which hashes large uploads while they are being written. It reads the files instead of receiving their bytes:
// they have just been written, so the operating system still has them in memory.

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { FromWorkThread, ToWorkThread } from '../storage/work-thread.ts';
import type { DigestJob, DigestOutcome } from './upload-digest.ts';

if (parentPort === null) throw new Error('This file must run as a worker thread');
const port = parentPort;

/** The hash of the first part of a file. */
interface Begun {
  readonly hash: Hash;
  bytes: number;
}

/** Abandoned uploads never finish, so the oldest are forgotten. If a forgotten one continues, its file is read again from the start. */
const MOST_BEGUN = 200;
const begun = new Map<string, Begun>();
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
// The process may be killed before the thread ends on its own. With this cache, the next thread starts faster and uses less memory.
flushCompileCache();

port.on('message', (message: ToWorkThread<DigestJob>) => {
  if (message.kind === 'end') port.close();
  if (message.kind === 'job') {
    port.postMessage({ no: message.no, done: run(message.job) } satisfies FromWorkThread<DigestOutcome>);
  }
});

function run({ path, bytes, isLast }: DigestJob): DigestOutcome {
  const digest = begun.get(path) ?? { hash: createHash('sha256'), bytes: 0 };
  // The map is sorted by last use, so this entry moves to the end.
  begun.delete(path);
  try {
    readUpTo(bytes, path, digest);
  } catch (error) {
    return { kind: 'failed', error };
  }
  if (isLast) return { kind: 'finished', sha256: digest.hash.digest('hex') };
  begun.set(path, digest);
  for (const oldest of begun.keys()) {
    if (begun.size <= MOST_BEGUN) break;
    begun.delete(oldest);
  }
  return { kind: 'begun' };
}

function readUpTo(bytes: number, path: string, digest: Begun): void {
  const file = openSync(path, 'r');
  try {
    while (digest.bytes < bytes) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, bytes - digest.bytes), digest.bytes);
      if (read === 0) throw new Error(`${path} has only ${digest.bytes} bytes instead of ${bytes}`);
      digest.hash.update(buffer.subarray(0, read));
      digest.bytes += read;
    }
  } finally {
    closeSync(file);
  }
}
