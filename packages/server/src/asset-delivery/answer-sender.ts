// Sends files: 200, 206, 304 or 416, from memory or as a stream. A stream is read only as fast as the client reads, and it is closed when
// the client disconnects.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { FileStore } from '../files/file-store.ts';
import { writeProblem } from '../http/problem-response.ts';
import { PROBLEMS, withHeaders } from '../http/problems.ts';
import { buildReadyHead, type FailAnswer, matchesEtag, type ReadyHead, sendReady } from '../http/send-ready.ts';
import type { OpenVariant } from '../images/image-variants.ts';
import { type ByteSpan, parseRange } from './byte-range.ts';
import type { Admit, ImageWorkshop, Variant } from './image-workshop.ts';
import type { PlannedAnswer } from './plan-answer.ts';

export interface SenderOptions {
  readonly store: Pick<FileStore, 'read'>;
  readonly workshop: ImageWorkshop;
  readonly log: Logger;
}

/** Larger files are streamed. */
const MOST_KEPT_BYTES = 128 * 1024;
const MEMORY_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 256;
/** Large enough to read most variants in one system call. */
const CHUNK_BYTES = 128 * 1024;

export class AnswerSender {
  readonly #options: SenderOptions;
  readonly #fail: FailAnswer;
  readonly #kept = new LRUCache<string, Buffer>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: (file) => file.length + ENTRY_BYTES,
  });

  /** @param fail called if an answer could not be sent */
  constructor(options: SenderOptions, fail: FailAnswer) {
    this.#options = options;
    this.#fail = fail;
  }

  /** Answers from memory are sent before this returns. */
  send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PlannedAnswer,
    admit: Admit,
  ): Promise<void> | undefined {
    if (matchesEtag(request.headers['if-none-match'], answer.etag)) {
      const head = buildReadyHead(304, [...answer.validators]);
      sendReady(response, head, '', 'latin1', this.#fail);
      return undefined;
    }
    const kept = this.#kept.get(answer.name);
    if (kept === undefined) return this.#sendFromDisk(request, response, answer, admit);
    if (answer.variant !== null) this.#options.workshop.noteUse(answer.name);
    this.#sendKept(request, response, answer, kept);
    return undefined;
  }

  async #sendFromDisk(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PlannedAnswer,
    admit: Admit,
  ): Promise<void> {
    if (answer.variant !== null) await this.#sendVariant(request, response, answer, answer.variant, admit);
    else await this.#sendOriginal(request, response, answer);
  }

  async #sendVariant(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PlannedAnswer,
    variant: Variant,
    admit: Admit,
  ): Promise<void> {
    const found = await this.#options.workshop.findVariant(variant, admit);
    if (!found.ok) {
      writeProblem(response, found.problem);
      return;
    }
    const { file, bytes } = found.value;
    if (bytes <= MOST_KEPT_BYTES) {
      this.#sendKept(request, response, answer, this.#keep(answer.name, await readWhole(found.value)));
      return;
    }
    const span = startAnswer(request, response, answer, bytes);
    if (span === null) await file.close();
    else await stream(file.createReadStream({ ...span, highWaterMark: CHUNK_BYTES }), response);
  }

  async #sendOriginal(request: IncomingMessage, response: ServerResponse, answer: PlannedAnswer): Promise<void> {
    const { store, log } = this.#options;
    const { bytes, sha256 } = answer.asset;
    if (request.method === 'HEAD') {
      startAnswer(request, response, answer, bytes);
      return;
    }
    const isKept = bytes <= MOST_KEPT_BYTES;
    const span = isKept ? null : readSpan(request, answer, bytes);
    if (span === 'unsatisfiable') {
      refuseRange(response, bytes);
      return;
    }
    const reading = await store.read(sha256, span ?? undefined);
    if (reading === undefined) {
      log.error({ file: sha256 }, 'an asset’s file is missing');
      writeProblem(response, PROBLEMS.notFound);
      return;
    }
    if (reading.bytes !== bytes) {
      reading.stream.destroy();
      throw new Error(`The file ${sha256} is ${reading.bytes} bytes long, but its record says ${bytes}`);
    }
    if (isKept) {
      this.#sendKept(request, response, answer, this.#keep(answer.name, await buffer(reading.stream)));
      return;
    }
    startAnswer(request, response, answer, bytes);
    await stream(reading.stream, response);
  }

  #keep(name: string, file: Buffer): Buffer {
    this.#kept.set(name, file);
    return file;
  }

  #sendKept(request: IncomingMessage, response: ServerResponse, answer: PlannedAnswer, file: Buffer): void {
    if (request.method === 'GET' && request.headers.range === undefined) {
      sendReady(response, readHead(answer, file.length), file, 'latin1', this.#fail);
      return;
    }
    const span = startAnswer(request, response, answer, file.length);
    if (span !== null) response.end(file.subarray(span.start, span.end + 1));
  }
}

function readHead(answer: PlannedAnswer, bytes: number): ReadyHead {
  // Another node may have generated the variant again in the meantime, with a different version of the encoder.
  if (answer.whole?.bytes !== bytes) {
    const list = [...answer.validators, ...answer.description, 'content-length', bytes];
    answer.whole = { bytes, head: buildReadyHead(200, list) };
  }
  return answer.whole.head;
}

/** Writes the head of an answer, and returns the range of bytes that must follow; null if the answer is complete. */
function startAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: PlannedAnswer,
  bytes: number,
): ByteSpan | null {
  const headers = [...answer.validators, ...answer.description];
  const asked = request.method === 'HEAD' ? null : readSpan(request, answer, bytes);
  if (asked === 'unsatisfiable') {
    refuseRange(response, bytes);
    return null;
  }
  const span = asked ?? { start: 0, end: bytes - 1 };
  const length = String(span.end - span.start + 1);
  if (asked === null) response.writeHead(200, [...headers, 'content-length', length]);
  else {
    const range = `bytes ${span.start}-${span.end}/${bytes}`;
    response.writeHead(206, [...headers, 'content-range', range, 'content-length', length]);
  }
  if (request.method !== 'HEAD' && bytes > 0) return span;
  response.end();
  return null;
}

function readSpan({ headers }: IncomingMessage, { etag }: PlannedAnswer, bytes: number) {
  return parseRange(headers.range, headers['if-range']?.toString(), etag, bytes);
}

function refuseRange(response: ServerResponse, bytes: number): void {
  writeProblem(response, withHeaders(PROBLEMS.rangeNotSatisfiable, { 'content-range': `bytes */${bytes}` }));
}

async function readWhole({ file, bytes }: OpenVariant): Promise<Buffer> {
  try {
    const whole = Buffer.allocUnsafeSlow(bytes);
    const { bytesRead } = await file.read(whole, 0, bytes, 0);
    return bytesRead === bytes ? whole : await file.readFile();
  } finally {
    await file.close();
  }
}

async function stream(source: Readable, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    source.destroy();
    return;
  }
  try {
    await pipeline(source, response);
  } catch (error) {
    // The client has disconnected.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    throw error;
  }
}
