// Measures how long a thread keeps others waiting.

/** The thread's longest stretch of uninterrupted work, measured in CPU time, which other load on the machine does not affect. */
export function watchTurns(): { stop(): number } {
  let isOn = true;
  let longest = 0;
  let last = process.threadCpuUsage();
  const measure = (): void => {
    const { user, system } = process.threadCpuUsage();
    longest = Math.max(longest, user + system - last.user - last.system);
    last = { user, system };
  };
  const turn = (): void => {
    measure();
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      isOn = false;
      // The response may arrive before the next turn begins.
      measure();
      return longest / 1000;
    },
  };
}
