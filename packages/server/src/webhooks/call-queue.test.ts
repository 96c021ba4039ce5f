import { expect, test } from 'vitest';
import { CallQueue } from './call-queue.ts';

const NOW = 1000;

interface Given {
  readonly no: number;
  readonly webhookNo?: number;
  readonly siteNo?: number;
  readonly nextAt?: number;
  readonly contents?: readonly string[];
}

function fill(queue: CallQueue, given: readonly Given[]): CallQueue {
  queue.add(
    given.map(({ no, webhookNo = 1, siteNo = 1, nextAt = NOW }) => ({ no, webhookNo, siteNo, nextAt, isTried: false })),
    new Map(given.map(({ no, contents = [] }) => [no, contents])),
  );
  return queue;
}

function beginAll(queue: CallQueue, now = NOW): readonly number[] {
  const nos: number[] = [];
  for (let call = queue.begin(now); call !== undefined; call = queue.begin(now)) nos.push(call.no);
  return nos;
}

test('starts calls about different content together, and calls about the same content one after the other', () => {
  const queue = fill(new CallQueue(), [
    { no: 1, contents: ['a'] },
    { no: 2, contents: ['b'] },
    { no: 3, contents: ['a'] },
    { no: 4 },
  ]);
  expect(beginAll(queue)).toEqual([1, 2, 4]);
  queue.end({ no: 1, webhookNo: 1 }, 10);
  // The outcome of the first call has not been recorded yet. If the process died now, the call would be sent again.
  expect(beginAll(queue)).toEqual([]);
  queue.remove(1);
  expect(beginAll(queue)).toEqual([3]);
});

test('a batch waits for earlier calls about any of its content, and later calls wait for the batch', () => {
  const queue = fill(new CallQueue(), [
    { no: 1, contents: ['a'] },
    { no: 2, contents: ['a', 'b'] },
    { no: 3, contents: ['b'] },
  ]);
  expect(beginAll(queue)).toEqual([1]);
  queue.end({ no: 1, webhookNo: 1 }, 10);
  queue.remove(1);
  expect(beginAll(queue)).toEqual([2]);
});

test('a call that is retried still comes before later calls about the same content', () => {
  const queue = fill(new CallQueue(), [
    { no: 1, contents: ['a'] },
    { no: 2, contents: ['a'] },
  ]);
  beginAll(queue);
  queue.end({ no: 1, webhookNo: 1 });
  queue.postpone(1, NOW + 500);
  expect(beginAll(queue)).toEqual([]);
  expect(queue.nextTime(NOW)).toBe(NOW + 500);
  expect(queue.hasDue(NOW + 500)).toBe(true);
  expect(beginAll(queue, NOW + 500)).toEqual([1]);
});

test('a postponed call is not sent early just because the database contains an earlier time for it', () => {
  const queue = fill(new CallQueue(), [{ no: 1 }]);
  beginAll(queue);
  queue.end({ no: 1, webhookNo: 1 });
  queue.postpone(1, NOW + 500);
  fill(queue, [{ no: 1 }]);
  expect(beginAll(queue)).toEqual([]);
  expect(beginAll(queue, NOW + 500)).toEqual([1]);
});

/** Adds 20 calls for each webhook. Their numbers start with the number of the webhook. */
function fillMany(queue: CallQueue, webhookNos: readonly number[], siteNo = 1): CallQueue {
  for (const webhookNo of webhookNos) {
    const calls = Array.from({ length: 20 }, (_, index) => ({ no: webhookNo * 100 + index, webhookNo, siteNo }));
    fill(queue, calls);
  }
  return queue;
}

/** Makes each webhook fail once. */
function fail(queue: CallQueue, webhookNos: readonly number[], siteNo = 1): void {
  for (const webhookNo of webhookNos) {
    const no = webhookNo * 100 + 99;
    fill(queue, [{ no, webhookNo, siteNo }]);
    expect(beginAll(queue)).toEqual([no]);
    queue.end({ no, webhookNo });
    queue.remove(no);
  }
}

const countByWebhook = (nos: readonly number[]) =>
  Object.fromEntries(
    Map.groupBy(nos, (no) => Math.floor(no / 100))
      .entries()
      .map(([no, calls]) => [no, calls.length]),
  );

test('webhooks take turns, with at most 8 attempts at once for each webhook', () => {
  const begun = beginAll(fillMany(new CallQueue(), [1, 2, 3]));
  expect(begun.slice(0, 4)).toEqual([100, 200, 300, 101]);
  expect(countByWebhook(begun)).toEqual({ 1: 8, 2: 8, 3: 8 });
});

test('every webhook can have an attempt of its own, and all other attempts share 32 slots', () => {
  const queue = fillMany(new CallQueue(), [1, 2, 3, 4, 5, 6]);
  expect(beginAll(queue)).toHaveLength(6 + 32);
  expect(beginAll(fillMany(queue, [7]))).toEqual([700]);
  queue.end({ no: 100, webhookNo: 1 }, 10);
  expect(beginAll(queue)).toHaveLength(1);
});

test('at most 128 attempts run at once', () => {
  const queue = fillMany(
    new CallQueue(),
    Array.from({ length: 150 }, (_, index) => index + 1),
  );
  expect(beginAll(queue)).toHaveLength(128);
});

test('slow and failing webhooks leave half of the slots free for other webhooks', () => {
  const queue = new CallQueue();
  fail(queue, [1, 2, 3, 4]);
  fill(queue, [{ no: 999, webhookNo: 9 }]);
  beginAll(queue);
  queue.end({ no: 999, webhookNo: 9 }, 2001);
  const begun = countByWebhook(beginAll(fillMany(queue, [1, 2, 3, 4, 9, 10, 11, 12])));
  const ofSlow = [1, 2, 3, 4, 9].reduce((sum, webhookNo) => sum + (begun[webhookNo] ?? 0), 0);
  expect(ofSlow).toBeLessThanOrEqual(16 + 1);
  const ofOthers = [10, 11, 12].reduce((sum, webhookNo) => sum + (begun[webhookNo] ?? 0), 0);
  expect(ofOthers).toBeGreaterThanOrEqual(16 + 3);
});

test('the slow webhooks of one site do not keep a slow webhook of another site waiting', () => {
  const queue = new CallQueue();
  fail(queue, [1, 2, 3, 4]);
  fail(queue, [9], 2);
  expect(beginAll(fillMany(queue, [1, 2, 3, 4]))).toHaveLength(16 + 1);
  expect(beginAll(fillMany(queue, [9], 2))).toEqual([900]);
});

test('the slow webhooks of many sites leave half of all attempts to other webhooks', () => {
  const queue = new CallQueue();
  const slow = Array.from({ length: 150 }, (_, index) => index + 1);
  for (const no of slow) fail(queue, [no], no);
  for (const no of slow) fillMany(queue, [no], no);
  expect(beginAll(queue)).toHaveLength(64);
  const others = Array.from({ length: 50 }, (_, index) => 201 + index);
  expect(Object.keys(countByWebhook(beginAll(fillMany(queue, others))))).toEqual(others.map(String));
});

test('an attempt that has been running for two seconds counts as slow, even before it ends', () => {
  const queue = fillMany(new CallQueue(), [1, 2, 3, 4]);
  expect(beginAll(queue)).toHaveLength(32);
  expect(beginAll(fillMany(queue, [9]))).toHaveLength(5);
  expect(beginAll(queue, NOW + 2001)).toEqual([]);
  expect(beginAll(fillMany(queue, [10]), NOW + 2001)).toHaveLength(8);
});

test('forgets calls that are no longer waiting, but not those whose outcome has not been recorded', () => {
  const queue = fill(new CallQueue(), [{ no: 1 }, { no: 2, nextAt: NOW + 1 }, { no: 3, nextAt: NOW + 1 }]);
  beginAll(queue);
  queue.keepOnly([{ no: 3, webhookNo: 1, siteNo: 1, nextAt: NOW + 1, isTried: false }]);
  expect([1, 2, 3].map((no) => queue.has(no))).toEqual([true, false, true]);
  expect(queue.last).toBe(3);
  queue.clear();
  queue.end({ no: 1, webhookNo: 1 }, 1);
  expect([queue.size, queue.running, queue.last]).toEqual([0, 0, 0]);
});
