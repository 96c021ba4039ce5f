import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ImportRunning } from './engine.ts';
import { awaitTurn } from './retry.ts';

const BUSY = new Error('busy');

/** Simulates another process that keeps writing. Like SQLite, `begin` gives up immediately if `waitMs` is 0. */
async function meet(isImportRunning: () => boolean) {
  const waits: number[] = [];
  const error = await awaitTurn({
    askedAt: performance.now() - 1000,
    isImportRunning,
    patience: { usualMs: 40, importMs: 100 },
    begin: async (waitMs) => {
      waits.push(waitMs);
      if (waitMs > 0) await setTimeout(waitMs);
      throw BUSY;
    },
    isBusy: (thrown) => thrown === BUSY,
    isStopping: () => false,
  }).catch((thrown: unknown) => thrown);
  return { waits, error };
}

describe('a write that has already waited for an import for longer than allowed', () => {
  test('waits for another write without retrying in a tight loop', async () => {
    const start = performance.now();
    const { waits, error } = await meet(() => false);
    expect(error).toBe(BUSY);
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
    expect(waits.length).toBeLessThan(20);
    // The first attempt does not wait, and the last one may have no time left.
    expect(waits[0]).toBe(0);
    expect(waits.slice(1, -1)).not.toContain(0);
  });

  test('is refused immediately while an import is running', async () => {
    const { waits, error } = await meet(() => true);
    expect(error).toBeInstanceOf(ImportRunning);
    expect(waits).toEqual([0]);
  });
});
