// A large answer, made where nobody waits for it. It is read at a moment of its own, which is never older than the request, so who
// asks is looked up again in it.

import { WHOLE_ROOM } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import type { Problem } from '../http/problems.ts';
import type { DeliveryReads } from '../storage/port.ts';
import { answerTooLarge } from './answer-size.ts';
import { checkVisit, chooseAudience } from './authenticate.ts';
import { runEndpoint, type Wanted } from './endpoint.ts';
import type { ListRules } from './list-content.ts';

/** Plain data: it goes to another thread. */
export interface LargeRequest {
  readonly token: string;
  readonly siteId: string;
  readonly isPreview: boolean;
  /** When it was asked for. */
  readonly time: number;
  readonly wanted: Wanted;
}

export interface LargeAnswer {
  /** Of the site, at the moment at which the answer was read. */
  readonly generation: number;
  readonly body: Buffer;
  readonly validator: string;
  readonly link: string | undefined;
}

/** Makes large answers where nobody waits for them. */
export interface LargeAnswers {
  /** Rejects with `TookTooLong` where there is no turn in time, or too many wait. */
  inTurn<Outcome>(caller: string, work: () => Promise<Outcome>): Promise<Outcome>;
  /** Within a turn. */
  make(request: LargeRequest): Promise<Result<LargeAnswer, Problem>>;
}

/** @param collectGarbage V8 would let the texts of several answers lie around before it looks for what died */
export async function makeLargeAnswer(
  request: LargeRequest,
  rules: ListRules,
  reads: DeliveryReads,
  collectGarbage: () => void,
): Promise<Result<LargeAnswer, Problem>> {
  const made = await reads.inNewestSnapshot((stamp) => readAt(stamp, request, rules, reads), request.token);
  if (!made.ok) return made;
  const { generation, answer } = made.value;
  const { body, isAscii, validator, link } = answer;
  // By now the text is joined, and nothing holds on to what was read for it.
  collectGarbage();
  return ok({ generation, body: encode(body, isAscii), validator, link });
}

function* readAt(stamp: number, request: LargeRequest, rules: ListRules, reads: DeliveryReads) {
  const { token, siteId, isPreview, time, wanted } = request;
  const visit = reads.recallVisit(stamp, token, siteId) ?? (yield* reads.selectVisit(stamp, token, siteId));
  const caller = checkVisit(visit, siteId, time);
  if (!caller.ok) return caller;
  const audience = chooseAudience(caller.value, isPreview);
  if (!audience.ok) return audience;
  const { memo, generation } = caller.value;
  const reading = { memo, generation, audience: audience.value, room: WHOLE_ROOM };
  const answer = yield* runEndpoint(wanted, rules, reading, reads);
  if (answer.ok) return ok({ generation, answer: answer.value });
  return fail('oversized' in answer.problem ? answerTooLarge(answer.problem) : answer.problem);
}

/** In memory of its own, which can be handed to another thread without a copy. */
function encode(text: string, isAscii: boolean): Buffer {
  const bytes = Buffer.allocUnsafeSlow(isAscii ? text.length : Buffer.byteLength(text));
  bytes.write(text, isAscii ? 'latin1' : 'utf8');
  return bytes;
}
