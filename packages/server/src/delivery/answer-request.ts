// The way of a delivery request, in one moment of the database: authenticate, limit, choose the audience, look for an
// answer that was given before, or make one.

import type { IncomingHttpHeaders } from 'node:http';
import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import type { Audience, DeliveryReads, Procedure, Reading } from '../storage/port.ts';
import type { Answer } from './answer.ts';
import { type AnswerCache, AnswerKey } from './answer-cache.ts';
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
  readonly headerNames: HeaderNames;
  /** What the answers to each audience have in common: names and values in turn. */
  readonly commonHeaders: Readonly<Record<Audience, readonly string[]>>;
  readonly now: () => number;
}

export interface DeliveryRequest {
  readonly headers: IncomingHttpHeaders;
  /** All that the answer depends on beside the site, the audience and what there is to read. */
  readonly variant: string;
  /** What is to be done once it is known who asks for which site. */
  readonly endpoint: (reading: Reading) => Procedure<Result<Answer, Problem>>;
}

export type Answered = Result<Sending, Problem>;
type Outcome = Answered | { readonly mustPay: Caller };

/** At once where the database answers at once. */
export function answerRequest(request: DeliveryRequest, context: DeliveryContext): Answered | Promise<Answered> {
  // Who shows no key at all is turned away without a look at the database.
  const token = parseToken(request.headers.authorization);
  if (token === undefined) return fail(PROBLEMS.unauthenticated);
  const read = (isCounted: boolean): Outcome | Promise<Outcome> =>
    context.reads.inSnapshot((stamp) => answerOnce({ token, stamp, isCounted }, request, context));
  const outcome = read(false);
  if (outcome instanceof Promise) return outcome.then((awaited) => countFirst(awaited, context, read));
  return countFirst(outcome, context, read);
}

/** Counting may wait for others, a moment of the database may not: so it is read again when the request is counted. */
function countFirst(
  outcome: Outcome,
  { rateLimit }: DeliveryContext,
  read: (isCounted: boolean) => Outcome | Promise<Outcome>,
): Answered | Promise<Answered> {
  if (!('mustPay' in outcome)) return outcome;
  const { keyId, rateLimit: ownLimit } = outcome.mustPay;
  return rateLimit.spend(keyId, ownLimit).then(async (refusal) => {
    if (refusal !== undefined) return fail(refusal);
    const paid = await read(true);
    if ('mustPay' in paid) throw new Error('A request was counted and asked to be counted again');
    return paid;
  });
}

interface Attempt {
  readonly token: string;
  readonly stamp: number;
  readonly isCounted: boolean;
}

function* answerOnce(attempt: Attempt, request: DeliveryRequest, context: DeliveryContext): Procedure<Outcome> {
  const { token, stamp, isCounted } = attempt;
  const { headers, endpoint } = request;
  const { reads, cache, rateLimit, keyUsage, headerNames, commonHeaders, now } = context;
  const siteId = readHeader(headers, headerNames.site) ?? '';
  const visit = reads.recallVisit(stamp, token, siteId) ?? (yield* reads.selectVisit(stamp, token, siteId));
  const time = now();
  const admitted = checkVisit(visit, siteId, time);
  if (!admitted.ok) return admitted;
  const caller = admitted.value;
  keyUsage.note(caller.keyId, time);
  if (!isCounted && rateLimit.limits(caller.rateLimit)) return { mustPay: caller };
  const audience = chooseAudience(caller, isSwitchedOn(headers, headerNames.preview));
  if (!audience.ok) return audience;
  const key = audience.value === 'public' ? buildKey(caller, request) : undefined;
  const known = key === undefined ? undefined : cache.find(key);
  if (known !== undefined) return ok({ answer: known, cacheStatus: 'hit' });
  const made = yield* endpoint({ memo: caller.memo, generation: caller.generation, audience: audience.value });
  if (!made.ok) return made;
  const answer = new FreshAnswer(made.value, commonHeaders[audience.value]);
  if (key !== undefined) cache.keep(key, answer);
  return ok({ answer, cacheStatus: 'miss' });
}

function buildKey({ memo, generation }: Caller, { variant }: DeliveryRequest): AnswerKey {
  return new AnswerKey(memo.catalog.site.id, generation, variant);
}
