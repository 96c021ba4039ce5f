// The way of a delivery request, in one moment of the database: authenticate, limit, choose the audience, load the
// catalog, answer.

import type { IncomingHttpHeaders } from 'node:http';
import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import type { Audience, CatalogMemo, DeliveryReads, Procedure } from '../storage/port.ts';
import type { Answer } from './answer.ts';
import { type Caller, checkVisit, chooseAudience, parseToken } from './authenticate.ts';
import { type HeaderNames, isSwitchedOn, readHeader } from './delivery-headers.ts';
import type { KeyUsage } from './key-usage.ts';
import type { RateLimit } from './rate-limit.ts';

export interface DeliveryContext {
  readonly reads: DeliveryReads;
  readonly rateLimit: RateLimit;
  readonly keyUsage: KeyUsage;
  readonly headerNames: HeaderNames;
  readonly now: () => number;
}

export interface AudienceAnswer {
  readonly answer: Answer;
  readonly audience: Audience;
}

/** What an endpoint does once it is known who asks for which site. */
export type Endpoint = (memo: CatalogMemo, audience: Audience) => Procedure<Result<Answer, Problem>>;

export type Answered = Result<AudienceAnswer, Problem>;
type Outcome = Answered | { readonly mustPay: Caller };

/** At once where the database answers at once. */
export function answerRequest(
  headers: IncomingHttpHeaders,
  context: DeliveryContext,
  endpoint: Endpoint,
): Answered | Promise<Answered> {
  // Who shows no key at all is turned away without a look at the database.
  const token = parseToken(headers.authorization);
  if (token === undefined) return fail(PROBLEMS.unauthenticated);
  const read = (isCounted: boolean): Outcome | Promise<Outcome> =>
    context.reads.inSnapshot((stamp) => answerOnce({ token, stamp }, headers, context, endpoint, isCounted));
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

function* answerOnce(
  { token, stamp }: { readonly token: string; readonly stamp: number },
  headers: IncomingHttpHeaders,
  { reads, rateLimit, keyUsage, headerNames, now }: DeliveryContext,
  endpoint: Endpoint,
  isCounted: boolean,
): Procedure<Outcome> {
  const siteId = readHeader(headers, headerNames.site) ?? '';
  const visit = reads.recallVisit(stamp, token, siteId) ?? (yield* reads.selectVisit(stamp, token, siteId));
  const time = now();
  const caller = checkVisit(visit, siteId, time);
  if (!caller.ok) return caller;
  keyUsage.note(caller.value.keyId, time);
  if (!isCounted && rateLimit.limits(caller.value.rateLimit)) return { mustPay: caller.value };
  const audience = chooseAudience(caller.value, isSwitchedOn(headers, headerNames.preview));
  if (!audience.ok) return audience;
  const answer = yield* endpoint(caller.value.memo, audience.value);
  return answer.ok ? ok({ answer: answer.value, audience: audience.value }) : answer;
}
