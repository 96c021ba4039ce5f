import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ImportRunning } from './engine.ts';
import { awaitTurn } from './retry.ts';

const BUSY = new Error('busy');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Simulates another process that keeps writing. Like SQLite, `begin` gives up immediately if `waitMs` is 0. */
async function meet(isImportRunning: () => boolean) {
  const waits: number[] = [];
  const error = await awaitTurn({
    askedAt: performance.now() - 1000,
    isImportRunning,
    patience: { usualMs: 40, importMs: 100 },
    begin: async (waitMs) => {
      waits.push(waitMs);
      vi.advanceTimersByTime(waitMs);
      throw BUSY;
    },
    isBusy: (thrown) => thrown === BUSY,
    isStopping: () => false,
  }).catch((thrown: unknown) => thrown);
  return { waits, error };
}

describe('a write that has already waited for an import for longer than allowed', () => {
  test('waits for another write without retrying in a tight loop', async () => {
    expect(await meet(() => false)).toEqual({ waits: [0, 20, 20], error: BUSY });
  });

  test('is refused immediately while an import is running', async () => {
    const { waits, error } = await meet(() => true);
    expect(error).toBeInstanceOf(ImportRunning);
    expect(waits).toEqual([0]);
  });
});
