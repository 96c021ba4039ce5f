import { expect, test } from 'vitest';
import { CallQueue } from './call-queue.ts';

const NOW = 1000;

interface Given {
  readonly no: number;
  readonly webhookNo?: number;
  readonly nextAt?: number;
  readonly contents?: readonly string[];
}

function fill(queue: CallQueue, given: readonly Given[]): CallQueue {
  queue.add(
    given.map(({ no, webhookNo = 1, nextAt = NOW }) => ({ no, webhookNo, nextAt })),
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

test('webhooks take turns, with at most 8 attempts at once for each webhook and 32 in total', () => {
  const queue = new CallQueue();
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  for (const webhookNo of [1, 2, 3, 4, 5])
    fill(
      queue,
      numbers.map((index) => ({ no: webhookNo * 100 + index, webhookNo })),
    );
  const begun = beginAll(queue);
  expect(begun.slice(0, 6)).toEqual([100, 200, 300, 400, 500, 101]);
  expect(begun).toHaveLength(32);
  expect(
    beginAll(
      fill(
        new CallQueue(),
        numbers.map((no) => ({ no })),
      ),
    ),
  ).toHaveLength(8);
});

test('slow and failing webhooks leave half of the slots free for the others', () => {
  const queue = new CallQueue();
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const slow = [1, 2, 3, 4];
  fill(
    queue,
    slow.map((webhookNo) => ({ no: webhookNo * 100, webhookNo })),
  );
  beginAll(queue);
  for (const webhookNo of slow) {
    queue.end({ no: webhookNo * 100, webhookNo }, webhookNo === 1 ? 3000 : undefined);
    queue.remove(webhookNo * 100);
  }
  for (const webhookNo of [...slow, 5]) {
    fill(
      queue,
      numbers.map((index) => ({ no: webhookNo * 100 + index + 1, webhookNo })),
    );
  }
  const webhooks = beginAll(queue).map((no) => Math.floor(no / 100));
  expect(webhooks.filter((webhookNo) => webhookNo !== 5)).toHaveLength(16);
  expect(webhooks.filter((webhookNo) => webhookNo === 5)).toHaveLength(8);
});

test('forgets calls that are no longer waiting, but not those whose outcome has not been recorded', () => {
  const queue = fill(new CallQueue(), [{ no: 1 }, { no: 2, nextAt: NOW + 1 }, { no: 3, nextAt: NOW + 1 }]);
  beginAll(queue);
  queue.keepOnly([{ no: 3, webhookNo: 1, nextAt: NOW + 1 }]);
  expect([1, 2, 3].map((no) => queue.has(no))).toEqual([true, false, true]);
  expect(queue.last).toBe(3);
  queue.clear();
  queue.end({ no: 1, webhookNo: 1 }, 1);
  expect([queue.size, queue.running, queue.last]).toEqual([0, 0, 0]);
});
