// Holds requests until their site's log grows. A single timer checks whether any process or node has written to the
// database. Only then is the end of each site's log read, once for all requests that wait for it, so changes to drafts
// or other sites wake no requests. The keys of the waiting requests are checked once a second.

import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogEnds } from '../../storage/changes/select-log-ends.ts';

/** A reader that has read its site's log to the end. */
export interface WatchedReader {
  readonly siteId: string;
  readonly token: string;
  /** The last row that the reader has seen. */
  readonly row: number;
  /** The stamp as it was before the log was last read. Every later write may have added a row. */
  readonly stamp: number | undefined;
}

export interface ChangeWatchParts {
  /** A number that changes with every write; undefined if it is currently unknown. */
  readonly peekStamp: () => number | undefined;
  readonly readLogEnds: (
    siteIds: readonly string[],
  ) => ReadonlyMap<string, LogEnds> | Promise<ReadonlyMap<string, LogEnds>>;
  /** Whether the reader's key may still read its site. */
  readonly isAdmitted: (reader: WatchedReader) => boolean | Promise<boolean>;
  /** Whether the service is stopping. If so, no request waits. */
  readonly isStopping: () => boolean;
  /** Called if the database cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

interface Waiting {
  readonly reader: WatchedReader;
  /** The reader's stamp, moved forward whenever the log has not grown. */
  stamp: number | undefined;
  readonly end: () => void;
}

const LOOK_EVERY_MS = 25;
/** How often to read the logs while the stamp is unknown. */
const LOOK_BLINDLY_EVERY_MS = 250;
const CHECK_KEYS_EVERY_MS = 1000;
const PAUSE_AFTER_FAILURE_MS = 1000;
/** After waking or checking this many requests, the watch lets other requests be served. */
const MOST_IN_A_TURN = 100;
/** Each check may read the database, so only a few run at the same time. */
const KEYS_AT_ONCE = 8;

export class ChangeWatch {
  readonly #parts: ChangeWatchParts;
  readonly #waitingBySite = new Map<string, Set<Waiting>>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #nextLookAt = 0;
  #nextKeyCheckAt = 0;

  constructor(parts: ChangeWatchParts) {
    this.#parts = parts;
  }

  /** Read this before you read the log, so that no write is missed. */
  get stamp(): number | undefined {
    return this.#parts.peekStamp();
  }

  /**
   * Resolves when the reader's log has grown, when its key is no longer allowed to read the site, when the client disconnects, or when the
   * service is stopping. Spurious wake-ups are possible.
   * @param waitMs the longest time to wait; without it, there is no limit
   */
  async wait(reader: WatchedReader, response: ServerResponse, waitMs?: number): Promise<void> {
    if (this.#parts.isStopping() || response.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { reader, stamp: reader.stamp, end: resolve };
    const timeout = waitMs === undefined ? undefined : setTimeout(resolve, waitMs);
    response.once('close', resolve);
    this.#add(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timeout);
      response.off('close', resolve);
      this.#remove(waiting);
    }
  }

  #add(waiting: Waiting): void {
    const { siteId } = waiting.reader;
    const known = this.#waitingBySite.get(siteId);
    if (known === undefined) this.#waitingBySite.set(siteId, new Set([waiting]));
    else known.add(waiting);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  #remove(waiting: Waiting): void {
    const { siteId } = waiting.reader;
    const known = this.#waitingBySite.get(siteId);
    known?.delete(waiting);
    if (known?.size === 0) this.#waitingBySite.delete(siteId);
    if (this.#waitingBySite.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = performance.now();
    if (this.#parts.isStopping()) {
      for (const waiting of this.#list()) waiting.end();
    } else if (!this.#isLooking && now >= this.#nextLookAt) {
      this.#isLooking = true;
      this.#lookAtLogsAndKeys(now)
        .catch((error: unknown) => {
          this.#nextLookAt = performance.now() + PAUSE_AFTER_FAILURE_MS;
          this.#parts.onFailure(error);
        })
        .finally(() => {
          this.#isLooking = false;
        });
    }
  }

  #list(): readonly Waiting[] {
    return [...this.#waitingBySite.values()].flatMap((all) => [...all]);
  }

  async #lookAtLogsAndKeys(now: number): Promise<void> {
    await this.#lookAtLogs(now);
    if (now < this.#nextKeyCheckAt) return;
    this.#nextKeyCheckAt = now + CHECK_KEYS_EVERY_MS;
    await this.#checkKeys();
  }

  async #lookAtLogs(now: number): Promise<void> {
    const { stamp } = this;
    if (stamp === undefined) this.#nextLookAt = now + LOOK_BLINDLY_EVERY_MS;
    const outdated = [...this.#waitingBySite].flatMap(([siteId, all]) => {
      const behind = [...all].filter((waiting) => stamp === undefined || waiting.stamp !== stamp);
      return behind.length === 0 ? [] : [{ siteId, behind }];
    });
    if (outdated.length === 0) return;
    const ends = await this.#parts.readLogEnds(outdated.map(({ siteId }) => siteId));
    const woken: Waiting[] = [];
    for (const { siteId, behind } of outdated) {
      const found = ends.get(siteId);
      for (const waiting of behind) {
        waiting.stamp = stamp;
        if (hasMoved(found, waiting.reader.row)) woken.push(waiting);
      }
    }
    await inTurns(woken, ({ end }) => end());
  }

  async #checkKeys(): Promise<void> {
    const byKey = Map.groupBy(this.#list(), ({ reader: { token, siteId } }) => `${token} ${siteId}`);
    const left = byKey.values();
    let count = 0;
    const checkNext = async (): Promise<void> => {
      for (const all of left) {
        count += 1;
        if (count % MOST_IN_A_TURN === 0) await nextTurn();
        const [first] = all;
        const isAdmitted = first === undefined || (await this.#parts.isAdmitted(first.reader));
        if (!isAdmitted) await inTurns(all, ({ end }) => end());
      }
    };
    await Promise.all(Array.from({ length: KEYS_AT_ONCE }, checkNext));
  }
}

/** Whether the log no longer ends at the row. Undefined means that the site is gone. */
function hasMoved(ends: LogEnds | undefined, row: number): boolean {
  return ends === undefined || ends.last !== row || ends.start > row;
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    work(item);
    count += 1;
    if (count % MOST_IN_A_TURN === 0) await nextTurn();
  }
}
