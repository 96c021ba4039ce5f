// An answer, the forms in which it can be sent, and sending it. A fresh answer is sent as the text that it is. A kept one is stored as
// bytes, with its compressed forms.

import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { FailAnswer } from '../http/departures.ts';
import type { LimitHeaders } from '../http/limiter.ts';
import { buildReadyHead, extendHead, type ReadyHead, sendReady } from '../http/ready-head.ts';
import { type ContentEncoding, canCompress, compress, findEncoding } from './content-encoding.ts';

/** An answer before its encoding is chosen. */
export interface Answer {
  /** Text, or bytes of UTF-8. */
  readonly body: string | Buffer;
  /** Whether we know that the body is pure ASCII. */
  readonly isAscii: boolean;
  /** Changes whenever the body does. */
  readonly validator: string;
  readonly link: string | undefined;
}

/** The values of the `Cache-Status` header (RFC 9211). */
const CACHE_STATUS = {
  hit: 'galley; hit',
  miss: 'galley; fwd=miss',
  stale: 'galley; hit; detail=stale',
} as const;
export type CacheStatus = keyof typeof CACHE_STATUS;

/** An answer in one encoding: text or bytes, with its headers. */
export interface AnswerForm {
  readonly etag: string;
  /** `Cache-Status` is its first header. */
  readonly head: ReadyHead;
  /** How many entries of the header list a 304 has too, counting names and values. */
  readonly validatorCount: number;
  readonly body: string | Buffer;
  /** The encoding of a text body. ASCII is the same in both, but latin1 is copied without conversion. */
  readonly charset: 'latin1' | 'utf8';
}

/** Shared by all forms of an answer. */
interface AnswerFrame {
  readonly validator: string;
  readonly link: string | undefined;
  /** The headers of all answers to the audience: names and values alternately. */
  readonly common: readonly string[];
}

/** @param size of the body in bytes */
function buildForm(
  { validator, link, common }: AnswerFrame,
  status: CacheStatus,
  body: string | Buffer,
  size: number,
  encoding?: ContentEncoding,
): AnswerForm {
  // Each encoding has different bytes, so each has its own ETag.
  const etag = encoding === undefined ? `"${validator}"` : `"${validator}-${encoding}"`;
  const headers: OutgoingHttpHeader[] = ['cache-status', CACHE_STATUS[status], ...common, 'etag', etag];
  if (link !== undefined) headers.push('link', link);
  const validatorCount = headers.length;
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', size);
  if (encoding !== undefined) headers.push('content-encoding', encoding);
  const charset = typeof body === 'string' && body.length === size ? 'latin1' : 'utf8';
  return { etag, head: buildReadyHead(200, headers), validatorCount, body, charset };
}

/** An answer just made. It can be sent as the text that it is; for anything else it makes a kept answer. */
export class FreshAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #answer: Answer;
  readonly #common: readonly string[];
  #kept: KeptAnswer | undefined;

  /** @param common the headers of all answers to the audience: names and values alternately */
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

  /** Frees the memory of its bytes at once; V8 would wait a long time. Only for an answer that has been sent and that nobody keeps. */
  release(): void {
    const { body } = this.#answer;
    if (typeof body !== 'string' && body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  }

  keep(): KeptAnswer {
    this.#kept ??= new KeptAnswer(this.#answer, this.#common);
    return this.#kept;
  }
}

/** Measured: shorter bodies are sent faster as text, together with their headers, longer ones as bytes. */
const LONGEST_TEXT = 16 * 1024;
/** The approximate size of an answer without its bodies. */
const FORM_BYTES = 600;
/** Reused, because memory outside the heap is freed late. */
const SCRATCH = Buffer.allocUnsafeSlow(LONGEST_TEXT);

/** An answer that can be sent again, with each compressed form made once. It keeps nothing alive that it was made from. */
export class KeptAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #frame: AnswerFrame;
  readonly #plain: AnswerForm;
  #compressed: Map<ContentEncoding, AnswerForm | Promise<AnswerForm>> | undefined;
  #weight: number;
  #onGrown: (() => void) | undefined;

  /** @param common the headers of all answers to the audience: names and values alternately */
  constructor({ body, isAscii, validator, link }: Answer, common: readonly string[]) {
    const kept = typeof body === 'string' ? keepText(body, isAscii) : copyBytes(body);
    this.size = kept.length;
    this.#frame = { validator: detach(validator), link: link && detach(link), common };
    this.#plain = buildForm(this.#frame, 'hit', kept, kept.length);
    this.#weight = kept.length + FORM_BYTES;
  }

  /** About how much memory it takes. */
  get weight(): number {
    return this.#weight;
  }

  /** Called when it takes more memory than before. */
  whenGrown(onGrown: () => void): void {
    this.#onGrown = onGrown;
  }

  /** Requests for a form that is being made share it. If too much is being compressed already, they get the plain form. */
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

/** A copy: Node slices short buffers from a shared pool, and each slice would keep the whole pool in memory. */
function copyBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A copy: a slice of a long text, or a concatenation, would keep the original texts in memory. */
function detach(text: string): string {
  if (text.length > SCRATCH.length) return Buffer.from(text, 'latin1').toString('latin1');
  return SCRATCH.toString('latin1', 0, SCRATCH.write(text, 'latin1'));
}

interface Recipient {
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
}

export interface Sending {
  readonly answer: FreshAnswer | KeptAnswer;
  readonly cacheStatus: CacheStatus;
  /** Only if the key has a rate limit. */
  readonly limitHeaders?: LimitHeaders;
}

/**
 * Sends 200 or 304 in the best encoding that the client accepts. The response itself adds the headers that all responses have. Returns a
 * promise if the form must be made first.
 */
export function sendAnswer(
  { headers, response }: Recipient,
  sending: Sending,
  fail: FailAnswer,
): Promise<void> | undefined {
  const { answer } = sending;
  const form = answer.form(findEncoding(headers['accept-encoding'], answer.size));
  if (form instanceof Promise) return form.then((made) => sendForm(headers, response, made, sending, fail));
  sendForm(headers, response, form, sending, fail);
  return undefined;
}

function sendForm(
  asked: IncomingHttpHeaders,
  response: ServerResponse,
  form: AnswerForm,
  { cacheStatus, limitHeaders }: Sending,
  fail: FailAnswer,
): void {
  const { body, charset, etag, validatorCount } = form;
  const head = readHead(form, cacheStatus);
  const isKnown = matchesEtag(asked['if-none-match'], etag);
  const sent = isKnown ? buildReadyHead(304, head.list.slice(0, validatorCount)) : head;
  sendReady(response, limitHeaders === undefined ? sent : extendHead(sent, limitHeaders), body, charset, fail);
}

/** A compressed form is always a kept one, but the first request for it is still a miss. */
function readHead({ head }: AnswerForm, cacheStatus: CacheStatus): ReadyHead {
  const status = CACHE_STATUS[cacheStatus];
  return head.list[1] === status ? head : buildReadyHead(head.status, head.list.with(1, status));
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
