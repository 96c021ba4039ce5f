// An answer on its way out: the encoding that the client takes, 200 or 304, and whether it came from the cache.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FailAnswer } from '../http/departures.ts';
import type { LimitHeaders } from '../http/limiter.ts';
import { buildReadyHead, extendHead, type ReadyHead, sendReady } from '../http/ready-head.ts';
import { type AnswerForm, CACHE_STATUS, type CacheStatus } from './answer-form.ts';
import { findEncoding } from './content-encoding.ts';
import type { FreshAnswer } from './fresh-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';

export interface Sending {
  readonly answer: FreshAnswer | KeptAnswer;
  readonly cacheStatus: CacheStatus;
  /** Only where the key has a limit. */
  readonly limitHeaders?: LimitHeaders;
}

/** What all responses carry is added by the response itself. A promise where the form has to be made first. */
export function sendAnswer(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
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
