// The way of a delivery request, in one moment of the database: authenticate, limit, choose the audience, look for an
// answer that was given before, or make one. Where the moment is known and the caller remembered, an answer that was given
// before takes no step of the database at all; and for a while also where the database cannot be reached.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { fail, ok, type Result } from '../content/result.ts';
import type { KnownCaller, NoteCaller } from '../http/access-log.ts';
import { buildLimitHeaders, refuseExceeded } from '../http/limiter.ts';
import { PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';
import type { TrafficWatch } from '../http/traffic-watch.ts';
import type { UnreadAnswers } from '../http/unread-answers.ts';
import {
  type Audience,
  type DeliveryReads,
  type Procedure,
  type Reading,
  StorageUnavailable,
  TookTooLong,
  type Visit,
} from '../storage/port.ts';
import type { Answer } from './answer.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { CacheStatus } from './answer-form.ts';
import { AnswerKey, type Edition } from './answer-key.ts';
import { type Caller, checkVisit, chooseAudience, parseToken } from './authenticate.ts';
import { type HeaderNames, isSwitchedOn, readHeader } from './delivery-headers.ts';
import { FreshAnswer } from './fresh-answer.ts';
import type { KeyUsage } from './key-usage.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Sending } from './send-answer.ts';

export interface DeliveryContext {
  readonly reads: DeliveryReads;
  readonly cache: AnswerCache;
  readonly rateLimit: RateLimit;
  readonly keyUsage: KeyUsage;
  readonly traffic: TrafficWatch;
  readonly unread: UnreadAnswers;
  /** Where requests are logged. */
  readonly noteCaller: NoteCaller | undefined;
  readonly headerNames: HeaderNames;
  /** What the answers to each audience have in common: names and values in turn. */
  readonly commonHeaders: Readonly<Record<Audience, readonly string[]>>;
  readonly now: () => number;
  /** How long answers outlive a database that cannot be reached. */
  readonly staleMs: number;
}

export interface DeliveryRequest {
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly edition: Edition;
  readonly url: string;
  /** What is to be done once it is known who asks for which site. */
  readonly endpoint: (reading: Reading) => Procedure<Result<Answer, Problem>>;
}

export type Answered = Result<Sending, Problem>;

/** A caller whose request must be counted before it is answered. */
interface Owing {
  readonly mustPay: Caller;
}

/** An answer that nobody has given yet. */
interface Unanswered {
  readonly reading: Reading;
  /** Undefined where the answer may not be kept. */
  readonly key: AnswerKey | undefined;
}

type Outcome = Answered | Owing;

interface Attempt {
  readonly token: string;
  readonly siteId: string;
  readonly isCounted: boolean;
}

/** At once where the database answers at once. */
export function answerRequest(request: DeliveryRequest, context: DeliveryContext): Answered | Promise<Answered> {
  // Who shows no key at all is turned away without a look at the database.
  const token = parseToken(request.headers.authorization);
  if (token === undefined) return fail(PROBLEMS.unauthenticated);
  const siteId = readHeader(request.headers, context.headerNames.site) ?? '';
  const attempt = (isCounted: boolean): Outcome | Promise<Outcome> =>
    tryToAnswer({ token, siteId, isCounted }, request, context);
  const outcome = attempt(false);
  if (outcome instanceof Promise) return outcome.then((awaited) => countFirst(awaited, context, attempt));
  return countFirst(outcome, context, attempt);
}

/** Counting may wait for others, a moment of the database may not: so it is read again when the request is counted. */
function countFirst(
  outcome: Outcome,
  { rateLimit }: DeliveryContext,
  attempt: (isCounted: boolean) => Outcome | Promise<Outcome>,
): Answered | Promise<Answered> {
  if (!('mustPay' in outcome)) return outcome;
  const { keyId, rateLimit: ownLimit } = outcome.mustPay;
  return rateLimit.spend(keyId, ownLimit).then(async (tally) => {
    if (tally.isExceeded) return fail(refuseExceeded(tally));
    const paid = await attempt(true);
    if ('mustPay' in paid) throw new Error('A request was counted and asked to be counted again');
    const headers = buildLimitHeaders([tally]);
    return paid.ok ? ok({ ...paid.value, limitHeaders: headers }) : fail(withHeaders(paid.problem, headers));
  });
}

function tryToAnswer(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Outcome | Promise<Outcome> {
  const { reads } = context;
  const stamp = reads.peekStamp();
  const stale = stamp === undefined ? answerStale(attempt, request, context, reads.outageMs()) : undefined;
  if (stale !== undefined) return stale;
  const visit = stamp === undefined ? undefined : reads.recallVisit(stamp, attempt.token, attempt.siteId);
  const met = visit && receive(visit, attempt, request, context, 'hit');
  if (met !== undefined && !('reading' in met)) return met;
  if (mustWaitForRoom(request, context)) return answerWithRoom(attempt, request, context);
  if (met === undefined) {
    const answered = inSnapshot(attempt, request, context, (moment) => answerAt(moment, attempt, request, context));
    if (!(answered instanceof Promise)) return answered;
    return answered.catch((error: unknown) => answerOutage(error, attempt, request, context));
  }
  return inSnapshot(attempt, request, context, (moment) =>
    moment === stamp ? makeAnswer(met, request, context) : answerAt(moment, attempt, request, context),
  );
}

/** What is not made yet may be large, lists most of all. */
function mustWaitForRoom({ edition }: DeliveryRequest, { unread }: DeliveryContext): boolean {
  return edition.kind === 'object' ? unread.isOverfull() : unread.isFull();
}

async function answerWithRoom(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Promise<Outcome> {
  const isAdmitted = await context.unread.waitForRoom(request.response);
  return isAdmitted ? tryToAnswer(attempt, request, context) : fail(PROBLEMS.serviceUnavailable);
}

/** Editors see what they have saved, on whichever node. */
function inSnapshot<Read>(
  { token }: Attempt,
  { headers }: DeliveryRequest,
  { reads, headerNames }: DeliveryContext,
  work: (stamp: number) => Procedure<Read>,
): Read | Promise<Read> {
  return isSwitchedOn(headers, headerNames.preview)
    ? reads.inNewestSnapshot(work, token)
    : reads.inSnapshot(work, token);
}

/** An outage is found out by those who meet it first: one who had no time left for a server that is there has met one too. */
function answerOutage(error: unknown, attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Outcome {
  const isOutage = error instanceof StorageUnavailable && !(error instanceof TookTooLong);
  const stale = isOutage ? answerStale(attempt, request, context, context.reads.outageMs() ?? 0) : undefined;
  if (stale === undefined) throw error;
  return stale;
}

/**
 * What was last known, while the database cannot be reached; undefined where that is no answer.
 * @param outageMs how long ago it could be reached; undefined where it can
 */
function answerStale(
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
  outageMs: number | undefined,
): Outcome | undefined {
  if (outageMs === undefined || outageMs >= context.staleMs) return undefined;
  const visit = context.reads.recallLastVisit(attempt.token, attempt.siteId);
  const met = visit && receive(visit, attempt, request, context, 'stale');
  return met === undefined || 'reading' in met ? undefined : met;
}

function* answerAt(
  stamp: number,
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Procedure<Outcome> {
  const { token, siteId } = attempt;
  const { reads } = context;
  const visit = reads.recallVisit(stamp, token, siteId) ?? (yield* reads.selectVisit(stamp, token, siteId));
  const met = receive(visit, attempt, request, context, 'hit');
  return 'reading' in met ? yield* makeAnswer(met, request, context) : met;
}

/** May begin several times for one request, but ends once: so that is where it is counted. */
function* makeAnswer(
  { reading, key }: Unanswered,
  { endpoint }: DeliveryRequest,
  { cache, traffic, commonHeaders }: DeliveryContext,
): Procedure<Answered> {
  const made = yield* endpoint(reading);
  if (key !== undefined) {
    cache.countMiss();
    traffic.count(reading.memo.catalog.site.accountNo, false);
  }
  if (!made.ok) return made;
  const answer = new FreshAnswer(made.value, commonHeaders[reading.audience]);
  if (key !== undefined) cache.keep(key, answer);
  return ok({ answer, cacheStatus: 'miss' });
}

/**
 * All that can be said without reading content.
 * @param cacheStatus of an answer that was given before
 */
function receive(
  visit: Visit | undefined,
  { siteId, isCounted }: Attempt,
  { headers, edition, url }: DeliveryRequest,
  { cache, rateLimit, keyUsage, traffic, noteCaller, headerNames, now }: DeliveryContext,
  cacheStatus: CacheStatus,
): Outcome | Unanswered {
  const time = now();
  if (noteCaller !== undefined && visit !== undefined) noteCaller(headers, nameCaller(visit, siteId));
  const admitted = checkVisit(visit, siteId, time);
  if (!admitted.ok) return admitted;
  const caller = admitted.value;
  const { memo, generation } = caller;
  keyUsage.note(caller.keyId, time);
  if (!isCounted && rateLimit.limits(caller.rateLimit)) return { mustPay: caller };
  const audience = chooseAudience(caller, isSwitchedOn(headers, headerNames.preview));
  if (!audience.ok) return audience;
  const isKept = audience.value === 'public' && cache.isOpen;
  const key = isKept ? new AnswerKey(memo.catalog.site.id, generation, edition, url) : undefined;
  const known = key && cache.find(key);
  if (known !== undefined) {
    traffic.count(memo.catalog.site.accountNo, true);
    return ok({ answer: known, cacheStatus });
  }
  return { reading: { memo, generation, audience: audience.value }, key };
}

function nameCaller({ access }: Visit, siteId: string): KnownCaller {
  return { site: access.site_no === null ? undefined : siteId, key: access.key_id };
}
