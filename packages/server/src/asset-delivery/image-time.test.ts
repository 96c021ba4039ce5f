import { describe, expect, test } from 'vitest';
import { ImageTime } from './image-time.ts';

function start(mostSeconds: number) {
  const clock = { ms: 1000 };
  return { clock, time: new ImageTime({ mostSeconds, now: () => clock.ms }) };
}

describe('a client’s image time', () => {
  test('can be used all at once, and is restored over three minutes', () => {
    const { clock, time } = start(60);
    expect(time.readWait('a')).toBe(0);
    for (const _ of [1, 2, 3]) time.note('a', 20_000);
    expect(time.readWait('a')).toBe(0);
    time.note('a', 1000);
    expect(time.readWait('a')).toBe(3);
    expect(time.readWait('b')).toBe(0);
    clock.ms += 2999;
    expect(time.readWait('a')).toBe(1);
    clock.ms += 1;
    expect(time.readWait('a')).toBe(0);
    clock.ms += 180_000;
    time.note('a', 60_000);
    expect(time.readWait('a')).toBe(0);
  });

  test('can be exceeded, but the client then waits longer', () => {
    const { clock, time } = start(60);
    time.note('a', 60_000);
    time.note('a', 20_000);
    expect(time.readWait('a')).toBe(60);
    clock.ms += 30_000;
    expect(time.readWait('a')).toBe(30);
  });

  test('is unlimited if the limit is 0', () => {
    const { time } = start(0);
    time.note('a', 1e9);
    expect(time.readWait('a')).toBe(0);
  });
});
