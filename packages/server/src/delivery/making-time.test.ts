import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MakingTime } from './making-time.ts';

let making: MakingTime;
let done: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  making = new MakingTime();
  done = [];
});

afterEach(() => {
  vi.useRealTimers();
});

/** Takes longer than the time allowed for building responses in one turn. */
function spend(name: string): void {
  vi.advanceTimersByTime(11);
  done.push(name);
}

function useUpTurn(): void {
  expect(making.hasTime()).toBe(true);
  spend('first');
  expect(making.hasTime()).toBe(false);
}

describe('building a response', () => {
  test('starts immediately while the turn has time left, and does so again in the next turn', async () => {
    expect(making.hasTime()).toBe(true);
    expect(making.hasTime()).toBe(true);
    useUpTurn();
    await turn();
    expect(making.hasTime()).toBe(true);
  });

  test('waits for later turns of the event loop, with other work in between', async () => {
    useUpTurn();
    const waiting = ['a', 'b', 'c'].map((name) => making.wait('key', () => spend(name)));
    setImmediate(() => {
      done.push('other');
      setImmediate(() => done.push('another'));
    });
    await Promise.all(waiting);
    expect(done).toEqual(['first', 'a', 'other', 'b', 'another', 'c']);
  });

  test('is queued behind earlier work that is still waiting', async () => {
    useUpTurn();
    const waiting = ['a', 'b'].map((name) => making.wait('key', () => spend(name)));
    await waiting[0];
    expect(making.hasTime()).toBe(false);
    await waiting[1];
    await turn();
    await turn();
    expect(making.hasTime()).toBe(true);
  });

  test('alternates between callers', async () => {
    useUpTurn();
    const waiting = [
      ...['a1', 'a2', 'a3'].map((name) => making.wait('a', () => done.push(name))),
      making.wait('b', () => done.push('b1')),
      ...['c1', 'c2'].map((name) => making.wait('c', () => done.push(name))),
    ];
    await Promise.all(waiting);
    expect(done).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  test('does not affect others if it fails', async () => {
    useUpTurn();
    const failing = making.wait('key', () => {
      throw new Error('Out of order');
    });
    const rejecting = making.wait('key', () => Promise.reject(new Error('Out of reach')));
    const fine = making.wait('key', () => 'fine');
    await expect(failing).rejects.toThrow('Out of order');
    await expect(rejecting).rejects.toThrow('Out of reach');
    expect(await fine).toBe('fine');
  });
});
