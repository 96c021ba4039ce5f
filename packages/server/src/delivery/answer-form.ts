// An answer as it goes out in one encoding: bytes or text, and the headers that belong to them.

import type { OutgoingHttpHeader } from 'node:http';
import { buildReadyHead, type ReadyHead } from '../http/ready-head.ts';
import type { ContentEncoding } from './content-encoding.ts';

/** As `Cache-Status` says it (RFC 9211). */
export const CACHE_STATUS = {
  hit: 'galley; hit',
  miss: 'galley; fwd=miss',
  stale: 'galley; hit; detail=stale',
} as const;
export type CacheStatus = keyof typeof CACHE_STATUS;

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
export interface AnswerFrame {
  readonly validator: string;
  readonly link: string | undefined;
  /** What all answers to the audience carry: names and values in turn. */
  readonly common: readonly string[];
}

/** @param size of the body in bytes */
export function buildForm(
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
