// A large answer, made where nobody waits for it. It is read at a moment of its own, which is never older than the request, so who
// asks is looked up again in it.

import { WHOLE_ROOM } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import type { Problem } from '../http/problems.ts';
import type { DeliveryReads, Visit } from '../storage/port.ts';
import { checkVisit, chooseAudience, openReading } from './authenticate.ts';
import type { Wanted } from './delivery-request.ts';
import { type Asked, type ListRules, parseSelection } from './parse-selection.ts';
import { answerTooLarge, renderAnswer } from './render-answer.ts';

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
  const rendered = await readAndRender(request, rules, reads);
  if (!rendered.ok) return rendered;
  const { generation, body, isAscii, validator, link } = rendered.value;
  // By now the text is joined, and nothing holds on to what was read for it.
  collectGarbage();
  return ok({ generation, body: encode(body, isAscii), validator, link });
}

async function readAndRender(request: LargeRequest, rules: ListRules, reads: DeliveryReads) {
  const caller = { token: request.token, siteId: request.siteId, wantsNewest: true };
  const found = await reads.read<Asked, Refused>(caller, (visit) => choose(visit, request, rules));
  if ('ok' in found) return found;
  const answer = renderAnswer(found, rules);
  if (answer.ok) return ok({ generation: found.asked.reading.generation, ...answer.value });
  return fail('oversized' in answer.problem ? answerTooLarge(answer.problem) : answer.problem);
}

type Refused = Extract<Result<never, Problem>, { readonly ok: false }>;

function choose(visit: Visit | undefined, request: LargeRequest, rules: ListRules): Asked | Refused {
  const { siteId, isPreview, time, wanted } = request;
  const caller = checkVisit(visit, siteId, time);
  if (!caller.ok) return caller;
  const audience = chooseAudience(caller.value, isPreview);
  if (!audience.ok) return audience;
  const reading = openReading(caller.value, audience.value, WHOLE_ROOM);
  const asked = parseSelection(wanted, rules, reading, undefined);
  return asked.ok ? asked.value : asked;
}

/** In memory of its own, which can be handed to another thread without a copy. */
function encode(text: string, isAscii: boolean): Buffer {
  const bytes = Buffer.allocUnsafeSlow(isAscii ? text.length : Buffer.byteLength(text));
  bytes.write(text, isAscii ? 'latin1' : 'utf8');
  return bytes;
}
