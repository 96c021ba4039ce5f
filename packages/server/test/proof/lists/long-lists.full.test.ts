// Expensive lists are read on a separate thread. They may be rejected, but are otherwise like any other list. long-lists.proof.test.ts
// measures that nobody else has to wait for them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, idsOf, type Reader, SIMPLE } from '../../conformance/reader.ts';
import { PRESS } from '../../conformance/records.ts';
import { ENGINES } from '../../support/test-database.ts';
import { askAnew, EXPENSIVE, listDistantPages, listExpensive, openExpensiveSite } from './expensive-lists.ts';

const OBJECTS = 2000;
/** More than may wait for their turn. */
const CROWD = 140;

describe.each(ENGINES)('on %s', (engine) => {
  let reader: Reader;

  beforeAll(async () => {
    reader = await openExpensiveSite(engine, OBJECTS);
  });

  afterAll(() => reader.close());

  /** A slow machine may reject a list at first. Both a new response and a cached one must be right. */
  async function expectIds(query: string, expected: readonly string[]): Promise<void> {
    for (const ask of [() => askAnew(reader, query), () => reader.list(query)]) {
      let reply = await ask();
      while (reply.status === 503) reply = await ask();
      expect(idsOf(reply)).toEqual(expected);
    }
  }

  test("counts as one cache miss, and as one request against its key's limit", async () => {
    const countMisses = async (): Promise<number> => {
      const metrics = await (await fetch(`${reader.service.url}/metrics`)).text();
      return Number(/^galley_cache_answers_total\{result="miss"\} (\d+)$/m.exec(metrics)?.[1]);
    };
    const { token } = await reader.service.createKey({ sites: [PRESS], rateLimit: 10 });
    const before = await countMisses();
    const first = await askAnew(reader, EXPENSIVE, { token });
    const second = await askAnew(reader, EXPENSIVE, { token });
    expect([first, second].map(({ headers }) => headers.ratelimit)).toEqual([
      expect.stringMatching(/^"key";r=9;/),
      expect.stringMatching(/^"key";r=8;/),
    ]);
    expect(await countMisses()).toBe(before + 2);
  });

  test('includes the latest changes and no unpublished content', async () => {
    await reader.service.unpublish(PRESS, 'c_00000');
    await expectIds(EXPENSIVE, ['c_00001', 'c_00002']);
    await reader.service.publish(PRESS, 'c_00000');
    await expectIds(EXPENSIVE, ['c_00000', 'c_00001']);
  });

  test('is complete or rejected in a crowd, whatever its page, and later lists are not affected', async () => {
    const lists = await listExpensive(reader);
    const pages = listDistantPages(OBJECTS).map((page) => askAnew(reader, page, SIMPLE));
    const crowd = Array.from({ length: CROWD }, (_, index) => askAnew(reader, lists[index % lists.length] ?? ''));
    const replies = await Promise.all([...pages, ...crowd]);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expect([...errorOf(reply), reply.headers['retry-after']]).toEqual([503, 'Service unavailable.', '1']);
    }
    const same = (await Promise.all(crowd)).filter(({ status }, index) => status === 200 && index % lists.length === 0);
    for (const reply of same) expect(idsOf(reply)).toEqual(['c_00000', 'c_00001']);
    await expectIds(EXPENSIVE, ['c_00000', 'c_00001']);
  });
});
