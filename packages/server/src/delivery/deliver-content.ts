// Delivers a content object, published or as a preview, to a caller whose permissions have already been checked.

import { type AnswerRoom, WHOLE_ROOM } from '../content/answer-limit.ts';
import { isId } from '../content/ids.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import { buildCatalogMemo, type DeliveryReads, type Reading } from '../storage/delivery-reads.ts';
import { selectCatalog } from '../storage/sites/select-catalog.ts';
import type { Procedure } from '../storage/statement.ts';
import { answerTooLarge, renderAnswer } from './render-answer.ts';

type Body = Readonly<Record<string, unknown>>;

export interface DeliveredContent {
  /** Null if the object is not visible to readers. */
  readonly published: Body | null;
  readonly preview: Body | null;
}

/** Returns undefined if the response is too large for this thread; another thread may be able to build it. */
export function* deliverContent(
  reads: DeliveryReads,
  siteNo: number,
  id: string,
  baseUrl: string,
  room: AnswerRoom,
): Procedure<DeliveredContent | undefined> {
  const loaded = yield* selectCatalog(siteNo);
  if (loaded === undefined) throw new Error(`Site number ${siteNo} has no catalog`);
  const memo = buildCatalogMemo(loaded.catalog, loaded.version);
  // These responses are not cached, so they need no generation in their cache key.
  const reading = { memo, generation: 0, version: memo.version, room, sharedId: null };
  const published = yield* readBody(reads, { id, baseUrl }, { ...reading, audience: 'public' });
  const preview =
    published === undefined ? undefined : yield* readBody(reads, { id, baseUrl }, { ...reading, audience: 'preview' });
  return published === undefined || preview === undefined ? undefined : { published, preview };
}

interface WantedBody {
  readonly id: string;
  readonly baseUrl: string;
}

function* readBody(
  reads: DeliveryReads,
  { id, baseUrl }: WantedBody,
  reading: Reading,
): Procedure<Body | null | undefined> {
  if (!isId(id)) return null;
  const found = yield* reads.select({ kind: 'object', id, languages: null, reading, key: undefined, baseUrl });
  const answer = renderAnswer(found, { isEmptySlugNotFound: false });
  if (answer.ok) return JSON.parse(answer.value.body);
  if (answer.problem === PROBLEMS.contentNotFound) return null;
  if (!('oversized' in answer.problem)) throw new ProblemError(answer.problem);
  if (reading.room === WHOLE_ROOM) throw new ProblemError(answerTooLarge(answer.problem));
  return undefined;
}
