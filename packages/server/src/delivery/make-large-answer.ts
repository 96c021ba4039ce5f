// Builds a large response on a separate thread, so no other request waits for it. That thread reads its own snapshot, which is never older
// than the request, and checks the caller again in that snapshot.

import { WHOLE_ROOM } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import type { Problem } from '../http/problems.ts';
import type { DeliveryReads, Visit } from '../storage/delivery-reads.ts';
import { checkVisit, chooseAudience, openReading } from './caller.ts';
import { type Asked, type ListRules, parseSelection, type Wanted } from './delivery-request.ts';
import { answerTooLarge, renderAnswer } from './render-answer.ts';

/** Plain data, because it is sent to another thread. */
export interface LargeRequest {
  readonly token: string;
  readonly siteId: string;
  readonly isPreview: boolean;
  /** When the request arrived. */
  readonly time: number;
  readonly wanted: Wanted;
}

export interface LargeAnswer {
  /** The site's generation in the snapshot. */
  readonly generation: number;
  readonly body: Buffer;
  readonly validator: string;
  readonly link: string | undefined;
}

/** Builds large responses on a separate thread. */
export interface LargeAnswers {
  /** Rejects with `TookTooLong` if the wait for a turn is too long, or too many requests are waiting. */
  inTurn<Outcome>(caller: string, work: () => Promise<Outcome>): Promise<Outcome>;
  /** Call this during a turn. */
  make(request: LargeRequest): Promise<Result<LargeAnswer, Problem>>;
}

/** @param collectGarbage frees memory early; V8 would first let the text of several responses pile up */
export async function makeLargeAnswer(
  request: LargeRequest,
  rules: ListRules,
  reads: DeliveryReads,
  collectGarbage: () => void,
): Promise<Result<LargeAnswer, Problem>> {
  const rendered = await readAndRender(request, rules, reads);
  if (!rendered.ok) return rendered;
  const { generation, body, isAscii, validator, link } = rendered.value;
  // The text has been joined by now, and the rows that it was built from are no longer in use.
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

/** Encodes the text into a separate buffer, which can be transferred to another thread without being copied. */
function encode(text: string, isAscii: boolean): Buffer {
  const bytes = Buffer.allocUnsafeSlow(isAscii ? text.length : Buffer.byteLength(text));
  bytes.write(text, isAscii ? 'latin1' : 'utf8');
  return bytes;
}
