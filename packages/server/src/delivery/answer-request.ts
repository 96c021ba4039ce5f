// The way of a delivery request: authenticate, limit, choose the audience, load the catalog, answer.

import type { IncomingHttpHeaders } from 'node:http';
import { fail, ok, type Result } from '../content/result.ts';
import { type Problem, PROBLEMS } from '../http/problems.ts';
import type { Audience, CatalogMemo, DeliveryReads } from '../storage/port.ts';
import type { Answer } from './answer.ts';
import { authenticate, chooseAudience } from './authenticate.ts';
import { type HeaderNames, isSwitchedOn, readHeader } from './delivery-headers.ts';
import type { RateLimit } from './rate-limit.ts';

export interface DeliveryContext {
  readonly reads: DeliveryReads;
  readonly rateLimit: RateLimit;
  readonly headerNames: HeaderNames;
  readonly now: () => number;
}

export interface AudienceAnswer {
  readonly answer: Answer;
  readonly audience: Audience;
}

/** Answers for one state of a site's catalog; undefined where it moved meanwhile. */
export type AnswerAttempt = (
  memo: CatalogMemo,
  audience: Audience,
) => Promise<Result<Answer, Problem> | undefined>;

/** A catalog that moves this often during one request is being rewritten without pause. */
const MOST_ATTEMPTS = 10;

export async function answerRequest(
  headers: IncomingHttpHeaders,
  context: DeliveryContext,
  attempt: AnswerAttempt,
): Promise<Result<AudienceAnswer, Problem>> {
  const { reads, rateLimit, headerNames, now } = context;
  const credentials = { authorization: headers.authorization, siteId: readHeader(headers, headerNames.site) };
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const caller = await authenticate(credentials, reads, now());
    if (!caller.ok) return caller;
    const refusal = attempts === 0 ? await rateLimit.spend(caller.value.keyId, caller.value.rateLimit) : undefined;
    if (refusal !== undefined) return fail(refusal);
    const audience = chooseAudience(caller.value, isSwitchedOn(headers, headerNames.preview));
    if (!audience.ok) return audience;
    const memo = await reads.loadCatalog(caller.value.siteNo, caller.value.catalogVersion);
    const answer = memo && (await attempt(memo, audience.value));
    if (answer !== undefined) return answer.ok ? ok({ answer: answer.value, audience: audience.value }) : answer;
  }
  return fail(PROBLEMS.serviceUnavailable);
}
