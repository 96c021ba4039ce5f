// An answer on its way out: the encoding that the client takes, 200 or 304, and whether it came from the cache.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerForm } from './answer-form.ts';
import { findEncoding } from './content-encoding.ts';
import type { FreshAnswer } from './fresh-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';

/** As `Cache-Status` says it (RFC 9211). */
export const CACHE_STATUS = { hit: 'galley; hit', miss: 'galley; fwd=miss' } as const;

export interface Sending {
  readonly answer: FreshAnswer | KeptAnswer;
  readonly cacheStatus: (typeof CACHE_STATUS)[keyof typeof CACHE_STATUS];
}

/** Past Fastify, which has nothing to add here; what all responses carry is added by the response itself. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, cacheStatus }: Sending,
): FastifyReply | Promise<FastifyReply> {
  const form = answer.form(findEncoding(request.headers['accept-encoding'], answer.size));
  if (form instanceof Promise) return form.then((made) => sendForm(request, reply, made, cacheStatus));
  return sendForm(request, reply, form, cacheStatus);
}

function sendForm(request: FastifyRequest, reply: FastifyReply, form: AnswerForm, cacheStatus: string): FastifyReply {
  const { raw } = reply.hijack();
  if (matchesEtag(request.headers['if-none-match'], form.etag)) {
    raw.writeHead(304, ['cache-status', cacheStatus, ...form.validators]).end();
    return reply;
  }
  raw.writeHead(200, ['cache-status', cacheStatus, ...form.headers]).end(form.body, form.charset);
  return reply;
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
