// Runs work on separate threads if it would block other requests for too long:
// - handling management API calls that save a large body or change large content, which parses, typesets and hashes megabytes;
// - building large delivery API responses, which takes up to a second, measuring content with many assets and links, and handling large
//   management API calls that save nothing, such as those that render a preview while somebody types;
// - cleaning HTML that is longer than a few paragraphs.
// Each kind has its own thread, so none delays the others. A thread runs one job at a time, to limit memory. Callers take turns.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { nameCaller } from '../authoring/actor.ts';
import type { Result } from '../content/result.ts';
import type { LargeAnswer, LargeAnswers, LargeRequest } from '../delivery/make-large-answer.ts';
import type { Problem } from '../http/problems.ts';
import type { AdmittedCall, ServedBytes } from '../management/answer-call.ts';
import type { LargeCallOptions } from '../management/register-management.ts';
import type { LargeShow } from '../storage/contents/find-too-large.ts';
import { OutcomeUnknown } from '../storage/engine.ts';
import { FairTurns } from '../storage/fair-turns.ts';
import type { DatabaseAddress, Storage } from '../storage/storage.ts';
import { ThreadEnded, ThreadFailed, WorkThread } from '../storage/work-thread.ts';
import { type FailureMessage, rebuildFailure } from './failure-message.ts';

const PROGRAM = locate('large-work-thread');
const CLEANING_PROGRAM = locate('cleaning-thread');
/**
 * Far more than a job needs, because a thread that runs out of memory may crash the process. Text takes up to two bytes per character,
 * and the largest response is in memory twice: as rows and as joined text. The thread frees its memory after each job.
 */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };
const CLEANING_MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** Each waiting call keeps its body in memory. While an import is running, a save waits for up to a minute. */
const TURNS_OF_SAVES = { atOnce: 1, atOnceOfOne: 1, waiting: 24, waitingOfOne: 8, longestMs: 75_000 };
const TURNS_OF_ANSWERS = { atOnce: 1, atOnceOfOne: 1, waiting: 500, waitingOfOne: 100, longestMs: 30_000 };
/**
 * Cleaning the longest allowed text takes about a second, or six seconds if the text is malicious. Each waiting text value keeps its
 * request body in memory.
 */
const TURNS_OF_TEXTS = { atOnce: 1, atOnceOfOne: 1, waiting: 100, waitingOfOne: 20, longestMs: 30_000 };

const MOST_CHARACTERS_CLEANED = 2 * 1024 * 1024;

export interface LargeWorkTask {
  readonly databaseUrl: DatabaseAddress;
  readonly isEmptySlugNotFound: boolean;
  readonly cursorKey: Uint8Array;
  readonly headerPrefix: string;
}

export type LargeJob =
  | { readonly kind: 'call'; readonly call: AdmittedCall; readonly isStopping: boolean }
  | { readonly kind: 'answer'; readonly request: LargeRequest }
  | { readonly kind: 'show'; readonly show: LargeShow };

/** The bytes are transferred between threads without being copied. */
export type LargeOutcome =
  | { readonly kind: 'served'; readonly served: ServedBytes; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: 'made'; readonly made: Result<Omit<LargeAnswer, 'body'> & { readonly body: Uint8Array }, Problem> }
  | { readonly kind: 'measured'; readonly isTooLarge: boolean }
  | { readonly kind: 'failed'; readonly failure: FailureMessage };

export class LargeWork implements LargeAnswers {
  readonly #storage: Storage;
  readonly #saves: WorkThread<LargeJob, LargeOutcome>;
  readonly #answers: WorkThread<LargeJob, LargeOutcome>;
  readonly #texts = new WorkThread<string, string | undefined>(
    () => new Worker(CLEANING_PROGRAM, { resourceLimits: CLEANING_MEMORY }),
  );
  /** While somebody types, every rendering and every save contains the same text again, except for one value. */
  readonly #cleaned = new LRUCache<string, string>({
    maxSize: MOST_CHARACTERS_CLEANED,
    sizeCalculation: (cleaned, text) => cleaned.length + text.length,
  });
  readonly #turnsOfSaves = new FairTurns(TURNS_OF_SAVES);
  readonly #turnsOfAnswers = new FairTurns(TURNS_OF_ANSWERS);
  readonly #turnsOfTexts = new FairTurns(TURNS_OF_TEXTS);

  constructor(storage: Storage, rules: Omit<LargeWorkTask, 'databaseUrl'>) {
    const workerData: LargeWorkTask = { databaseUrl: storage.address, ...rules };
    this.#storage = storage;
    const start = (): Worker => new Worker(PROGRAM, { workerData, resourceLimits: MEMORY });
    this.#saves = new WorkThread(start);
    this.#answers = new WorkThread(start);
    storage.stopping.addEventListener('abort', () => this.#saves.stopWaiting());
  }

  /** Handles a call, like `answerCall`. Rejects with `TookTooLong` if too many calls are waiting, in total or from this caller. */
  answerCall(call: AdmittedCall, { setHeader, admitAgain }: LargeCallOptions): Promise<ServedBytes> {
    const turns = call.isRead ? this.#turnsOfAnswers : this.#turnsOfSaves;
    return takeTurn(turns, call.actor === undefined ? '' : nameCaller(call.actor), async () => {
      await admitAgain();
      const asking = this.#serve(call);
      const { served, headers } = await (call.isRead ? asking : this.#storage.followElsewhere(asking));
      for (const [name, value] of headers) setHeader(name, value);
      return served;
    });
  }

  async #serve(call: AdmittedCall): Promise<LargeOutcome & { readonly kind: 'served' }> {
    const isStopping = this.#storage.stopping.aborted;
    const job = { kind: 'call', call, isStopping } as const;
    const thread = call.isRead ? this.#answers : this.#saves;
    const outcome = await thread.do(job, { handedOver: listOwnMemory(call.body) }).catch((error: unknown) => {
      const mayBeDone = error instanceof ThreadFailed || error instanceof ThreadEnded;
      if (call.isRead || !mayBeDone) throw error;
      throw new OutcomeUnknown('The thread for large saves failed, possibly after saving something', {
        cause: error.cause,
      });
    });
    return expectKind(outcome, 'served');
  }

  inTurn<Outcome>(caller: string, work: () => Promise<Outcome>): Promise<Outcome> {
    return takeTurn(this.#turnsOfAnswers, caller, work);
  }

  async make(request: LargeRequest): Promise<Result<LargeAnswer, Problem>> {
    const { made } = expectKind(await this.#answers.do({ kind: 'answer', request }), 'made');
    if (!made.ok) return made;
    const { buffer, byteOffset, byteLength } = made.value.body;
    return { ok: true, value: { ...made.value, body: Buffer.from(buffer, byteOffset, byteLength) } };
  }

  /**
   * Checks whether content is too large for a response. Rejects with `TookTooLong` if too many jobs are waiting, in total or from this
   * caller.
   */
  measureShow(show: LargeShow, caller: string): Promise<boolean> {
    return takeTurn(this.#turnsOfAnswers, caller, async () => {
      return expectKind(await this.#answers.do({ kind: 'show', show }), 'measured').isTooLarge;
    });
  }

  /** Rejects with `TookTooLong` if too many jobs are waiting, in total or from this caller. */
  async cleanText(text: string, caller: string): Promise<string | undefined> {
    const known = this.#cleaned.get(text);
    if (known !== undefined) return known;
    const cleaned = await takeTurn(this.#turnsOfTexts, caller, () => this.#texts.do(text));
    if (cleaned !== undefined) this.#cleaned.set(text, cleaned);
    return cleaned;
  }

  async close(): Promise<void> {
    await Promise.all([this.#saves.close(), this.#answers.abandon(), this.#texts.abandon()]);
  }
}

function locate(program: string): string {
  return join(import.meta.dirname, `${program}${extname(import.meta.filename)}`);
}

/** Returns the underlying buffer. It can be transferred because nothing on this thread reads the body again. */
function listOwnMemory(bytes: Uint8Array | undefined): readonly ArrayBuffer[] {
  const memory = bytes?.buffer;
  return memory instanceof ArrayBuffer && memory.byteLength === bytes?.byteLength ? [memory] : [];
}

async function takeTurn<Outcome>(turns: FairTurns, caller: string, work: () => Promise<Outcome>): Promise<Outcome> {
  const turn = await turns.begin(caller);
  try {
    return await work();
  } finally {
    turns.end(turn);
  }
}

function expectKind<Kind extends LargeOutcome['kind']>(
  outcome: LargeOutcome,
  kind: Kind,
): LargeOutcome & { readonly kind: Kind } {
  if (outcome.kind === 'failed') throw rebuildFailure(outcome.failure);
  if (isOfKind(outcome, kind)) return outcome;
  throw new Error(`The thread returned ${outcome.kind} instead of ${kind}`);
}

function isOfKind<Kind extends LargeOutcome['kind']>(
  outcome: LargeOutcome,
  kind: Kind,
): outcome is LargeOutcome & { readonly kind: Kind } {
  return outcome.kind === kind;
}
