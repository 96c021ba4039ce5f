import { expect, test } from 'vitest';
import { buildAsset } from './test-asset.ts';
import {
  advanceQueue,
  listStartable,
  type Queue,
  summariseQueue,
  type UploadEvent,
  type UploadState,
} from './upload-queue.ts';

const ASSET = buildAsset('a_heron');

const STATES: Readonly<Record<UploadState['name'], UploadState>> = {
  waiting: { name: 'waiting' },
  sending: { name: 'sending', sent: 40 },
  duplicate: { name: 'duplicate', existing: { id: 'a_old', name: 'Old heron' } },
  failed: { name: 'failed', message: 'Too large.' },
  cancelled: { name: 'cancelled' },
  done: { name: 'done', asset: ASSET },
};

const EVENTS = {
  start: { type: 'start', id: 1 },
  progress: { type: 'progress', id: 1, sent: 60 },
  finish: { type: 'finish', id: 1, asset: ASSET },
  find: { type: 'find', id: 1, existing: { id: 'a_old', name: 'Old heron' } },
  fail: { type: 'fail', id: 1, message: 'Too large.' },
  cancel: { type: 'cancel', id: 1 },
  retry: { type: 'retry', id: 1 },
  addAnyway: { type: 'addAnyway', id: 1 },
} satisfies Readonly<Record<string, UploadEvent>>;

type EventName = keyof typeof EVENTS;

/** The next state for each event that a state accepts. */
const ACCEPTED: Readonly<Record<UploadState['name'], Partial<Record<EventName, UploadState['name']>>>> = {
  waiting: { start: 'sending', cancel: 'cancelled' },
  sending: { progress: 'sending', finish: 'done', find: 'duplicate', fail: 'failed', cancel: 'cancelled' },
  duplicate: { finish: 'done', fail: 'failed', addAnyway: 'waiting', cancel: 'cancelled' },
  failed: { retry: 'waiting', cancel: 'cancelled' },
  cancelled: { retry: 'waiting', cancel: 'cancelled' },
  done: {},
};

const CASES = Object.keys(EVENTS)
  .filter((name): name is EventName => name in EVENTS)
  .flatMap((event) => Object.values(STATES).map((state) => [event, state.name] as const));

test.each(CASES)('%s while %s', (event, name) => {
  const queue = queueOf(STATES[name]);
  const [upload] = advanceQueue(queue, EVENTS[event]);
  const next = ACCEPTED[name][event];
  if (next === undefined) expect(upload).toBe(queue[0]);
  else expect(upload?.state.name).toBe(next);
});

test('progress never decreases, and never exceeds the size', () => {
  const sentAfter = (sent: number): UploadState | undefined =>
    advanceQueue(queueOf(STATES.sending), { type: 'progress', id: 1, sent })[0]?.state;
  expect(sentAfter(60)).toEqual({ name: 'sending', sent: 60 });
  expect(sentAfter(10)).toEqual({ name: 'sending', sent: 40 });
  expect(sentAfter(500)).toEqual({ name: 'sending', sent: 100 });
});

test('a duplicate that the user adds anyway is sent again, marked as an accepted duplicate', () => {
  const [upload] = advanceQueue(queueOf(STATES.duplicate), EVENTS.addAnyway);
  expect(upload).toMatchObject({ acceptsDuplicate: true, state: { name: 'waiting' } });
});

test('at most three uploads are sent at a time, oldest first', () => {
  const ids = (queue: Queue): readonly number[] => listStartable(queue).map(({ id }) => id);
  const { waiting, sending, done } = STATES;
  expect(ids(queueOf(waiting, waiting, waiting, waiting))).toEqual([1, 2, 3]);
  expect(ids(queueOf(done, sending, waiting, sending, waiting))).toEqual([3]);
  expect(ids(queueOf(sending, sending, sending, waiting))).toEqual([]);
});

test('clearing keeps uploads that are waiting or being sent', () => {
  const queue = queueOf(...Object.values(STATES));
  expect(advanceQueue(queue, { type: 'clear' }).map(({ state }) => state.name)).toEqual(['waiting', 'sending']);
});

test('the summary counts each outcome, and measures progress in bytes, excluding cancelled files', () => {
  const { waiting, sending, duplicate, failed, cancelled, done } = STATES;
  expect(summariseQueue(queueOf(waiting, sending, duplicate, failed, cancelled, done))).toEqual({
    total: 6,
    active: 2,
    done: 1,
    duplicates: 1,
    failed: 1,
    cancelled: 1,
    percent: 68,
  });
});

function queueOf(...states: readonly UploadState[]): Queue {
  return states.map((state, index) => ({
    id: index + 1,
    site: 's_press',
    name: `${index + 1}.jpg`,
    size: 100,
    acceptsDuplicate: false,
    state,
  }));
}
