// Delivers a content object, published or as a preview, to a caller whose permissions have already been checked.

import { type AnswerRoom, WHOLE_ROOM } from '../content/answer-limit.ts';
import { decodeBody } from '../content/body.ts';
import { isId } from '../content/ids.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import type { DeliveryReads, Found } from '../storage/delivery-reads.ts';
import type { Procedure } from '../storage/statement.ts';
import { type Audience, VIEWS } from '../storage/views.ts';
import type { AskedObject } from './delivery-request.ts';
import { answerTooLarge, renderAnswer } from './render-answer.ts';

type Body = Readonly<Record<string, unknown>>;

interface Delivered {
  /** Null if the object is not visible to readers. */
  readonly published: Body | null;
  readonly preview: Body | null;
}

interface Wanted {
  readonly siteNo: number;
  readonly id: string;
  readonly baseUrl: string;
  /** Whether a preview has marks and a source map. */
  readonly isMarked: boolean;
}

/** The methods return undefined if the response is too large for this thread; another thread may be able to build it. */
export class ContentDelivery {
  readonly #reads: DeliveryReads;
  readonly #room: AnswerRoom;

  constructor(reads: DeliveryReads, room: AnswerRoom) {
    this.#reads = reads;
    this.#room = room;
  }

  *deliver(wanted: Wanted): Procedure<Delivered | undefined> {
    const published = yield* this.#readSaved(yield* this.#ask(wanted, 'public'));
    const preview = published === undefined ? undefined : yield* this.preview(wanted, null);
    return published === undefined || preview === undefined ? undefined : { published, preview };
  }

  /** @param body a typeset body to use instead of the saved one; null for the saved one */
  *preview(wanted: Wanted, body: string | null): Procedure<Body | null | undefined> {
    const asked = yield* this.#ask(wanted, 'preview');
    if (body === null) return yield* this.#readSaved(asked);
    return this.#render(yield* this.#reads.selectUnsaved(asked, { id: wanted.id, body: decodeBody(body) }));
  }

  *#ask({ siteNo, id, baseUrl, isMarked }: Wanted, audience: Audience): Procedure<AskedObject> {
    const memo = yield* this.#reads.openSite(siteNo);
    if (memo === undefined) throw new Error(`Site number ${siteNo} does not exist`);
    // These responses are not cached, so they need neither a generation nor a cache key.
    const { version } = memo;
    const reading = { memo, generation: 0, version, room: this.#room, view: VIEWS[audience], sharedId: null };
    return {
      kind: 'object',
      id,
      languages: null,
      reading,
      key: undefined,
      baseUrl,
      isMarked: isMarked && audience === 'preview',
    };
  }

  *#readSaved(asked: AskedObject): Procedure<Body | null | undefined> {
    return isId(asked.id) ? this.#render(yield* this.#reads.select(asked)) : null;
  }

  #render(found: Found<AskedObject>): Body | null | undefined {
    const answer = renderAnswer(found, { isEmptySlugNotFound: false });
    if (answer.ok) return JSON.parse(answer.value.body);
    if (answer.problem === PROBLEMS.contentNotFound) return null;
    if (!('oversized' in answer.problem)) throw new ProblemError(answer.problem);
    if (this.#room === WHOLE_ROOM) throw new ProblemError(answerTooLarge(answer.problem));
    return undefined;
  }
}
