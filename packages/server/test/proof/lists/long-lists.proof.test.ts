// The most expensive lists: many sort keys, filters that match everything, cursors, distant pages, and a parameter that defeats the
// cache. They may be slow or rejected, but nobody else has to wait for them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cursorListOf, errorOf, idsOf, openReader, type Reader, type Reply, SIMPLE } from '../../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { ENGINES } from '../../support/test-database.ts';

const OBJECTS = 6000;
const NUMBERS = ['n0', 'n1', 'n2', 'n3'];
const TEXTS = ['t0', 't1', 't2', 't3'];
/** The longest stretch of uninterrupted work allowed on the thread that serves all clients. */
const LONGEST_WORK_MS = 50;

const SORTS = [...NUMBERS.map((handle) => `${handle}.number`), ...TEXTS.map((handle) => `${handle}.text:desc`)];
const SORTED = SORTS.map((sort) => `sort[]=${sort}`).join('&');
const FILTERED = [
  ...NUMBERS.flatMap((handle) => [`fields[number][${handle}][]=1`, `fields[number][${handle}][]=2`]),
  ...TEXTS.flatMap((handle) => [`fields[text][${handle}][]=same`, `fields[text][${handle}][]=other`]),
  'match=any',
].join('&');
const EXPENSIVE = `limit=2&${SORTED}&${FILTERED}`;

let reader: Reader;
let asked = 0;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const fields = Object.fromEntries([
      ...NUMBERS.map((handle) => [handle, { number: 1 }]),
      ...TEXTS.map((handle) => [handle, { text: 'same' }]),
    ]);
    const records = [
      site(PRESS),
      contentType(PRESS, 'post', [
        ...NUMBERS.map((handle) => ({ handle, type: 'number' })),
        ...TEXTS.map((handle) => ({ handle, type: 'text' })),
      ]),
      ...Array.from({ length: OBJECTS }, (_, index) => {
        const id = `c_${String(index).padStart(5, '0')}`;
        return content({ id, content_type: 'post', slug: id, name: 'same', fields });
      }),
    ];
    reader = await openReader(records, { GALLEY_METRICS: 'true' }, { engine });
  });

  afterAll(() => reader.close());

  /** Sends a request whose response is not in the cache. */
  function ask(query: string, options = {}): Promise<Reply> {
    asked += 1;
    return reader.list(`${query}&random=${asked}`, options);
  }

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

  /** The cursor after the 200th object. All objects have the same sort keys, so the database compares every key of every object. */
  async function findCursor(): Promise<string> {
    const first = cursorListOf(await reader.list(`limit=100&${SORTED}`)).meta.next_cursor;
    return cursorListOf(await reader.list(`limit=100&${SORTED}&cursor=${first}`)).meta.next_cursor ?? '';
  }

  test('lists with many sort keys and filters do not hold up other readers, whether one is requested or twenty at once', async () => {
    const cursor = await findCursor();
    const expected = idsOf(await ask(EXPENSIVE));
    const lists = [
      EXPENSIVE,
      `${EXPENSIVE}&cursor=${cursor}`,
      `limit=2&${SORTED}`,
      `limit=2&${FILTERED}`,
      `limit=2&author=u_nobody&sort=name&${FILTERED}`,
      `limit=2&fields[text][t0]=nothing&${SORTED}`,
    ];
    const replies: Reply[] = [];
    const longestMs = await watchThread(async () => {
      for (const list of lists) replies.push(await ask(list));
      const crowd = Array.from({ length: 20 }, (_, index) => ask(lists[index % lists.length] ?? ''));
      replies.push(...(await Promise.all(crowd)));
    });
    expect(longestMs).toBeLessThan(LONGEST_WORK_MS);
    for (const reply of replies) {
      if (reply.status !== 503) expect(reply.status).toBe(200);
      else expect([...errorOf(reply), reply.headers['retry-after']]).toEqual([503, 'Service unavailable.', '1']);
    }
    const [first] = replies;
    if (first?.status === 200) expect(idsOf(first)).toEqual(expected);
    // Later requests are not affected.
    expect(idsOf(await ask(EXPENSIVE))).toEqual(expected);
  });

  test('distant pages and totals of a list do not hold up other readers', async () => {
    const pages = [1, 700, OBJECTS / 2].flatMap((page) =>
      [SORTED, FILTERED, `sort=name&${FILTERED}`, 'fields[text][t0]=nothing'].map(
        (list) => `limit=2&${list}&page=${page}`,
      ),
    );
    const replies: Reply[] = [];
    const longestMs = await watchThread(async () => {
      replies.push(...(await Promise.all(pages.map((page) => ask(page, SIMPLE)))));
    });
    expect(longestMs).toBeLessThan(LONGEST_WORK_MS);
    for (const { status } of replies) expect([200, 503]).toContain(status);
  });

  test('a list read on a separate thread includes the latest changes and no unpublished content', async () => {
    await reader.service.unpublish(PRESS, 'c_00000');
    expect(idsOf(await ask(EXPENSIVE))).toEqual(['c_00001', 'c_00002']);
    await reader.service.publish(PRESS, 'c_00000');
    expect(idsOf(await ask(EXPENSIVE))).toEqual(['c_00000', 'c_00001']);
    expect(idsOf(await reader.list(EXPENSIVE))).toEqual(['c_00000', 'c_00001']);
  });

  test("a list read on a separate thread counts as one cache miss, and as one request against its key's limit", async () => {
    const countMisses = async (): Promise<number> => {
      const metrics = await (await fetch(`${reader.service.url}/metrics`)).text();
      return Number(/^galley_cache_answers_total\{result="miss"\} (\d+)$/m.exec(metrics)?.[1]);
    };
    const { token } = await reader.service.createKey({ sites: [PRESS], rateLimit: 10 });
    const before = await countMisses();
    const first = await ask(EXPENSIVE, { token });
    const second = await ask(EXPENSIVE, { token });
    expect([first, second].map(({ headers }) => headers.ratelimit)).toEqual([
      expect.stringMatching(/^"key";r=9;/),
      expect.stringMatching(/^"key";r=8;/),
    ]);
    expect(await countMisses()).toBe(before + 2);
  });
});
