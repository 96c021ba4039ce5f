// Turns a request into a response. create-delivery.ts parses the request first, and sends the response at the end. In between,
// `tryToAnswer` runs these steps:
//
// - cache: `checkCallerAndCache` checks the caller and looks for a response in the cache.
// - select: `select` turns the query into a read request, and storage reads the content.
// - render: `render` turns the content into a response, and `finishAnswer` puts it into the cache.
//
// The functions after `finishAnswer` are for requests that must be counted or must wait, for large responses, and for outages.
//
// All reads for a request see the same database snapshot. If the caller is already known in that snapshot, a cached response needs no read
// at all. While the database cannot be reached, cached responses are served for a limited time.

import { SHARED_ROOM } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import type { KnownCaller, NoteCaller } from '../http/access-log.ts';
import { buildLimitHeaders, refuseExceeded } from '../http/limiter.ts';
import { PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';
import type { UnreadAnswers } from '../http/unread-answers.ts';
import { readWhile } from '../http/wait-for-turn.ts';
import type { Match } from '../listing/field-filter.ts';
import type { DeliveryReads, Found, Reading, Visit } from '../storage/delivery-reads.ts';
import { StorageUnavailable, TookTooLong } from '../storage/engine.ts';
import type { Audience } from '../storage/views.ts';
import { type Answer, type CacheStatus, FreshAnswer, findEncoding, type Sending } from './answer.ts';
import type { AnswerCache } from './answer-cache.ts';
import {
  type Caller,
  checkVisit,
  chooseAudience,
  type KeyUsage,
  openReading,
  type RateLimit,
  type TrafficWatch,
} from './caller.ts';
import {
  AnswerKey,
  type Asked,
  type DeliveryRequest,
  describeWanted,
  type ListRules,
  parseSelection,
  type RequestRules,
} from './delivery-request.ts';
import type { LargeAnswers } from './make-large-answer.ts';
import type { MakingTime } from './making-time.ts';
import { renderAnswer } from './render-answer.ts';

export interface DeliveryContext extends ListRules, Pick<RequestRules, 'headerNames'> {
  readonly reads: DeliveryReads;
  readonly large: LargeAnswers;
  readonly cache: AnswerCache;
  readonly rateLimit: RateLimit;
  readonly keyUsage: KeyUsage;
  readonly traffic: TrafficWatch;
  readonly unread: UnreadAnswers;
  readonly making: MakingTime;
  /** Undefined if requests are not logged. */
  readonly noteCaller: NoteCaller | undefined;
  /** How several values of one parameter are combined by default. */
  readonly defaultMatch: Match;
  /** The headers shared by all responses to an audience: names and values, alternating. */
  readonly commonHeaders: Readonly<Record<Audience, readonly string[]>>;
  readonly now: () => number;
  /** How long cached responses are served while the database cannot be reached. */
  readonly staleMs: number;
}

/** A request that has waited this long is rejected: its client has probably given up. */
const LONGEST_WAIT_MS = 10_000;

export type Answered = Result<Sending, Problem>;

/** A caller whose request must be counted against the rate limit first. */
interface Owing {
  readonly mustPay: Caller;
}

/** A request whose response is not in the cache. */
interface Unanswered {
  readonly visit: Visit | undefined;
  readonly reading: Reading;
  /** Undefined if the response must not be cached. */
  readonly key: AnswerKey | undefined;
}

/** A response that is too large to be built on this thread. */
interface Unmade {
  readonly large: Asked;
}

interface FinishedAnswer extends Sending {
  readonly answer: FreshAnswer;
  readonly isKept: boolean;
}

type Outcome = Answered | Owing | Unmade;

interface Attempt {
  /** Whether the request was counted against its key's rate limit. */
  readonly isCounted: boolean;
  /** Whether the request has waited for its turn to build a response, and may build it now. */
  readonly hasTime: boolean;
}

const FIRST: Attempt = { isCounted: false, hasTime: false };
const COUNTED: Attempt = { isCounted: true, hasTime: false };

/** Returns synchronously if the database does. */
export function answerRequest(request: DeliveryRequest, context: DeliveryContext): Answered | Promise<Answered> {
  const outcome = tryToAnswer(FIRST, request, context);
  return outcome instanceof Promise
    ? outcome.then((awaited) => conclude(awaited, request, context))
    : conclude(outcome, request, context);
}

function tryToAnswer(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Outcome | Promise<Outcome> {
  const known = request.wantsNewest ? undefined : checkWithoutReading(attempt, request, context);
  if (known !== undefined && !('reading' in known)) return known;
  if (context.unread.isOverfull()) return answerWithRoom(attempt, request, context);
  if (!attempt.hasTime && !context.making.hasTime()) return answerInTime(known, attempt, request, context);
  const made = selectAndRender(known, attempt, request, context);
  return made instanceof Promise ? made.catch((error) => answerOutage(error, attempt, request, context)) : made;
}

/** The result of everything that needs no read; undefined if the database must be read first. */
function checkWithoutReading(
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Outcome | Unanswered | undefined {
  const visit = context.reads.recallVisit(request.token, request.siteId);
  return visit === undefined
    ? findStale(attempt, request, context)
    : checkCallerAndCache(visit, attempt, request, context);
}

/**
 * Storage opens a snapshot, finds the caller, and reads what `select` asks for.
 * @param known the result of an earlier step, reused if the visit is the same in the new snapshot
 */
function selectAndRender(
  known: Unanswered | undefined,
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Outcome | Promise<Outcome> {
  const found = context.reads.read<Asked, Outcome>(request, (visit) => {
    const checked =
      known !== undefined && known.visit === visit ? known : checkCallerAndCache(visit, attempt, request, context);
    return 'reading' in checked ? select(checked, request, context) : checked;
  });
  return found instanceof Promise ? found.then((awaited) => render(awaited, context)) : render(found, context);
}

/**
 * Checks the caller and looks in the cache. This covers everything that can be decided without reading content.
 * @param cacheStatus the status of a response found in the cache
 */
function checkCallerAndCache(
  visit: Visit | undefined,
  { isCounted }: Attempt,
  request: DeliveryRequest,
  { cache, rateLimit, keyUsage, traffic, noteCaller, now }: DeliveryContext,
  cacheStatus: CacheStatus = 'hit',
): Outcome | Unanswered {
  const { siteId } = request;
  const time = now();
  if (noteCaller !== undefined && visit !== undefined) noteCaller(request.headers, nameCaller(visit, siteId));
  const admitted = checkVisit(visit, siteId, time);
  if (!admitted.ok) return admitted;
  const caller = admitted.value;
  const { memo, generation } = caller;
  if (caller.isKey) keyUsage.note(caller.keyId, time);
  if (!isCounted && rateLimit.limits(caller.rateLimit)) return { mustPay: caller };
  const audience = chooseAudience(caller, request.isPreview);
  if (!audience.ok) return audience;
  const isKept = audience.value === 'public' && cache.isOpen;
  const key = isKept ? new AnswerKey(memo.catalog.site.id, generation, request, request.url) : undefined;
  const given = key && cache.find(key);
  if (given !== undefined) {
    traffic.count(memo.catalog.site.accountNo, true);
    return ok({ answer: given, cacheStatus });
  }
  return { visit, reading: openReading(caller, audience.value, SHARED_ROOM), key };
}

function nameCaller({ access }: Visit, siteId: string): KnownCaller {
  return { site: access.site_no === null ? undefined : siteId, key: access.key_id };
}

function select({ reading, key }: Unanswered, request: DeliveryRequest, context: DeliveryContext): Asked | Outcome {
  const selection = parseSelection(describeWanted(request, context), context, reading, key);
  return selection.ok ? selection.value : finishAnswer(selection, reading, key, context);
}

function render(found: Found<Asked> | Outcome, context: DeliveryContext): Outcome {
  if (!('asked' in found)) return found;
  const { asked } = found;
  const made = renderAnswer(found, context);
  if (made.ok) return finishAnswer(made, asked.reading, asked.key, context);
  return 'oversized' in made.problem
    ? { large: asked }
    : finishAnswer(fail(made.problem), asked.reading, asked.key, context);
}

/** A request may start to build its response several times, but finishes only once, so the response is counted here. */
function finishAnswer(
  made: Result<Answer, Problem>,
  { memo, view }: Reading,
  key: AnswerKey | undefined,
  { cache, traffic, commonHeaders }: DeliveryContext,
): Result<FinishedAnswer, Problem> {
  if (key !== undefined) {
    cache.countMiss();
    traffic.count(memo.catalog.site.accountNo, false);
  }
  if (!made.ok) return made;
  const answer = new FreshAnswer(made.value, commonHeaders[view.audience]);
  const isKept = key !== undefined && cache.keep(key, answer);
  return ok({ answer, cacheStatus: 'miss', isKept });
}

/** Completes requests that must be counted first, or whose responses are too large for this thread. */
function conclude(outcome: Outcome, request: DeliveryRequest, context: DeliveryContext): Answered | Promise<Answered> {
  if ('ok' in outcome) return outcome;
  return 'large' in outcome
    ? answerLarge(outcome.large, request, context)
    : countFirst(outcome.mustPay, request, context);
}

/**
 * Counting may have to wait for other requests, but a database snapshot must not stay open in the meantime. So the database is read again
 * once the request has been counted.
 */
async function countFirst(
  { keyId, rateLimit: ownLimit }: Caller,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Answered> {
  const tally = await context.rateLimit.spend(keyId, ownLimit);
  if (tally.isExceeded) return fail(refuseExceeded(tally));
  const paid = await conclude(await tryToAnswer(COUNTED, request, context), request, context);
  const headers = buildLimitHeaders([tally]);
  return paid.ok ? ok({ ...paid.value, limitHeaders: headers }) : fail(withHeaders(paid.problem, headers));
}

async function answerWithRoom(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Promise<Outcome> {
  const isAdmitted = await readWhile(request.response, context.unread.waitForRoom(request.response));
  return isAdmitted ? tryToAnswer({ ...attempt, hasTime: false }, request, context) : fail(PROBLEMS.serviceUnavailable);
}

/** @param known undefined if the caller and the cache have not been checked yet */
async function answerInTime(
  known: Unanswered | undefined,
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Outcome> {
  const { response } = request;
  const checked = known ?? (await checkAfterReading(attempt, request, context));
  if (!('reading' in checked)) return checked;
  const latestAt = performance.now() + LONGEST_WAIT_MS;
  const made = context.making.wait(request.token, () =>
    response.destroyed || performance.now() > latestAt
      ? fail(PROBLEMS.serviceUnavailable)
      : tryToAnswer({ ...attempt, hasTime: true }, request, context),
  );
  return readWhile(response, made);
}

async function checkAfterReading(
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Outcome | Unanswered> {
  try {
    return checkCallerAndCache(await context.reads.readVisit(request), attempt, request, context);
  } catch (error) {
    return answerOutage(error, attempt, request, context);
  }
}

/** The first failing requests may reveal an outage before the engine notices it. */
function answerOutage(error: unknown, attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Outcome {
  const isOutage = error instanceof StorageUnavailable && !(error instanceof TookTooLong);
  const stale = isOutage ? answerStale(attempt, request, context, context.reads.outageMs() ?? 0) : undefined;
  if (stale === undefined) throw error;
  return stale;
}

/** Undefined if the database can be reached, or if only a read would show whether it can. */
function findStale(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Outcome | undefined {
  const { reads } = context;
  return reads.isMomentKnown() ? undefined : answerStale(attempt, request, context, reads.outageMs());
}

/**
 * The cached response to serve while the database cannot be reached; undefined if there is none.
 * @param outageMs the time since the database could last be reached; undefined if it can be reached
 */
function answerStale(
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
  outageMs: number | undefined,
): Outcome | undefined {
  if (outageMs === undefined || outageMs >= context.staleMs || request.wantsNewest) return undefined;
  const visit = context.reads.recallLastVisit(request.token, request.siteId);
  const checked = visit && checkCallerAndCache(visit, attempt, request, context, 'stale');
  return checked === undefined || 'reading' in checked ? undefined : checked;
}

/** Builds the response on a separate thread with its own snapshot, so no other request waits. */
async function answerLarge(asked: Asked, request: DeliveryRequest, context: DeliveryContext): Promise<Answered> {
  const { token, response } = request;
  try {
    return await readWhile(
      response,
      context.large.inTurn(token, () => makeLarge(asked, request, context)),
    );
  } catch (error) {
    return conclude(answerOutage(error, COUNTED, request, context), request, context);
  }
}

/** Runs when it is the request's turn on the thread. */
async function makeLarge(
  { reading, key }: Asked,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Answered> {
  const { token, siteId, headers, response, url } = request;
  const { reads, large, unread, now } = context;
  // There is room for another large response only once the previous one has been sent and read.
  if (!(await unread.waitForRoom(response, 'large')) || response.destroyed) return fail(PROBLEMS.serviceUnavailable);
  // Another request may have built the same response while this one was waiting.
  const visit = request.wantsNewest ? undefined : reads.recallVisit(token, siteId);
  const checked = visit && checkCallerAndCache(visit, COUNTED, request, context);
  if (checked !== undefined && 'ok' in checked) return checked;
  const isPreview = reading.view.audience === 'preview';
  const wanted = describeWanted(request, context);
  const made = await large.make({ token, siteId, isPreview, time: now(), wanted });
  // The response may be newer than anything that this thread has read. After the following read, nothing older is served, even in an
  // outage.
  await reads.readVisit({ token, siteId, wantsNewest: true });
  if (!made.ok) return finishAnswer(made, reading, key, context);
  const { generation, ...answer } = made.value;
  const keptAt = key && new AnswerKey(key.siteId, generation, request, url);
  const finished = finishAnswer(ok({ ...answer, isAscii: false }), reading, keptAt, context);
  if (!finished.ok) return finished;
  const { answer: fresh, isKept } = finished.value;
  // Compression uses memory too, so it is part of the turn.
  await fresh.form(findEncoding(headers['accept-encoding'], fresh.size));
  // On finish, the last byte has been sent or the socket has been destroyed, so Node is no longer reading the bytes.
  if (!isKept) response.once('finish', () => fresh.release());
  return finished;
}
