// An answer, the forms in which it can go out, and its way out. An answer that was just made goes out as the text that it is; one that can be
// given again is kept as bytes, with its compressed forms.

import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { FailAnswer } from '../http/departures.ts';
import type { LimitHeaders } from '../http/limiter.ts';
import { buildReadyHead, extendHead, type ReadyHead, sendReady } from '../http/ready-head.ts';
import { type ContentEncoding, canCompress, compress, findEncoding } from './content-encoding.ts';

/** What an endpoint has to say, before it is known in which form it goes out. */
export interface Answer {
  /** Text, or bytes of UTF-8. */
  readonly body: string | Buffer;
  /** Whether the body is known to hold nothing but ASCII. */
  readonly isAscii: boolean;
  /** Changes whenever the body does. */
  readonly validator: string;
  readonly link: string | undefined;
}

/** As `Cache-Status` says it (RFC 9211). */
const CACHE_STATUS = {
  hit: 'galley; hit',
  miss: 'galley; fwd=miss',
  stale: 'galley; hit; detail=stale',
} as const;
export type CacheStatus = keyof typeof CACHE_STATUS;

/** An answer as it goes out in one encoding: bytes or text, and the headers that belong to them. */
export interface AnswerForm {
  readonly etag: string;
  /** With the headers, the one of the cache's status first. */
  readonly head: ReadyHead;
  /** How many headers, from the first on, a 304 carries too; names and values count alike. */
  readonly validatorCount: number;
  readonly body: string | Buffer;
  /** Of a body that is text. Plain ASCII is the same in both, and one of them is copied instead of converted. */
  readonly charset: 'latin1' | 'utf8';
}

/** What the forms of an answer have in common. */
interface AnswerFrame {
  readonly validator: string;
  readonly link: string | undefined;
  /** What all answers to the audience carry: names and values in turn. */
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
  // The bytes of each encoding are different, so each has a validator of its own.
  const etag = encoding === undefined ? `"${validator}"` : `"${validator}-${encoding}"`;
  const headers: OutgoingHttpHeader[] = ['cache-status', CACHE_STATUS[status], ...common, 'etag', etag];
  if (link !== undefined) headers.push('link', link);
  const validatorCount = headers.length;
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', size);
  if (encoding !== undefined) headers.push('content-encoding', encoding);
  const charset = typeof body === 'string' && body.length === size ? 'latin1' : 'utf8';
  return { etag, head: buildReadyHead(200, headers), validatorCount, body, charset };
}

/** An answer just made. As it stands it goes out as the text that it is; everything else is left to a kept answer. */
export class FreshAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #answer: Answer;
  readonly #common: readonly string[];
  #kept: KeptAnswer | undefined;

  /** @param common what all answers to the audience carry: names and values in turn */
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

  /** Frees the memory of its bytes at once; V8 would wait for long. For an answer that has left and that nobody keeps. */
  release(): void {
    const { body } = this.#answer;
    if (typeof body !== 'string' && body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  }

  keep(): KeptAnswer {
    this.#kept ??= new KeptAnswer(this.#answer, this.#common);
    return this.#kept;
  }
}

/** Measured: shorter bodies leave faster as text, together with their headers, longer ones as bytes. */
const LONGEST_TEXT = 16 * 1024;
/** What an answer takes beside its bodies, about. */
const FORM_BYTES = 600;
/** Used again and again: memory outside of the heap is freed late. */
const SCRATCH = Buffer.allocUnsafeSlow(LONGEST_TEXT);

/** An answer that can be given again: its bytes, and each further form that it was asked for, made once. It holds on to nothing that it was made from. */
export class KeptAnswer {
  /** In bytes, before any compression. */
  readonly size: number;
  readonly #frame: AnswerFrame;
  readonly #plain: AnswerForm;
  #compressed: Map<ContentEncoding, AnswerForm | Promise<AnswerForm>> | undefined;
  #weight: number;
  #onGrown: (() => void) | undefined;

  /** @param common what all answers to the audience carry: names and values in turn */
  constructor({ body, isAscii, validator, link }: Answer, common: readonly string[]) {
    const kept = typeof body === 'string' ? keepText(body, isAscii) : copyBytes(body);
    this.size = kept.length;
    this.#frame = { validator: detach(validator), link: link && detach(link), common };
    this.#plain = buildForm(this.#frame, 'hit', kept, kept.length);
    this.#weight = kept.length + FORM_BYTES;
  }

  /** How much memory it takes, about. */
  get weight(): number {
    return this.#weight;
  }

  /** Whoever keeps it is told when it takes more memory than before. */
  whenGrown(onGrown: () => void): void {
    this.#onGrown = onGrown;
  }

  /** Whoever asks for a form while it is being made waits for the same one. The plain one where too much is being compressed. */
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

/** A copy: Node cuts short buffers from a long one, which each of them would keep in memory as a whole. */
function copyBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A copy: a short text that was cut from a long one, or joined from several, would keep them all in memory. */
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
  /** Only where the key has a limit. */
  readonly limitHeaders?: LimitHeaders;
}

/**
 * In the encoding that the client takes, with 200 or 304. What all responses carry is added by the response itself. A promise where the
 * form has to be made first.
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

/** A compressed form is a kept one from the beginning, and its first request is a miss all the same. */
function readHead({ head }: AnswerForm, cacheStatus: CacheStatus): ReadyHead {
  const status = CACHE_STATUS[cacheStatus];
  return head.list[1] === status ? head : buildReadyHead(head.status, head.list.with(1, status));
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
