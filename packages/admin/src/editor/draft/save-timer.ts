// When to save: after a pause, and while changes go on and on, every now and then.

const LONGEST_MS = 20_000;

export interface SaveTimer {
  /** @param ms from now; what was set before is put off */
  readonly set: (ms: number) => void;
  readonly clear: () => void;
}

export function openSaveTimer(save: () => void): SaveTimer {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let longest: ReturnType<typeof setTimeout> | undefined;
  return {
    set(ms) {
      clearTimeout(pause);
      pause = setTimeout(save, ms);
      longest ??= setTimeout(save, LONGEST_MS);
    },
    clear() {
      clearTimeout(pause);
      clearTimeout(longest);
      longest = undefined;
    },
  };
}
