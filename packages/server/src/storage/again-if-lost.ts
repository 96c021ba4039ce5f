import { ConnectionLost } from './engine.ts';

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
