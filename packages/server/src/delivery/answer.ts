// Compresses responses, and chooses the best encoding that a client accepts. A fresh response is sent as text. A kept response is stored
// as bytes, with its compressed forms.

import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeader } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { LimitHeaders } from '../http/limiter.ts';
import { buildReadyHead, type ReadyHead } from '../http/send-ready.ts';

/** A response before its encoding is chosen. */
export interface Answer {
  /** Text, or UTF-8 bytes. */
  readonly body: string | Buffer;
  /** Whether the body is known to be pure ASCII. */
  readonly isAscii: boolean;
  /** Changes whenever the body does. */
  readonly validator: string;
  readonly link: string | undefined;
}

type ContentEncoding = 'br' | 'zstd' | 'gzip';

/** The values of the `Cache-Status` header (RFC 9211). */
export const CACHE_STATUS = {
  hit: 'galley; hit',
  miss: 'galley; fwd=miss',
  stale: 'galley; hit; detail=stale',
} as const;
export type CacheStatus = keyof typeof CACHE_STATUS;

/** A response in one encoding: text or bytes, with its headers. */
export interface AnswerForm {
  readonly etag: string;
  /** The first header is `Cache-Status`. */
  readonly head: ReadyHead;
  /** How many entries (names and values) at the start of the header list are also part of a 304. */
  readonly validatorCount: number;
  readonly body: string | Buffer;
  /** The encoding of a text body. ASCII is the same in UTF-8 and latin1, but latin1 is copied without conversion. */
  readonly charset: 'latin1' | 'utf8';
}

/** The parts that all forms of a response share. */
interface AnswerFrame {
  readonly validator: string;
  readonly link: string | undefined;
  /** The headers shared by all responses to the audience: names and values, alternating. */
  readonly common: readonly string[];
}

/** @param size the size of the body in bytes */
function buildForm(
  { validator, link, common }: AnswerFrame,
  status: CacheStatus,
  body: string | Buffer,
  size: number,
  encoding?: ContentEncoding,
): AnswerForm {
  // Each encoding has different bytes, so it needs its own ETag.
  const etag = encoding === undefined ? `"${validator}"` : `"${validator}-${encoding}"`;
  const headers: OutgoingHttpHeader[] = ['cache-status', CACHE_STATUS[status], ...common, 'etag', etag];
  if (link !== undefined) headers.push('link', link);
  const validatorCount = headers.length;
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', size);
  if (encoding !== undefined) headers.push('content-encoding', encoding);
  const charset = typeof body === 'string' && body.length === size ? 'latin1' : 'utf8';
  return { etag, head: buildReadyHead(200, headers), validatorCount, body, charset };
}

/** A response that was just built. It can be sent as text. Any other form comes from the `KeptAnswer` that it creates. */
export class FreshAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #answer: Answer;
  readonly #common: readonly string[];
  #kept: KeptAnswer | undefined;

  /** @param common the headers shared by all responses to the audience: names and values, alternating */
  constructor(answer: Answer, common: readonly string[]) {
    const { body, isAscii } = answer;
    this.size = isAscii || typeof body !== 'string' ? body.length : Buffer.byteLength(body);
    this.#answer = answer;
    this.#common = common;
  }

  form(encoding: ContentEncoding | undefined): AnswerForm | Promise<AnswerForm> {
    if (encoding !== undefined && canCompress(this.size)) return this.keep().form(encoding);
    const { body, validator, link } = this.#answer;
    return buildForm({ validator, link, common: this.#common }, 'miss', body, this.size);
  }

  /**
   * Frees the body's memory immediately, because V8 would wait a long time before doing so. Call this only for a response that has been
   * sent and is not kept.
   */
  release(): void {
    const { body } = this.#answer;
    if (typeof body !== 'string' && body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  }

  keep(): KeptAnswer {
    this.#kept ??= new KeptAnswer(this.#answer, this.#common);
    return this.#kept;
  }
}

/** In measurements, shorter bodies were sent faster as text together with their headers, and longer bodies as bytes. */
const LONGEST_TEXT = 16 * 1024;
/** The approximate size of a response without its bodies. */
const FORM_BYTES = 600;
/** Reused, because memory outside the heap is freed late. */
const SCRATCH = Buffer.allocUnsafeSlow(LONGEST_TEXT);

/**
 * A response that can be sent again. Each compressed form is created only once. The objects that the response was built from are not kept
 * in memory.
 */
export class KeptAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #frame: AnswerFrame;
  readonly #plain: AnswerForm;
  #compressed: Map<ContentEncoding, AnswerForm | Promise<AnswerForm>> | undefined;
  #weight: number;
  #onGrown: (() => void) | undefined;

  /** @param common the headers shared by all responses to the audience: names and values, alternating */
  constructor({ body, isAscii, validator, link }: Answer, common: readonly string[]) {
    const kept = typeof body === 'string' ? keepText(body, isAscii) : copyBytes(body);
    this.size = kept.length;
    this.#frame = { validator: detach(validator), link: link && detach(link), common };
    this.#plain = buildForm(this.#frame, 'hit', kept, kept.length);
    this.#weight = kept.length + FORM_BYTES;
  }

  /** The approximate amount of memory that the response uses. */
  get weight(): number {
    return this.#weight;
  }

  /** Registers a callback that runs when the response starts to use more memory. */
  whenGrown(onGrown: () => void): void {
    this.#onGrown = onGrown;
  }

  /** Requests for a form that is being created share the result. If too much is already being compressed, they get the plain form. */
  form(encoding: ContentEncoding | undefined): AnswerForm | Promise<AnswerForm> {
    if (encoding === undefined) return this.#plain;
    this.#compressed ??= new Map();
    const forms = this.#compressed;
    const known = forms.get(encoding);
    if (known !== undefined) return known;
    if (!canCompress(this.size)) return this.#plain;
    const { body, charset } = this.#plain;
    const making = compress(typeof body === 'string' ? Buffer.from(body, charset) : body, encoding).then(
      (compressed) => {
        const bytes = copyBytes(compressed);
        const form = buildForm(this.#frame, 'hit', bytes, bytes.length, encoding);
        forms.set(encoding, form);
        this.#grow(bytes.length);
        return form;
      },
      (error: unknown) => {
        forms.delete(encoding);
        throw error;
      },
    );
    forms.set(encoding, making);
    return making;
  }

  #grow(bytes: number): void {
    this.#weight += bytes + FORM_BYTES;
    this.#onGrown?.();
  }
}

function keepText(text: string, isAscii: boolean): string | Buffer {
  if (isAscii && text.length <= LONGEST_TEXT) return detach(text);
  return copyBytes(Buffer.from(text, isAscii ? 'latin1' : 'utf8'));
}

/** Copies the bytes: Node slices short buffers from a shared pool, and each slice would keep the whole pool in memory. */
function copyBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Copies the text: a slice or a concatenation would keep the original strings in memory. */
function detach(text: string): string {
  if (text.length > SCRATCH.length) return Buffer.from(text, 'latin1').toString('latin1');
  return SCRATCH.toString('latin1', 0, SCRATCH.write(text, 'latin1'));
}

export interface Sending {
  readonly answer: FreshAnswer | KeptAnswer;
  readonly cacheStatus: CacheStatus;
  /** Present only if the key has a rate limit. */
  readonly limitHeaders?: LimitHeaders;
}

const COMPRESS: Readonly<Record<ContentEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => promisify(zstdCompress)(bytes),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** Responses waiting for compression stay in memory. Above this many waiting bytes, further responses are sent uncompressed. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
let waitingBytes = 0;

/** @param size the size of the response in bytes */
function canCompress(size: number): boolean {
  return waitingBytes === 0 || waitingBytes + size <= MOST_WAITING_BYTES;
}

/** Runs on one of Node's own threads. */
async function compress(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  waitingBytes += bytes.length;
  try {
    return await COMPRESS[encoding](bytes);
  } finally {
    waitingBytes -= bytes.length;
  }
}

/** Smaller responses are not worth compressing. */
const LEAST_COMPRESSED_BYTES = 1024;

/** Clients send only a few different headers, but could make up many, so the cache is limited. */
const chosen = new LRUCache<string, ContentEncoding | 'none'>({ max: 200 });
const LONGEST_KEPT_HEADER = 200;

/** @param size the size of the response in bytes */
export function findEncoding(acceptEncoding: string | undefined, size: number): ContentEncoding | undefined {
  if (acceptEncoding === undefined || size < LEAST_COMPRESSED_BYTES) return undefined;
  const known = chosen.get(acceptEncoding);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const encoding = chooseEncoding(acceptEncoding);
  if (acceptEncoding.length <= LONGEST_KEPT_HEADER) chosen.set(acceptEncoding, encoding ?? 'none');
  return encoding;
}

/** The best encoding that the client accepts. If several are equally acceptable, we choose by our own order of preference. */
export function chooseEncoding(acceptEncoding: string): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  let best: ContentEncoding | undefined;
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of ['br', 'zstd', 'gzip'] as const) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > bestWeight || (best === undefined && weight > 0 && weight >= bestWeight)) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return best;
}
