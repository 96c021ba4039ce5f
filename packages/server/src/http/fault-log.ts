// Logs database faults: the first one immediately, then at most once a minute with a count. Changes that may or may not have been saved
// are logged one by one, because someone has to check each of them.

import type { Logger } from 'pino';
import type { Obstacle, OutcomeUnknown, StorageFault } from '../storage/engine.ts';

export interface FaultLog {
  readonly note: (fault: StorageFault) => void;
  readonly noteOutcomeUnknown: (failure: OutcomeUnknown) => void;
  readonly noteHealed: () => void;
}

const LOG_EVERY_MS = 60_000;

/** Messages for the people who run the service. */
const SENTENCES: Readonly<Record<Obstacle, string>> = {
  full: 'The database disk is full. Nothing can be saved, but reading still works. Free up space on this disk; saving will then work again without a restart.',
  'read-only':
    'The database is read-only. Nothing can be saved, but reading still works. Check the permissions of its files, and whether the server is a replica or has default_transaction_read_only turned on. Once this is fixed, saving will work again without a restart.',
  failing:
    'The database files cannot be read or written. Check the disk, its quota and the operating system log, then run the doctor command.',
  thread:
    'A thread for expensive lists or large requests failed. Its requests get a 503 response; the next request will restart the thread. If it ran out of memory, the cause is probably a very large object, list or request.',
};

/** @param now the time in milliseconds, measured from any starting point */
export function createFaultLog(log: Logger, now = () => performance.now()): FaultLog {
  /** Several layers may report the same fault. */
  const seen = new WeakSet<StorageFault | OutcomeUnknown>();
  const met = new Map<Obstacle, { loggedAt: number; count: number }>();
  return {
    note(fault) {
      if (seen.has(fault)) return;
      seen.add(fault);
      const { obstacle } = fault;
      const entry = met.get(obstacle) ?? { loggedAt: Number.NEGATIVE_INFINITY, count: 0 };
      met.set(obstacle, entry);
      entry.count += 1;
      if (now() - entry.loggedAt < LOG_EVERY_MS) return;
      log.error({ obstacle, met: entry.count, err: fault }, SENTENCES[obstacle]);
      entry.loggedAt = now();
      entry.count = 0;
    },
    noteOutcomeUnknown(failure) {
      if (seen.has(failure)) return;
      seen.add(failure);
      log.error({ err: failure }, 'The database failed during a save. The change may or may not have been saved.');
    },
    noteHealed() {
      met.clear();
      log.info('The database can be written to again.');
    },
  };
}
