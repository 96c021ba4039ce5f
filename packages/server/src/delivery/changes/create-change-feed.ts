// Serves the change feed: check the caller, select a page, wait if it is empty, render. Everything is read from the primary, because a
// replica may not yet have a position that another node has returned.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { SHARED_ROOM } from '../../content/answer-limit.ts';
import { fail, ok, type Result } from '../../content/result.ts';
import type { NoteCaller } from '../../http/access-log.ts';
import { buildLimitHeaders, refuseExceeded } from '../../http/limiter.ts';
import { writeProblem } from '../../http/problem-response.ts';
import { invalidParameter, PROBLEMS, type Problem, withHeaders } from '../../http/problems.ts';
import type { UnreadAnswers } from '../../http/unread-answers.ts';
import { readWhile } from '../../http/wait-for-turn.ts';
import { type ChangeQuery, parseChangeQuery } from '../../listing/change-query.ts';
import { readRawQuery } from '../../listing/query-parameters.ts';
import type { DeliveryReads, Visit } from '../../storage/delivery-reads.ts';
import type { Procedure } from '../../storage/statement.ts';
import { checkVisit, type KeyUsage, openReading, type RateLimit } from '../caller.ts';
import { type DeliveryRequest, parseDeliveryRequest, type RequestRules } from '../delivery-request.ts';
import { createFailRequest, type FailureParts } from '../fail-request.ts';
import type { MakingTime } from '../making-time.ts';
import { ChangeWatch } from './change-watch.ts';
import { renderChanges } from './render-changes.ts';
import { type FilledPage, selectChangePage } from './select-change-page.ts';

export const CHANGES_PATH = '/changes/v1';

export interface ChangeFeedOptions extends RequestRules, FailureParts {
  readonly reads: DeliveryReads;
  readonly rateLimit: RateLimit;
  readonly keyUsage: KeyUsage;
  readonly unread: UnreadAnswers;
  readonly making: MakingTime;
  /** Undefined if requests are not logged. */
  readonly noteCaller: NoteCaller | undefined;
  readonly now: () => number;
  readonly isStopping: () => boolean;
}

interface Context extends ChangeFeedOptions {
  readonly watch: ChangeWatch;
}

type Headers = Readonly<Record<string, string>>;

export function registerChangeFeed(server: FastifyInstance, options: ChangeFeedOptions): void {
  const { reads, isStopping } = options;
  const watch = new ChangeWatch({ peekStamp: () => reads.peekStamp(), isStopping });
  const context: Context = { ...options, watch };
  const failRequest = createFailRequest(options);
  const vary = ['Accept-Encoding', 'Authorization', options.headerNames.site].join(', ');

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = parseDeliveryRequest(incoming, response, null, options);
    const answered = request === undefined ? fail(PROBLEMS.unauthenticated) : await answerChanges(request, context);
    if (!answered.ok) {
      writeProblem(response, answered.problem);
      return;
    }
    const body = Buffer.from(renderChanges(answered.value.page));
    response
      .writeHead(200, {
        vary,
        'cache-control': 'private, no-cache, no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
        ...answered.value.headers,
      })
      .end(body);
  }

  server.get(CHANGES_PATH, (request, reply) => {
    const { raw: response } = reply.hijack();
    serve(request.raw, response).catch((error) => failRequest(response, error));
    return reply;
  });
}

async function answerChanges(
  request: DeliveryRequest,
  context: Context,
): Promise<Result<{ readonly page: FilledPage; readonly headers: Headers }, Problem>> {
  const admitted = await admit(request, context);
  if (!admitted.ok) return admitted;
  const headers = admitted.value;
  const query = parseChangeQuery(readRawQuery(request.url));
  const page = query.ok ? await readOrWait(request, query.value, context) : fail(invalidParameter(query.problem));
  return page.ok ? ok({ page: page.value, headers }) : fail(withHeaders(page.problem, headers));
}

/** Checks the caller in the documented order, and counts the request. Returns the key's rate limit headers. */
async function admit(
  { token, siteId, headers }: DeliveryRequest,
  { reads, noteCaller, keyUsage, rateLimit, now }: Context,
): Promise<Result<Headers, Problem>> {
  const visit = await reads.readVisit({ token, siteId, wantsNewest: true });
  if (visit !== undefined) {
    const site = visit.access.site_no === null ? undefined : siteId;
    noteCaller?.(headers, { site, key: visit.access.key_id });
  }
  const admitted = checkVisit(visit, siteId, now());
  if (!admitted.ok) return admitted;
  const caller = admitted.value;
  keyUsage.note(caller.keyId, now());
  if (!rateLimit.limits(caller.rateLimit)) return ok({});
  const tally = await rateLimit.spend(caller.keyId, caller.rateLimit);
  if (tally.isExceeded) return fail(refuseExceeded(tally));
  return ok(buildLimitHeaders([tally]));
}

/** If there is no change yet, waits for one. Checks the caller again after each wait, because the key may have been revoked. */
async function readOrWait(
  request: DeliveryRequest,
  query: ChangeQuery,
  context: Context,
): Promise<Result<FilledPage, Problem>> {
  const { response } = request;
  const { watch } = context;
  const endsAt = performance.now() + query.waitMs;
  let { since } = query;
  for (;;) {
    const { stamp } = watch;
    const page = await readPage(request, { ...query, since }, context);
    const leftMs = endsAt - performance.now();
    if (!page.ok || !isIdle(page.value) || leftMs <= 0 || context.isStopping() || response.destroyed) return page;
    since = page.value.next;
    if (!(await readWhile(response, watch.wait(stamp, leftMs, response)))) return page;
  }
}

function isIdle({ changes, hasMore, endsSync }: FilledPage): boolean {
  return changes.length === 0 && !hasMore && !endsSync;
}

async function readPage(
  request: DeliveryRequest,
  query: ChangeQuery,
  context: Context,
): Promise<Result<FilledPage, Problem>> {
  const { token, response } = request;
  const { reads, unread, making } = context;
  if (unread.isOverfull() && !(await readWhile(response, unread.waitForRoom(response))))
    return fail(PROBLEMS.serviceUnavailable);
  const read = () => reads.readNewest(request, (visit) => select(visit, request, query, context));
  return making.hasTime() ? read() : readWhile(response, making.wait(token, read));
}

function* select(
  visit: Visit | undefined,
  { siteId, baseUrl }: DeliveryRequest,
  { since, types, limit, hasContent }: ChangeQuery,
  { reads, now }: Context,
): Procedure<Result<FilledPage, Problem>> {
  const caller = checkVisit(visit, siteId, now());
  if (!caller.ok) return caller;
  const reading = openReading(caller.value, 'public', SHARED_ROOM);
  const page = yield* selectChangePage(reads, reading, { since, types, limit, hasContent, baseUrl });
  return page === undefined ? fail(PROBLEMS.changesGone) : ok(page);
}
