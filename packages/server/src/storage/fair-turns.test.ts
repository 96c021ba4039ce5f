import { afterEach, describe, expect, test, vi } from 'vitest';
import { TookTooLong } from './engine.ts';
import { FairTurns, type Turn } from './fair-turns.ts';

const LIMITS = { atOnce: 1, atOnceOfOne: 1, waiting: 4, waitingOfOne: 3, longestMs: 10_000 };

afterEach(() => {
  vi.useRealTimers();
});

/** Requests a turn and records its name when it starts. */
function ask(turns: FairTurns, caller: string, name: string, begun: [string, Turn][]): Promise<void> {
  return turns.begin(caller).then((turn) => {
    begun.push([name, turn]);
  });
}

/** Ends the turns one after the other. Returns their names in the order in which they started. */
async function runAll(turns: FairTurns, begun: [string, Turn][], asked: readonly Promise<void>[]): Promise<string[]> {
  for (let index = 0; index < asked.length; index++) {
    while (begun[index] === undefined) await new Promise(setImmediate);
    const turn = begun[index]?.[1];
    if (turn !== undefined) turns.end(turn);
  }
  return begun.map(([name]) => name);
}

describe('turns', () => {
  test('alternate between callers, even if one caller requests many turns', async () => {
    const turns = new FairTurns(LIMITS);
    const begun: [string, Turn][] = [];
    const asked = [
      ask(turns, 'a', 'a1', begun),
      ask(turns, 'a', 'a2', begun),
      ask(turns, 'a', 'a3', begun),
      ask(turns, 'b', 'b1', begun),
      ask(turns, 'c', 'c1', begun),
    ];
    expect(await runAll(turns, begun, asked)).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
    expect(turns.running.size).toBe(0);
  });

  test('are refused if too many are waiting, in total or for one caller', async () => {
    const turns = new FairTurns(LIMITS);
    const first = await turns.begin('a');
    const waiting = ['a', 'a', 'a'].map((caller) => turns.begin(caller));
    await expect(turns.begin('a')).rejects.toBeInstanceOf(TookTooLong);
    waiting.push(turns.begin('b'));
    await expect(turns.begin('c')).rejects.toBeInstanceOf(TookTooLong);
    turns.end(first);
    for (const each of waiting) each.then((turn) => turns.end(turn));
    await Promise.all(waiting);
    turns.end(await turns.begin('c'));
  });

  test("are refused if the job's time limit expires while it is waiting", async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const turns = new FairTurns(LIMITS);
    const first = await turns.begin('a');
    const late = expect(turns.begin('b')).rejects.toBeInstanceOf(TookTooLong);
    vi.advanceTimersByTime(LIMITS.longestMs);
    await late;
    expect(turns.isWantedByOthers(first)).toBe(false);
    turns.end(first);
    turns.end(await turns.begin('b'));
  });

  test('are never all used by one caller', async () => {
    const turns = new FairTurns({ ...LIMITS, atOnce: 3, atOnceOfOne: 2 });
    const own = [turns.tryBegin('a'), turns.tryBegin('a')];
    expect(own).not.toContain(undefined);
    expect(turns.tryBegin('a')).toBe(undefined);
    const waiting = turns.begin('a');
    const other = await turns.begin('b');
    expect(own.map((turn) => turn && turns.isWantedByOthers(turn))).toEqual([false, false]);
    expect(turns.isWantedByOthers(other)).toBe(true);
    turns.end(other);
    const again = turns.tryBegin('b');
    if (again === undefined) throw new Error('b has to wait although only a has reached its limit');
    turns.end(again);
    if (own[0] !== undefined) turns.end(own[0]);
    turns.end(await waiting);
  });
});
