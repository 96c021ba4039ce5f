import { expect, test } from 'vitest';
import { chooseSpeed, Pace } from './pace.ts';

function pause(spentMs: number, isPublishing: boolean, lagMs = 0): number {
  const pace = new Pace();
  pace.spend(spentMs);
  return pace.pause({ isPublishing, lagMs });
}

test('pauses longer while people are publishing, unless the sender has fallen behind', () => {
  expect(pause(40, false)).toBe(40);
  expect(pause(40, true)).toBe(600);
  expect(pause(40, true, 20_000)).toBe(200);
  expect(pause(40, true, 70_000)).toBe(40);
});

test('pauses at least 20 ms and at most a second, and counts only the work since the last pause', () => {
  expect(pause(1, false)).toBe(20);
  expect(pause(500, true)).toBe(1000);
  const pace = new Pace();
  pace.spend(500);
  pace.pause({ isPublishing: false, lagMs: 0 });
  expect(pace.pause({ isPublishing: false, lagMs: 0 })).toBe(20);
});

test('creates and sends only a few calls at a time while people publish, so that publishing never waits for many calls', () => {
  expect(chooseSpeed({ isPublishing: true, lagMs: 0 }).calls).toBe(20);
  expect(chooseSpeed({ isPublishing: true, lagMs: 20_000 }).calls).toBe(40);
  expect(chooseSpeed({ isPublishing: false, lagMs: 20_000 }).calls).toBe(200);
});
