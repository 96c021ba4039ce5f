import { describe, expect, test } from 'vitest';
import { runInTurn } from './run-in-turn.ts';

async function run(count: number, call: (item: number) => Promise<number>, stopper = new AbortController()) {
  const done: number[] = [];
  const failed: string[] = [];
  await runInTurn({
    items: Array.from({ length: count }, (_, index) => index),
    call,
    onDone: (item) => done.push(item),
    onFailed: (item, error) => failed.push(`${item}: ${error.message}`),
    signal: stopper.signal,
  });
  return { done, failed };
}

describe('runInTurn', () => {
  test('makes all calls, four at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { done, failed } = await run(20, async (item) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return item;
    });
    expect(done.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect([failed, most]).toEqual([[], 4]);
  });

  test('continues after a call that fails', async () => {
    const { done, failed } = await run(6, async (item) => {
      if (item === 2) throw new Error('no');
      return item;
    });
    expect(done).toHaveLength(5);
    expect(failed).toEqual(['2: no']);
  });

  test('when stopped, finishes the calls in progress and starts no others', async () => {
    const stopper = new AbortController();
    const { done } = await run(
      50,
      async (item) => {
        if (item === 5) stopper.abort();
        return item;
      },
      stopper,
    );
    expect(done).toContain(5);
    expect(done.length).toBeLessThan(12);
  });
});
