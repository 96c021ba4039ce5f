// An answer on its way out: the encoding that the client takes, 200 or 304, and whether it came from the cache.

import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerForm, CACHE_STATUS, type CacheStatus } from './answer-form.ts';
import { findEncoding } from './content-encoding.ts';
import type { FreshAnswer } from './fresh-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';

export interface Sending {
  readonly answer: FreshAnswer | KeptAnswer;
  readonly cacheStatus: CacheStatus;
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

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  form: AnswerForm,
  cacheStatus: CacheStatus,
): FastifyReply {
  const { raw } = reply.hijack();
  const headers = readHeaders(form, cacheStatus);
  if (matchesEtag(request.headers['if-none-match'], form.etag)) {
    raw.writeHead(304, headers.slice(0, form.validatorCount)).end();
  } else {
    raw.writeHead(200, headers).end(form.body, form.charset);
  }
  return reply;
}

/** A compressed form is a kept one from the beginning, and its first request is a miss all the same. */
function readHeaders({ headers }: AnswerForm, cacheStatus: CacheStatus): OutgoingHttpHeader[] {
  const status = CACHE_STATUS[cacheStatus];
  return headers[1] === status ? headers : headers.with(1, status);
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
