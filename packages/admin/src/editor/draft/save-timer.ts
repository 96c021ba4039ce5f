// When a text is saved. Every save is a version that stays: pauses make few of them, and what is kept in the browser needs
// no hurry. What failed is tried again, at growing distances.

const PAUSE_MS = 1_500;
const LONGEST_MS = 20_000;
const FIRST_RETRY_MS = 4_000;
const LAST_RETRY_MS = 64_000;

export interface SaveTimer {
  /** After a pause in the writing, or at the latest when nobody pauses. */
  waitForPause(): void;
  runSoon(): void;
  /** @param failures how often it has failed in a row */
  tryAgain(failures: number): void;
  stop(): void;
}

export function createSaveTimer(save: () => void): SaveTimer {
  let next: ReturnType<typeof setTimeout> | undefined;
  let longest: ReturnType<typeof setTimeout> | undefined;
  const setNext = (ms: number): void => {
    clearTimeout(next);
    next = setTimeout(save, ms);
  };
  return {
    waitForPause() {
      setNext(PAUSE_MS);
      longest ??= setTimeout(save, LONGEST_MS);
    },
    runSoon: () => setNext(0),
    tryAgain: (failures) => setNext(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)),
    stop() {
      clearTimeout(next);
      clearTimeout(longest);
      longest = undefined;
    },
  };
}
