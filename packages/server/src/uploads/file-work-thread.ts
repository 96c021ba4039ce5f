// The worker thread's script, which processes the bytes of uploads.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { openDescriptorSource } from '../files/byte-source.ts';
import { READ_BYTES, type StoredFile } from '../files/file-store.ts';
import { inspectFile } from '../files/inspect-file.ts';
import { findLocation } from '../files/location/remove-location.ts';
import { sanitiseSvg } from '../files/sanitise-svg.ts';
import { readSvgSize } from '../files/svg-size.ts';
import { writeChunks } from '../files/write-chunks.ts';
import type { FromWorkThread, ToWorkThread } from '../storage/work-thread.ts';
import type { FileJob, FileOutcome } from './file-work.ts';

if (parentPort === null) throw new Error('This file must run as a worker thread');
const port = parentPort;
// Only Linux has thread priorities; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(5);

port.on('message', (message: ToWorkThread<FileJob>) => {
  if (message.kind === 'end') port.close();
  if (message.kind === 'job') void answer(message.no, message.job);
});

async function answer(no: number, job: FileJob): Promise<void> {
  const done = await run(job).catch((error: unknown): FileOutcome => ({ kind: 'failed', error }));
  port.postMessage({ no, done } satisfies FromWorkThread<FileOutcome>);
  // The process may be killed before the thread ends on its own. With this cache, the next thread starts faster and uses less memory.
  flushCompileCache();
}

function run(job: FileJob): Promise<FileOutcome> {
  switch (job.kind) {
    case 'inspect':
      return inspect(job.path, job.name);
    case 'sanitise':
      return sanitise(job.path);
    case 'remove-location':
      return removeLocation(job.path, job.type);
  }
}

async function inspect(path: string, name: string): Promise<FileOutcome> {
  return withFile(path, 'r', async ({ fd }) => ({
    kind: 'inspected',
    file: await inspectFile(openDescriptorSource(fd), name),
  }));
}

async function sanitise(path: string): Promise<FileOutcome> {
  const text = decode(await readFile(path));
  if (text === undefined) return { kind: 'unreadable', reason: 'The SVG file is not encoded in UTF-8.' };
  const svg = sanitiseSvg(text);
  if (!svg.ok) return { kind: 'unreadable', reason: svg.problem };
  const bytes = Buffer.from(svg.value);
  await withFile(path, 'r+', async (file) => {
    await file.truncate();
    await file.writeFile(bytes);
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'sanitised', svg: { sha256, bytes: bytes.length, ...readSvgSize(svg.value) } };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function removeLocation(path: string, type: string): Promise<FileOutcome> {
  const edits = await withFile(path, 'r+', async (file) => {
    const found = findLocation(openDescriptorSource(file.fd), type);
    if (found.ok) for (const { offset, bytes } of found.value) await writeChunks(file, [bytes], offset);
    return found;
  });
  if (!edits.ok) return { kind: 'unreadable', reason: edits.problem };
  return { kind: 'without-location', file: edits.value.length > 0 ? await digest(path) : null };
}

async function digest(path: string): Promise<StoredFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    hash.update(piece);
  }
  return { sha256: hash.digest('hex'), bytes };
}

async function withFile<Value>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<Value>,
): Promise<Value> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
