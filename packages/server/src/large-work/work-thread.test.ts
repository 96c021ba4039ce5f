import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../storage/port.ts';
import { ThreadFailed, WorkThread } from './work-thread.ts';

const PROGRAM = join(import.meta.dirname, 'work-thread.fixture.ts');

let thread: WorkThread<string, unknown>;

beforeEach(() => {
  thread = new WorkThread(() => new Worker(PROGRAM));
});

afterEach(() => thread.close());

describe('a thread that', () => {
  test('fails is replaced for the very next job', async () => {
    const waiting = thread.do('wait').catch((error: unknown) => error);
    await expect(thread.do('fail')).rejects.toMatchObject({ cause: { message: 'Out of order' } });
    expect(await waiting).toBeInstanceOf(ThreadFailed);
    expect(await thread.do('work')).toBe('done: work');
  });

  test('sends what cannot be read is replaced, and holds nobody up', async () => {
    await expect(thread.do('send nonsense')).rejects.toMatchObject({ cause: expect.any(Error) });
    expect(await thread.do('work')).toBe('done: work');
  });

  test('waits for something does other jobs meanwhile, and can be told to wait no longer', async () => {
    const waiting = thread.do('wait');
    expect(await thread.do('work')).toBe('done: work');
    thread.stopWaiting();
    expect(await waiting).toBe('done: wait');
  });
});

test('who waits for a thread that is closed is refused, and so is whoever asks later', async () => {
  const waiting = expect(thread.do('wait')).rejects.toThrow(StorageUnavailable);
  await thread.do('work');
  await thread.close();
  await waiting;
  await expect(thread.do('work')).rejects.toThrow(StorageUnavailable);
});
