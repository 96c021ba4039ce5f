// Nobody has to wait for another client's expensive list. long-lists.full.test.ts shows what such a list contains.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reader, type Reply, SIMPLE } from '../../conformance/reader.ts';
import { reportProof } from '../../oracle/proof.ts';
import { ENGINES } from '../../support/test-database.ts';
import { askAnew, listDistantPages, listExpensive, openExpensiveSite } from './expensive-lists.ts';

const OBJECTS = 6000;
const CROWD = 20;
/** The longest stretch of uninterrupted work allowed on the thread that serves all clients. */
const LONGEST_WORK_MS = 50;

/** The longest stretch of uninterrupted work on this thread, which also runs the service. */
async function watchThread(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    await work();
  } finally {
    look();
    clearInterval(timer);
  }
  return longestMs;
}

describe.each(ENGINES)('on %s', (engine) => {
  let reader: Reader;

  beforeAll(async () => {
    reader = await openExpensiveSite(engine, OBJECTS);
  });

  afterAll(() => reader.close());

  async function expectShortWork(name: string, work: () => Promise<readonly Reply[]>): Promise<void> {
    let replies: readonly Reply[] = [];
    const longestMs = await watchThread(async () => {
      replies = await work();
    });
    const served = replies.filter(({ status }) => status === 200).length;
    reportProof(
      `${name} on ${engine}: ${served} of ${replies.length} served, at most ${longestMs.toFixed(1)} ms of work at a time`,
    );
    for (const { status } of replies) expect([200, 503]).toContain(status);
    expect(longestMs).toBeLessThan(LONGEST_WORK_MS);
  }

  test('lists with many sort keys and filters do not hold up other readers, whether one is requested or twenty at once', async () => {
    const lists = await listExpensive(reader);
    await askAnew(reader, lists[0] ?? '');
    await expectShortWork('expensive lists', async () => {
      const replies: Reply[] = [];
      for (const list of lists) replies.push(await askAnew(reader, list));
      const crowd = Array.from({ length: CROWD }, (_, index) => askAnew(reader, lists[index % lists.length] ?? ''));
      return [...replies, ...(await Promise.all(crowd))];
    });
  });

  test('distant pages and totals of a list do not hold up other readers', () =>
    expectShortWork('distant pages', () =>
      Promise.all(listDistantPages(OBJECTS).map((page) => askAnew(reader, page, SIMPLE))),
    ));
});
