// Retries a read whose connection was lost, and a write while another process is writing. An import locks the database in a single
// transaction until its whole file is written. Other writes therefore wait longer for an import than for each other, and their errors say
// that an import is running.

import { ConnectionLost, ImportRunning } from './engine.ts';

/** The maximum time that a read waits for a working connection. */
const LONGEST_MS = 3000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

interface AgainOptions {
  readonly limitMs?: number;
  /** Whether the read can be restarted from the beginning. */
  readonly mayRepeat?: () => boolean;
}

/**
 * Restarts a read from the beginning if its connection was closed before it ended. The pauses grow, because a proxy without a server
 * closes every connection immediately.
 */
export async function againIfLost<Outcome>(
  read: () => Promise<Outcome>,
  { limitMs = LONGEST_MS, mayRepeat = () => true }: AgainOptions = {},
): Promise<Outcome> {
  const endsAt = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await read();
    } catch (error) {
      const isLost = error instanceof ConnectionLost;
      if (!isLost || !mayRepeat() || performance.now() + pauseMs >= endsAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export interface WritePatience {
  /** The maximum wait for any write other than an import. */
  readonly usualMs: number;
  /** The maximum wait for an import, counted from the time when the write was requested. */
  readonly importMs: number;
}

export const WRITE_PATIENCE: WritePatience = Object.freeze({ usualMs: 5000, importMs: 60_000 });

export interface AwaitedTurn<Begun> {
  /** When the write was requested, as a `performance.now()` time. Other writes by the same process may run first. */
  readonly askedAt: number;
  readonly patience: WritePatience;
  /** Begins a transaction, and gives up if another process is still writing after `waitMs`. */
  readonly begin: (waitMs: number) => Promise<Begun>;
  /** Whether `begin` gave up because another process is writing. */
  readonly isBusy: (error: unknown) => boolean;
  readonly isImportRunning: () => boolean | Promise<boolean>;
  /** Whether the process is about to stop. If so, writes do not wait for an import. */
  readonly isStopping: () => boolean;
}

export async function awaitTurn<Begun>(turn: AwaitedTurn<Begun>): Promise<Begun> {
  const { askedAt, patience, begin, isBusy, isImportRunning, isStopping } = turn;
  const latest = askedAt + Math.max(patience.importMs, patience.usualMs);
  // Half the usual wait: a write that has waited for an import needs time to begin after the import ends.
  const lookAfterMs = patience.usualMs / 2;
  let patientUntil = performance.now() + patience.usualMs;
  // A write that was requested too long ago is tried once, without waiting. If an import is running, the write is refused immediately.
  let lookAt = Math.min(patientUntil, latest);
  let wasImport = false;
  for (;;) {
    try {
      return await begin(Math.max(0, Math.min(lookAfterMs, lookAt - performance.now())));
    } catch (error) {
      if (!isBusy(error)) throw error;
      const isImport = await isImportRunning();
      const now = performance.now();
      if (isImport && (isStopping() || now >= latest)) {
        throw new ImportRunning('An import is running', { cause: error });
      }
      if (isImport || wasImport) patientUntil = now + patience.usualMs;
      else if (now >= patientUntil) throw error;
      wasImport = isImport;
      // `latest` limits only the wait for an import. If it also limited other waits, a write that collides with another one would retry
      // without a pause.
      lookAt = isImport ? Math.min(patientUntil, latest) : patientUntil;
    }
  }
}
