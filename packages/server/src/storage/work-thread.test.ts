import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageFault, StorageUnavailable } from './engine.ts';
import { ThreadEnded, ThreadFailed, WorkThread } from './work-thread.ts';

const PROGRAM = join(import.meta.dirname, 'work-thread.fixture.ts');

let thread: WorkThread<string, unknown, unknown>;

beforeEach(() => {
  thread = new WorkThread(() => new Worker(PROGRAM));
});

afterEach(() => thread.close());

describe('a worker thread', () => {
  test('is replaced before the next job if it fails', async () => {
    const waiting = thread.do('wait').catch((error: unknown) => error);
    await expect(thread.do('fail')).rejects.toMatchObject({ cause: { message: 'Out of order' } });
    expect(await waiting).toBeInstanceOf(ThreadFailed);
    expect(await thread.do('work')).toBe('done: work');
  });

  test('is replaced without delaying others if it sends an unreadable message', async () => {
    await expect(thread.do('send nonsense')).rejects.toMatchObject({ cause: expect.any(Error) });
    expect(await thread.do('work')).toBe('done: work');
  });

  test('returns the first parts of a result in order, and then the rest', async () => {
    const parts: unknown[] = [];
    expect(await thread.do('work in parts', { onPart: (part) => parts.push(part) })).toBe('done: work in parts');
    expect(parts).toEqual(['one', 'two']);
  });

  test('runs other jobs while one is waiting, and can be told to stop waiting', async () => {
    const waiting = thread.do('wait');
    expect(await thread.do('work')).toBe('done: work');
    thread.stopWaiting();
    expect(await waiting).toBe('done: wait');
  });
});

test('closing a thread ends its pending jobs without reporting a fault, and later jobs are refused', async () => {
  const waiting = thread.do('wait').catch((error: unknown) => error);
  await thread.do('work');
  await thread.close();
  const ended = await waiting;
  expect(ended).toBeInstanceOf(ThreadEnded);
  expect(ended).not.toBeInstanceOf(StorageFault);
  const refused = await thread.do('work').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StorageUnavailable);
  expect(refused).not.toBeInstanceOf(ThreadEnded);
});

test('abandoning a thread ends it even if its job would run forever', async () => {
  const endless = thread.do('run for ever').catch((error: unknown) => error);
  await thread.abandon();
  expect(await endless).toBeInstanceOf(ThreadEnded);
});

test('a job that arrives while the idle thread is ending runs on a new thread', async () => {
  const workers: Worker[] = [];
  const impatient = new WorkThread<string, unknown, unknown>(() => {
    const worker = new Worker(PROGRAM);
    workers.push(worker);
    return worker;
  }, 1);
  expect(await impatient.do('end slowly')).toBe('done: end slowly');
  const [first] = workers;
  if (first === undefined) throw new Error('No thread has started');
  expect(await once(first, 'message')).toEqual([{ no: 0, done: 'ending' }]);
  expect(await impatient.do('work')).toBe('done: work');
  expect(workers).toHaveLength(2);
  await first.terminate();
  await impatient.close();
});

test('a job that cannot be sent to a thread is rejected', async () => {
  const unsendable = new WorkThread<unknown, unknown>(() => new Worker(PROGRAM));
  const refused = await unsendable.do(() => 'a function').catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'DataCloneError' });
  await unsendable.close();
});
