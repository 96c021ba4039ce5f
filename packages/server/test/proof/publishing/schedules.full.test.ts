// Two services share one database with schedules, and one of them is killed while it runs them. schedules.proof.test.ts measures how late
// they run.

import { expect, test } from 'vitest';
import { countFired, expectEachOnce, startTwoSchedulers } from './two-schedulers.ts';

const COUNT = 30;
/** The others become due only after the kill. */
const BEFORE = 20;
const SPAN_MS = 500;
const LEAST_READS = 10;

test('each schedule of two services runs once, is never early, and is not lost when one service is killed', async () => {
  await using services = await startTwoSchedulers(COUNT, SPAN_MS);
  const { doomed, survivor, imported, readEntries } = services;
  let isOver = false;

  const before = services.move(imported.slice(0, BEFORE), SPAN_MS);
  let reads = 0;
  const watching = services.watchReaders(before, () => {
    reads += 1;
    return isOver && reads > LEAST_READS;
  });
  // Whichever service is faster, the kill comes after a schedule has run.
  await expect.poll(() => countFired(doomed) > 0 || readEntries().length === BEFORE, { interval: 5 }).toBe(true);
  await doomed.stop('SIGKILL');
  const after = services.move(imported.slice(BEFORE), 0);
  await expect.poll(() => readEntries().length, { interval: 20 }).toBe(COUNT);
  isOver = true;
  expect((await watching).early).toEqual([]);

  await expectEachOnce(services, [...before, ...after]);
  expect(countFired(survivor)).toBeGreaterThanOrEqual(after.length);
});
