import { describe, expect, test } from 'vitest';
import { encodePosition } from '../listing/change-position.ts';
import { Backlog } from './backlog.ts';
import { CallQueue } from './call-queue.ts';
import { chooseSpeed } from './pace.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const MADE_NOTHING = { count: 0, readyAt: new Map(), skipped: [], lagMs: 0 };

/** A queue of 1,000 calls to one webhook. @param contents the content of every call; if omitted, each call is about different content */
function fill(dueAt: number, contents?: readonly string[]): CallQueue {
  const queue = new CallQueue();
  const nos = Array.from({ length: 1000 }, (_, index) => index + 1);
  queue.add(
    nos.map((no) => ({ no, webhookNo: 1, siteNo: 1, nextAt: dueAt, isTried: false })),
    new Map(nos.map((no) => [no, contents ?? [`c_${no}`]])),
  );
  return queue;
}

/** Simulates a check by the sender at the given time, with one new change since the previous check. */
function look(backlog: Backlog, at: number): void {
  backlog.look([{ no: 1, position: '', last: at }], at);
  // All changes have already become calls.
  backlog.note(MADE_NOTHING, at);
}

test('while people publish, the sender is behind if calls that it could send have been due for a long time', () => {
  const backlog = new Backlog(fill(NOW - 10 * MINUTE));
  look(backlog, NOW);
  expect(backlog.isPublishing).toBe(true);
  expect(backlog.lagMs).toBe(10 * MINUTE);
  expect(chooseSpeed(backlog).calls).toBe(200);
});

test('the sender’s delay is the longer of its delays in creating calls and in sending them', () => {
  const backlog = new Backlog(fill(NOW - 20_000));
  look(backlog, NOW);
  expect(chooseSpeed(backlog).calls).toBe(40);
  backlog.note({ ...MADE_NOTHING, lagMs: 2 * MINUTE }, NOW);
  expect(backlog.lagMs).toBe(2 * MINUTE);
});

test('the sender has caught up once the calls are sent', () => {
  const queue = fill(NOW - MINUTE);
  const backlog = new Backlog(queue);
  look(backlog, NOW);
  queue.clear();
  look(backlog, NOW + 1000);
  expect(backlog.lagMs).toBe(0);
});

test('calls that are scheduled for later, or that wait for an earlier call about the same content, do not count as lag', () => {
  const later = new Backlog(fill(NOW + MINUTE));
  look(later, NOW);
  expect(later.lagMs).toBe(0);
  const queue = fill(NOW, ['c_a']);
  const first = queue.begin(NOW);
  if (first === undefined) throw new Error('No call was started');
  queue.end(first, 10);
  queue.postpone(first.no, NOW + 60 * MINUTE);
  const blocked = new Backlog(queue);
  look(blocked, NOW + 10 * MINUTE);
  expect(blocked.lagMs).toBe(0);
});

test('waiting for a receiver that does not respond does not count as lag', () => {
  const queue = fill(NOW);
  while (queue.begin(NOW) !== undefined);
  const backlog = new Backlog(queue);
  look(backlog, NOW + 10 * MINUTE);
  expect(backlog.lagMs).toBe(0);
});

describe('changes become calls', () => {
  const BEHIND = [{ no: 1, position: encodePosition({ mode: 'changes', row: 1, inside: null }), last: 2 }];
  const add = (queue: CallQueue, nos: readonly number[], isTried: boolean): void =>
    queue.add(
      nos.map((no) => ({ no, webhookNo: 1, siteNo: 1, nextAt: NOW, isTried })),
      new Map(nos.map((no) => [no, [`c_${no % 1000}`]])),
    );
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test.each<[claim: string, queue: (queue: CallQueue) => void, listed: readonly number[]]>([
    ['while at most 900 calls have yet to be sent', (queue) => add(queue, numbers(1, 900), false), [1]],
    ['later if more than 900 calls have yet to be sent', (queue) => add(queue, numbers(1, 901), false), []],
    ['if all pending calls are waiting for a retry', (queue) => add(queue, numbers(1, 1000), true), [1]],
    [
      'if all other calls are waiting for those retries',
      (queue) => {
        add(queue, numbers(1, 1000), true);
        add(queue, numbers(1001, 3000), false);
      },
      [1],
    ],
    ['later if too many calls are waiting for a retry', (queue) => add(queue, numbers(1, 4901), true), []],
  ])('%s', (_, put, listed) => {
    const queue = new CallQueue();
    put(queue);
    expect(new Backlog(queue).list(BEHIND, NOW)).toEqual(listed);
  });
});
