// What is tried again, and for how long: a read whose connection was lost, and a write while another process writes.
// An import holds the database for as long as its file takes, in one transaction, so whoever meets one waits longer than for any
// other write, and is told what they waited for.

import { ConnectionLost, ImportRunning } from './engine.ts';

/** Whoever reads waits no longer than this for a connection that holds. */
const LONGEST_MS = 3000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

interface AgainOptions {
  readonly limitMs?: number;
  /** Whether it can be read again from the beginning. */
  readonly mayRepeat?: () => boolean;
}

/**
 * Reads again, from the beginning, when the connection was ended in the middle. The pauses grow: a proxy that has no server
 * ends all connections at once.
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
  /** For any write but an import. */
  readonly usualMs: number;
  /** For an import, counted from the moment at which the write was asked for. */
  readonly importMs: number;
}

export const WRITE_PATIENCE: WritePatience = Object.freeze({ usualMs: 5000, importMs: 60_000 });

export interface AwaitedTurn<Begun> {
  /** On the clock of `performance.now()`. Other writes of the same process may have come first. */
  readonly askedAt: number;
  readonly patience: WritePatience;
  /** Begins a transaction, and gives up after `waitMs` where another process writes. */
  readonly begin: (waitMs: number) => Promise<Begun>;
  /** Whether `begin` gave up because another process writes. */
  readonly isBusy: (error: unknown) => boolean;
  readonly isImportRunning: () => boolean | Promise<boolean>;
  /** Whether the process is about to end: then nobody waits for an import. */
  readonly isStopping: () => boolean;
}

export async function awaitTurn<Begun>(turn: AwaitedTurn<Begun>): Promise<Begun> {
  const { askedAt, patience, begin, isBusy, isImportRunning, isStopping } = turn;
  const latest = askedAt + Math.max(patience.importMs, patience.usualMs);
  // Looked at more often than patience runs out: whoever has waited for an import that has just ended gets time to get in.
  const lookAfterMs = patience.usualMs / 2;
  let patientUntil = performance.now() + patience.usualMs;
  // A write that was asked for too long ago looks once without waiting: if an import is running, it is refused at once.
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
      // Only an import is waited for until `latest`: bounded by that, a write that meets another would look without a pause.
      lookAt = isImport ? Math.min(patientUntil, latest) : patientUntil;
    }
  }
}
