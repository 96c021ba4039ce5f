// Two services share one database with schedules at random times, and one of them is killed. Each schedule must run exactly once, never
// early and at most a second late. The test counts runs in the audit log and in the responses readers get.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { reportProof } from '../../oracle/proof.ts';
import { countFired, expectEachOnce, startTwoSchedulers } from './two-schedulers.ts';

const COUNT = 200;
const SPAN_MS = 20_000;
const MOST_LATE_MS = 1_000;
/** More than enough time to notice the moved schedules: each service checks twice a second. */
const NOTICE_MS = 2_000;
/** A schedule that has not run after this time counts as lost. */
const GIVE_UP_MS = 60_000;

test('the schedules of two services run within a second, even if one service is killed', async () => {
  await using services = await startTwoSchedulers(COUNT, SPAN_MS);
  const { doomed, survivor, readEntries } = services;
  const schedules = services.move(services.imported, NOTICE_MS);
  const firstDue = Math.min(...schedules.map(({ dueAt }) => dueAt));
  const lastDue = Math.max(...schedules.map(({ dueAt }) => dueAt));
  const killedAt = firstDue + (lastDue - firstDue) * (0.4 + Math.random() * 0.3);

  const isOver = () => Date.now() > lastDue + GIVE_UP_MS || readEntries().length >= COUNT;
  const killing = wait(killedAt - Date.now()).then(() => doomed.stop('SIGKILL'));
  const { reads, early } = await services.watchReaders(schedules, isOver);
  await killing;
  expect(early).toEqual([]);
  expect(reads).toBeGreaterThan(10);
  const lateness = await expectEachOnce(services, schedules);
  const byEither = readEntries().filter(({ at }) => at < killedAt).length;
  reportProof(
    `schedules: ${COUNT} of ${COUNT} ran once, ${countFired(doomed)} on the service that was killed, ` +
      `${countFired(survivor)} on the other; ${COUNT - byEither} ran after the kill; 0 early in ${reads} reads; at most ` +
      `${Math.max(...lateness)} ms late`,
  );
  expect(byEither).toBeGreaterThan(0);
  expect(byEither).toBeLessThan(COUNT);
  expect(Math.max(...lateness)).toBeLessThanOrEqual(MOST_LATE_MS);
});
