// Deletes rows of the change log that are older than the setting allows, in short transactions. Rows that a webhook still needs are kept.

import type { Logger } from 'pino';
import { DAY_MS } from '../content/timestamp.ts';
import { deleteOldChanges, selectSiteWithOldChanges } from '../storage/publication/forget-changes.ts';
import type { Storage } from '../storage/storage.ts';

export interface ChangeSweepParts {
  readonly storage: Storage;
  readonly log: Logger;
  readonly now: () => number;
  readonly keepDays: number;
  readonly firstAfterMs?: number | undefined;
}

const HOUR_MS = 60 * 60_000;
/** The service has more important things to do right after it has started. */
const FIRST_AFTER_MS = 60_000;

/** Sweeps soon after the service starts, then every hour. Several nodes may do so at the same time. */
export class ChangeSweep {
  readonly #parts: ChangeSweepParts;
  readonly #timers: readonly NodeJS.Timeout[];
  #isClosed = false;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: ChangeSweepParts) {
    this.#parts = parts;
    const sweep = (): void => {
      this.#working = this.#working.then(() => this.#sweep());
    };
    this.#timers = [
      setTimeout(sweep, parts.firstAfterMs ?? FIRST_AFTER_MS).unref(),
      setInterval(sweep, HOUR_MS).unref(),
    ];
  }

  /** Resolves once nothing is running. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    return this.#working;
  }

  async #sweep(): Promise<void> {
    const { storage, log, now, keepDays } = this.#parts;
    try {
      await sweepChanges({ storage, before: now() - keepDays * DAY_MS, isStopped: () => this.#isClosed });
    } catch (error) {
      log.warn({ err: error }, 'old changes could not be deleted; the next sweep will try again');
    }
  }
}

interface ChangeSweepOptions {
  readonly storage: Storage;
  readonly before: number;
  readonly isStopped?: () => boolean;
}

export async function sweepChanges({ storage, before, isStopped = () => false }: ChangeSweepOptions): Promise<void> {
  let after = 0;
  while (!isStopped()) {
    const siteNo = await storage.read(selectSiteWithOldChanges(after, before));
    if (siteNo === undefined) return;
    const isDone = !(await storage.transaction((transaction) => transaction.run(deleteOldChanges(siteNo, before))));
    if (isDone) after = siteNo;
  }
}
