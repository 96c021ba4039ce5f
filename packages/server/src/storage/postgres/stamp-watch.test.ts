import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StampWatch } from './stamp-watch.ts';

function createWatch(freshnessMs = 60_000): StampWatch {
  return new StampWatch('postgres://127.0.0.1:1/none', { freshnessMs });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a watch', () => {
  test('treats the highest stamp as the newest, whatever order the responses arrive in', () => {
    const watch = createWatch();
    const asked = performance.now();
    watch.note(20, asked);
    watch.note(10, asked);
    expect(watch.peek()).toBe(20);
    watch.note(30, asked);
    expect(watch.peek()).toBe(30);
  });

  test('accepts an earlier stamp from a server that was, for example, restored from a backup', () => {
    const watch = createWatch();
    watch.note(20, performance.now());
    const later = performance.now() + 1;
    watch.note(10, later);
    expect(watch.peek()).toBe(10);
  });

  test('measures the age of a stamp from the time of the query, not of the response', () => {
    const watch = createWatch(1000);
    watch.note(20, performance.now() - 1000);
    expect([watch.peek(), watch.newest, watch.ageMs]).toEqual([undefined, 20, 1000]);
    watch.note(20, performance.now() - 500);
    expect([watch.peek(), watch.ageMs]).toEqual([20, 500]);
  });

  test('reports no stamp before the first response', () => {
    const watch = createWatch();
    expect([watch.peek(), watch.newest, watch.ageMs]).toEqual([undefined, undefined, undefined]);
  });
});
