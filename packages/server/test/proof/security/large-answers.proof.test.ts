// Nobody has to wait for another client's large response, and many such responses do not exhaust the service's memory.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SlownessWatch, watchSlowness } from '../../../../../scripts/testing/watch-slowness.ts';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type Manager, startManager } from '../../management/manager.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';
import { watchTurns } from '../../support/watch-turns.ts';

/** Four objects of 3.5 MB in ASCII, and four with the same number of bytes in characters of one to three bytes. */
const LARGE = Array.from({ length: 8 }, (_, index) => `c_large_${index}`);
/** Each object is small enough to be read as part of a list, but all of them together are not. */
const MANY = Array.from({ length: 100 }, (_, index) => `c_many_${100 + index}`);

const RECORDS = [
  site(PRESS),
  contentType(PRESS, 'large', [{ handle: 'lines', type: 'list' }]),
  contentType(PRESS, 'many', [{ handle: 'lines', type: 'list' }]),
  contentType(PRESS, 'hub', [{ handle: 'related', type: 'content_links' }]),
  ...LARGE.map((id, index) =>
    build(id, 'large', index % 2 === 0 ? 'fifteen letters'.repeat(233_000) : 'caf\u00e9 \u20ac'.repeat(388_000)),
  ),
  ...MANY.map((id) => build(id, 'many', 'caf\u00e9 \u20ac'.repeat(25_000))),
  content({ id: 'c_hub', content_type: 'hub', fields: { related: { content_links: LARGE } } }),
];

function build(id: string, type: string, text: string): object {
  return content({ id, content_type: type, fields: { lines: { list: [`${id} ${text}`] } } });
}

/**
 * When run from source, the service alone uses 145 MB and its thread 45 MB more. Measured with all cores busy: 307 to 355 MB. Without
 * limits, usage exceeded 600 MB.
 */
const MOST_MB = 400;

const TARGETS = [
  ['a list of large objects', '?content_type=large&limit=8', 27],
  ['a list of many objects', '?content_type=many&limit=100', 22],
  ['an object that embeds large ones', '/c_hub', 27],
  ['a large object', '/c_large_1', 3],
] as const;

describe('a large response', () => {
  /** Reads responses on a separate thread, so this thread does only the service's work. */
  const CLIENT = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', async ({ url, ...request }) => {
      const response = await fetch(url, request);
      let bytes = 0;
      for await (const chunk of response.body) bytes += chunk.length;
      parentPort.postMessage([response.status, bytes]);
    });`;
  let manager: Manager;
  let client: Worker;
  let token: string;
  let slowness: SlownessWatch;

  beforeAll(async () => {
    slowness = await watchSlowness();
    manager = await startManager();
    await manager.service.importRecords(RECORDS);
    ({ token } = await manager.service.createKey({ sites: [PRESS] }));
    client = new Worker(CLIENT, { eval: true });
    // Starting the thread and running the code for the first time take extra time and must not be measured.
    await read('/c_large_0');
    await read('/c_large_0?again');
  });

  afterAll(async () => {
    await slowness[Symbol.asyncDispose]();
    await client.terminate();
    await manager.close();
  });

  async function read(target: string, encoding = 'identity'): Promise<readonly [status: number, bytes: number]> {
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': PRESS, 'accept-encoding': encoding };
    client.postMessage({ url: `${manager.service.url}/api/v1/content${target}`, headers });
    const [answer] = await once(client, 'message');
    return answer;
  }

  async function edit(method: string, path: string, body?: object): Promise<number> {
    const headers = { authorization: `Bearer ${manager.editor}`, 'content-type': 'application/json' };
    const url = `${manager.service.url}/manage/v1/sites/${PRESS}/content${path}`;
    client.postMessage({ url, method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const [[status]] = await once(client, 'message');
    return status;
  }

  test.each(TARGETS)('does not make other clients wait: %s', async (_, target, megabytes) => {
    for (const encoding of ['identity', 'br', 'gzip']) {
      await setTimeout(20);
      const watch = watchTurns();
      const [status, bytes] = await read(`${target}${target.includes('?') ? '&' : '?'}as=${encoding}`, encoding);
      const longestTurn = watch.stop() / (await slowness.read());
      expect([status, longestTurn]).toEqual([200, expect.any(Number)]);
      if (encoding === 'identity') expect(bytes).toBeGreaterThan(megabytes * 1_000_000);
      expect(longestTurn).toBeLessThan(50);
    }
  });

  test('does not make other clients wait when an editor works on a small object that embeds large ones', async () => {
    const related = { content_links: LARGE };
    const fields = { related: { content_links: LARGE.slice(1) } };
    const due = new Date(Date.now() + 3_600_000).toISOString();
    for (const [method, path, body, expected = 200] of [
      ['GET', '/c_hub'],
      ['GET', '/c_hub/delivered'],
      ['POST', '/c_hub/validate', { fields: { related } }],
      ['PUT', '/c_hub', { version: 1, fields }],
      ['POST', '/c_hub/publish', {}],
      ['POST', '', { id: 'c_second_hub', content_type: 'hub', name: 'Second', fields: { related } }, 201],
      ['POST', '/c_second_hub/schedule', { publish_at: due }],
    ] as const) {
      const watch = watchTurns();
      const status = await edit(method, path, body);
      const longestTurn = watch.stop() / (await slowness.read());
      expect([method, path, status]).toEqual([method, path, expected]);
      expect(longestTurn, `${method} ${path}`).toBeLessThan(50);
    }
  });

  test('does not make other clients wait when a schedule publishes a small object that embeds large ones', async () => {
    const published = async (): Promise<boolean> => (await read('/c_due?limit=1', 'br'))[0] === 200;
    const fields = { related: { content_links: LARGE } };
    const publish_at = new Date(Date.now() + 1000).toISOString();
    await edit('POST', '', { id: 'c_due', content_type: 'hub', name: 'Due', fields });
    expect(await edit('POST', '/c_due/schedule', { publish_at })).toBe(200);
    const watch = watchTurns();
    manager.service.startClock();
    await expect.poll(published, { timeout: 20_000 }).toBe(true);
    expect(watch.stop() / (await slowness.read())).toBeLessThan(50);
  });
});

describe('many concurrent large responses', () => {
  let served: ServedSite;

  beforeAll(async () => {
    served = await serveSite(RECORDS);
  });

  afterAll(() => served[Symbol.asyncDispose]());

  async function read(target: string): Promise<number> {
    const headers = { authorization: `Bearer ${served.key.token}`, 'x-service-site': PRESS };
    const response = await fetch(`${served.url}/api/v1/content${target}`, { headers });
    for await (const _ of response.body ?? []);
    return response.status;
  }

  test("stay within the service's memory limit, and all of them arrive", async () => {
    // Resets the peak memory.
    writeFileSync(`/proc/${served.server.pid}/clear_refs`, '5');
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const [, target] = TARGETS[index % TARGETS.length] ?? TARGETS[0];
        return read(`${target}${target.includes('?') ? '&' : '?'}n=${index}`);
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const status = readFileSync(`/proc/${served.server.pid}/status`, 'utf8');
    expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(MOST_MB);
  });
});
