// Reads and renders pages of changes. Readers that wait for the same change share a page, so thousands of readers need
// only one read. Everything is read from the primary, because a replica may not yet have a position that another node
// has returned.

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { SHARED_ROOM } from '../../content/answer-limit.ts';
import { fail, ok, type Result } from '../../content/result.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../../http/problems.ts';
import type { UnreadAnswers } from '../../http/unread-answers.ts';
import { readWhile } from '../../http/wait-for-turn.ts';
import { type ChangePosition, encodePosition } from '../../listing/change-position.ts';
import { type ChangeQuery, findTypeFault } from '../../listing/change-query.ts';
import type { DeliveryReads, Visit } from '../../storage/delivery-reads.ts';
import type { DamagedContent } from '../../storage/lists/content-rows.ts';
import type { Procedure } from '../../storage/statement.ts';
import { checkVisit, openReading } from '../caller.ts';
import type { DeliveryRequest } from '../delivery-request.ts';
import type { MakingTime } from '../making-time.ts';
import { ReaderChecks } from './admit-reader.ts';
import { type RenderedPage, renderChanges } from './render-changes.ts';
import { type FilledPage, selectChangePage } from './select-change-page.ts';

export interface SharedPage extends RenderedPage {
  readonly next: ChangePosition;
  readonly hasMore: boolean;
  /** Whether the page contains anything new for the reader: changes, or the end of a full sync. */
  readonly hasNews: boolean;
  /** The stamp as it was before the page was read. */
  readonly stamp: number | undefined;
}

export interface PageParts {
  readonly reads: Pick<DeliveryReads, 'peekStamp' | 'recallVisit' | 'readVisit' | 'readNewest' | 'selectContents'>;
  readonly unread: UnreadAnswers;
  readonly making: MakingTime;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

export type PageRequest = Pick<DeliveryRequest, 'token' | 'siteId' | 'baseUrl' | 'response'>;

/** `alone` for a new request, which must see every earlier write; `shared` for a reader that has been woken. */
export type PageUse = 'alone' | 'shared';

/** A page, or the problem that all readers get; undefined if the read failed only for the reader that asked for the page. */
type Outcome = Result<SharedPage, Problem> | undefined;

/** A page that is being read for several readers. */
interface SharedRead {
  readonly outcome: Promise<Outcome>;
  /** While the stamp is unknown, readers with the same key share a check, which begins after the page has been read. */
  readonly checks: Map<string, Promise<Result<unknown, Problem>>>;
}

const MOST_BYTES_KEPT = 8 * 1024 * 1024;

export class SharedPages {
  readonly #parts: PageParts;
  readonly checks: ReaderChecks;
  readonly #reading = new Map<string, SharedRead>();
  readonly #recent = new LRUCache<string, SharedPage>({
    maxSize: MOST_BYTES_KEPT,
    sizeCalculation: ({ event }) => event.length,
  });

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.checks = new ReaderChecks(parts);
  }

  async read(request: PageRequest, query: ChangeQuery, use: PageUse): Promise<Result<SharedPage, Problem>> {
    const { response } = request;
    const { unread, reads } = this.#parts;
    if (unread.isOverfull() && !(await readWhile(response, unread.waitForRoom(response))))
      return fail(PROBLEMS.serviceUnavailable);
    const stamp = reads.peekStamp();
    if (use === 'alone') return this.#readFor(request, query, stamp);
    // A page is valid as long as nothing is written. While the stamp is unknown, readers share only a page that is being read. That page
    // may lack the latest change; if so, they are woken again.
    const key = `${stamp ?? 'unknown'}\n${describe(request, query)}`;
    for (;;) {
      const recent = stamp === undefined ? undefined : this.#recent.get(key);
      if (recent !== undefined) return this.#give(request, ok(recent), undefined);
      const reading = this.#reading.get(key);
      // If the read failed, only one of the waiting readers tries again.
      if (reading === undefined) return this.#lead(request, query, stamp, key);
      const outcome = await reading.outcome;
      if (outcome !== undefined) return this.#give(request, outcome, stamp === undefined ? reading.checks : undefined);
    }
  }

  /** The key may have been revoked before the change that the page shows. */
  async #give(
    request: PageRequest,
    found: Result<SharedPage, Problem>,
    checks: SharedRead['checks'] | undefined,
  ): Promise<Result<SharedPage, Problem>> {
    const name = `${request.token} ${request.siteId}`;
    const check = checks?.get(name) ?? this.checks.check(request);
    checks?.set(name, Promise.resolve(check));
    const reader = await check;
    return reader.ok ? found : reader;
  }

  /** Reads a page for this reader, and for all others that ask for the same page in the meantime. */
  async #lead(
    request: PageRequest,
    query: ChangeQuery,
    stamp: number | undefined,
    key: string,
  ): Promise<Result<SharedPage, Problem>> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#reading.set(key, { outcome: promise, checks: new Map() });
    let outcome: Outcome;
    try {
      const found = await this.#readFor(request, query, stamp);
      if (found.ok && stamp !== undefined) this.#recent.set(key, found.value);
      if (found.ok || isForAll(found.problem)) outcome = found;
      return found;
    } finally {
      this.#reading.delete(key);
      resolve(outcome);
    }
  }

  #readFor(
    request: PageRequest,
    query: ChangeQuery,
    stamp: number | undefined,
  ): Result<SharedPage, Problem> | Promise<Result<SharedPage, Problem>> {
    const { reads, making } = this.#parts;
    const read = async (): Promise<Result<SharedPage, Problem>> => {
      const found = await reads.readNewest(request, (visit) => this.#select(visit, request, query));
      return found.ok ? ok(share(found.value, stamp)) : found;
    };
    return making.hasTime() ? read() : readWhile(request.response, making.wait(request.token, read));
  }

  *#select(
    visit: Visit | undefined,
    { siteId, baseUrl }: PageRequest,
    { since, types, limit, hasContent }: ChangeQuery,
  ): Procedure<Result<FilledPage, Problem>> {
    const { reads, now, log } = this.#parts;
    const noteDamage = ({ contentId, message }: DamagedContent): void => log.error({ content: contentId }, message);
    const caller = checkVisit(visit, siteId, now());
    if (!caller.ok) return caller;
    const reading = openReading(caller.value, 'public', SHARED_ROOM);
    const page = yield* selectChangePage(reads, reading, { since, types, limit, hasContent, baseUrl, noteDamage });
    if (page === undefined) return fail(PROBLEMS.changesGone);
    const isUpToDate = page.changes.length === 0 && !page.hasMore;
    const typeFault = findTypeFault({ since, types }, reading.memo.catalog, isUpToDate);
    return typeFault === undefined ? ok(page) : fail(invalidParameter(typeFault));
  }
}

/** Whether the problem affects every reader of the page, regardless of the key. */
function isForAll(problem: Problem): boolean {
  return problem === PROBLEMS.changesGone || problem.code === invalidParameter('').code;
}

function share(page: FilledPage, stamp: number | undefined): SharedPage {
  const { changes, next, hasMore, endsSync } = page;
  return { ...renderChanges(page), next, hasMore, hasNews: changes.length > 0 || endsSync, stamp };
}

/** Everything that a page depends on, except the state of the database. No part can contain a line break. */
function describe({ siteId, baseUrl }: PageRequest, { since, types, limit, hasContent }: ChangeQuery): string {
  const position = since === null ? '' : encodePosition(since);
  const handles = types === null ? '*' : JSON.stringify([...types].sort());
  return [siteId, position, limit, handles, hasContent ? baseUrl : ''].join('\n');
}
