// The way of a delivery request, in one moment of the database: authenticate, limit, choose the audience, look for an
// answer that was given before, or make one. Where the moment is known and the caller remembered, an answer that was given
// before takes no step of the database at all; and for a while also where the database cannot be reached.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { SHARED_ROOM } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import type { KnownCaller, NoteCaller } from '../http/access-log.ts';
import { buildLimitHeaders, refuseExceeded } from '../http/limiter.ts';
import { PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';
import type { TrafficWatch } from '../http/traffic.ts';
import type { UnreadAnswers } from '../http/unread-answers.ts';
import { readWhile } from '../http/wait-for-turn.ts';
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
import { type Caller, checkVisit, chooseAudience, openReading, parseToken } from './authenticate.ts';
import { findEncoding } from './content-encoding.ts';
import { type HeaderNames, isSwitchedOn, readHeader } from './delivery-headers.ts';
import { runEndpoint, type Wanted } from './endpoint.ts';
import { FreshAnswer } from './fresh-answer.ts';
import type { KeyUsage } from './key-usage.ts';
import type { ListRules } from './list-content.ts';
import type { LargeAnswers } from './make-large-answer.ts';
import type { MakingTime } from './making-time.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Sending } from './send-answer.ts';

export interface DeliveryContext extends ListRules {
  readonly reads: DeliveryReads;
  readonly large: LargeAnswers;
  readonly cache: AnswerCache;
  readonly rateLimit: RateLimit;
  readonly keyUsage: KeyUsage;
  readonly traffic: TrafficWatch;
  readonly unread: UnreadAnswers;
  readonly making: MakingTime;
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
  /** What is asked for; put together where it has to be made. */
  readonly describeWanted: () => Wanted;
}

/** An answer that has waited for so long for its time is refused: its client hardly waits for it. */
const LONGEST_WAIT_MS = 10_000;

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

/** An answer that is too large to be made here. */
interface Unmade {
  readonly large: Unanswered;
}

interface FinishedAnswer extends Sending {
  readonly answer: FreshAnswer;
  readonly isKept: boolean;
}

type Outcome = Answered | Owing | Unmade;

interface Attempt {
  readonly token: string;
  readonly siteId: string;
  readonly isCounted: boolean;
  /** Whether it has waited for time to make an answer, and has it now. */
  readonly hasTime: boolean;
}

/** At once where the database answers at once. */
export function answerRequest(request: DeliveryRequest, context: DeliveryContext): Answered | Promise<Answered> {
  // Who shows no key at all is turned away without a look at the database.
  const token = parseToken(request.headers.authorization);
  if (token === undefined) return fail(PROBLEMS.unauthenticated);
  const siteId = readHeader(request.headers, context.headerNames.site) ?? '';
  const attempt = (isCounted: boolean): Outcome | Promise<Outcome> =>
    tryToAnswer({ token, siteId, isCounted, hasTime: false }, request, context);
  const goOn = (outcome: Outcome): Answered | Promise<Answered> => {
    if ('ok' in outcome) return outcome;
    if ('large' in outcome) {
      const counted = { token, siteId, isCounted: true, hasTime: false };
      return answerLarge(outcome.large, counted, request, context).catch((error: unknown) =>
        goOn(answerOutage(error, counted, request, context)),
      );
    }
    return countFirst(outcome.mustPay, context, async () => goOn(await attempt(true)));
  };
  const outcome = attempt(false);
  return outcome instanceof Promise ? outcome.then(goOn) : goOn(outcome);
}

/** Counting may wait for others, a moment of the database may not: so it is read again when the request is counted. */
async function countFirst(
  { keyId, rateLimit: ownLimit }: Caller,
  { rateLimit }: DeliveryContext,
  answerCounted: () => Promise<Answered>,
): Promise<Answered> {
  const tally = await rateLimit.spend(keyId, ownLimit);
  if (tally.isExceeded) return fail(refuseExceeded(tally));
  const paid = await answerCounted();
  const headers = buildLimitHeaders([tally]);
  return paid.ok ? ok({ ...paid.value, limitHeaders: headers }) : fail(withHeaders(paid.problem, headers));
}

function tryToAnswer(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Outcome | Promise<Outcome> {
  const { reads } = context;
  const stamp = reads.peekStamp();
  const stale = stamp === undefined ? answerStale(attempt, request, context, reads.outageMs()) : undefined;
  if (stale !== undefined) return stale;
  const visit = stamp === undefined ? undefined : reads.recallVisit(stamp, attempt.token, attempt.siteId);
  const met = visit && receive(visit, attempt, request, context, 'hit');
  if (met !== undefined && !('reading' in met)) return met;
  if (context.unread.isOverfull()) return answerWithRoom(attempt, request, context);
  if (!attempt.hasTime && !context.making.hasTime()) return answerInTime(met, attempt, request, context);
  if (met === undefined) {
    const answered = inSnapshot(attempt, request, context, (moment) => answerAt(moment, attempt, request, context));
    if (!(answered instanceof Promise)) return answered;
    return answered.catch((error: unknown) => answerOutage(error, attempt, request, context));
  }
  return inSnapshot(attempt, request, context, (moment) =>
    moment === stamp ? makeAnswer(met, request, context) : answerAt(moment, attempt, request, context),
  );
}

async function answerWithRoom(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Promise<Outcome> {
  const isAdmitted = await readWhile(request.response, context.unread.waitForRoom(request.response));
  return isAdmitted ? tryToAnswer({ ...attempt, hasTime: false }, request, context) : fail(PROBLEMS.serviceUnavailable);
}

/** @param met undefined where it is not known who asks, and so whether the answer has to be made */
async function answerInTime(
  met: Unanswered | undefined,
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Outcome> {
  const { response } = request;
  const known = met ?? (await meetNow(attempt, request, context));
  if (!('reading' in known)) return known;
  const latestAt = performance.now() + LONGEST_WAIT_MS;
  const made = context.making.wait(attempt.token, () =>
    response.destroyed || performance.now() > latestAt
      ? fail(PROBLEMS.serviceUnavailable)
      : tryToAnswer({ ...attempt, hasTime: true }, request, context),
  );
  return readWhile(response, made);
}

async function meetNow(
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Outcome | Unanswered> {
  try {
    return await inSnapshot(attempt, request, context, (moment) => meet(moment, attempt, request, context));
  } catch (error) {
    return answerOutage(error, attempt, request, context);
  }
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
  const met = yield* meet(stamp, attempt, request, context);
  return 'reading' in met ? yield* makeAnswer(met, request, context) : met;
}

function* meet(
  stamp: number,
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Procedure<Outcome | Unanswered> {
  const { token, siteId } = attempt;
  const { reads } = context;
  const visit = reads.recallVisit(stamp, token, siteId) ?? (yield* reads.selectVisit(stamp, token, siteId));
  return receive(visit, attempt, request, context, 'hit');
}

function* makeAnswer(
  unanswered: Unanswered,
  { describeWanted }: DeliveryRequest,
  context: DeliveryContext,
): Procedure<Answered | Unmade> {
  const made = yield* runEndpoint(describeWanted(), context, unanswered.reading, context.reads);
  if (made.ok) return finishAnswer(made, unanswered, context);
  return 'oversized' in made.problem ? { large: unanswered } : finishAnswer(fail(made.problem), unanswered, context);
}

/** Where nobody waits for it, at a moment of its own. */
function answerLarge(
  { reading, key }: Unanswered,
  attempt: Attempt,
  request: DeliveryRequest,
  context: DeliveryContext,
): Promise<Answered> {
  const { token, siteId } = attempt;
  const { headers, response, edition, url, describeWanted } = request;
  const { reads, large, unread, now } = context;
  const made = large.inTurn(token, async () => {
    // What was made last leaves first, and must be read before there is room for more.
    if (!(await unread.waitForRoom(response, 'large')) || response.destroyed) return fail(PROBLEMS.serviceUnavailable);
    // Somebody else may have asked for the same meanwhile.
    const stamp = reads.peekStamp();
    const visit = stamp === undefined ? undefined : reads.recallVisit(stamp, token, siteId);
    const met = visit && receive(visit, attempt, request, context, 'hit');
    if (met !== undefined && 'ok' in met) return met;
    const isPreview = reading.audience === 'preview';
    const made = await large.make({ token, siteId, isPreview, time: now(), wanted: describeWanted() });
    // It may show a newer moment than any that was read here: from now on nothing older is shown, even in an outage.
    await reads.inNewestSnapshot((moment) => reads.selectVisit(moment, token, siteId), token);
    if (!made.ok) return finishAnswer(made, { reading, key }, context);
    const { generation, ...answer } = made.value;
    const keptAt = key && new AnswerKey(key.siteId, generation, edition, url);
    const finished = finishAnswer(ok({ ...answer, isAscii: false }), { reading, key: keptAt }, context);
    if (!finished.ok) return finished;
    const { answer: fresh, isKept } = finished.value;
    // Compressing it takes memory too, so it belongs to the turn.
    await fresh.form(findEncoding(headers['accept-encoding'], fresh.size));
    // By then the last byte has left, or the socket was destroyed. That closes its handle first, and no bytes are read for a closed one.
    if (!isKept) response.once('finish', () => fresh.release());
    return finished;
  });
  return readWhile(response, made);
}

/** An answer may be begun several times for one request, but is finished once: so that is where it is counted. */
function finishAnswer(
  made: Result<Answer, Problem>,
  { reading, key }: Unanswered,
  { cache, traffic, commonHeaders }: DeliveryContext,
): Result<FinishedAnswer, Problem> {
  if (key !== undefined) {
    cache.countMiss();
    traffic.count(reading.memo.catalog.site.accountNo, false);
  }
  if (!made.ok) return made;
  const answer = new FreshAnswer(made.value, commonHeaders[reading.audience]);
  const isKept = key !== undefined && cache.keep(key, answer);
  return ok({ answer, cacheStatus: 'miss', isKept });
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
  return { reading: openReading(caller, audience.value, SHARED_ROOM), key };
}

function nameCaller({ access }: Visit, siteId: string): KnownCaller {
  return { site: access.site_no === null ? undefined : siteId, key: access.key_id };
}
