// Runs tasks with the same key one after the other. Tasks with different keys run at the same time.

export interface Turns {
  take<Value>(key: string, task: () => Promise<Value>): Promise<Value>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, task) {
      const previous = last.get(key);
      const mine = (async () => {
        await previous?.catch(() => {});
        return task();
      })();
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
