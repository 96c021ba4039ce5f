// All clients share the response cache, but nobody can evict other clients' responses by inventing URLs.

import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIST_PATH, openReader, type Reader } from '../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../conformance/records.ts';

const CACHE_MB = 1;
const INVENTED = 2_500;
const IDS = Array.from({ length: 20 }, (_, index) => `c_${index}`);
const ORDINARY = [...IDS.map((id) => `/${id}`), ...IDS.map((_, index) => `?limit=${index + 1}&sort=name`)];

let reader: Reader;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(async () => {
  reader = await openReader(
    [
      site(PRESS),
      contentType(PRESS, 'note', [{ handle: 'line', type: 'text' }]),
      ...IDS.map((id) => content({ id, fields: { line: { text: 'x'.repeat(500) } } })),
    ],
    { GALLEY_CACHE_MB: String(CACHE_MB) },
  );
});

afterAll(async () => {
  agent.destroy();
  await reader.close();
});

test('invented parameters do not evict responses that other clients request', async () => {
  for (const target of ORDINARY) await askTwice(target);
  expect(await countHits(ORDINARY)).toBe(ORDINARY.length);
  await inPortions(INVENTED, (index) => askTwice(invent(index)));
  expect(await countHits(ORDINARY)).toBe(ORDINARY.length);
  // The responses for invented URLs, about a kilobyte each, may fill only an eighth of the cache.
  expect(await countHits(Array.from({ length: 500 }, (_, index) => invent(INVENTED - 1 - index)))).toBeLessThan(200);
});

/** Adds parameters that make no difference: unknown ones, and a page number in cursor mode. */
function invent(index: number): string {
  if (index % 3 === 0) return `/c_1?cb=${index}`;
  return index % 3 === 1 ? `?limit=2&cb=${index}` : `?limit=2&page=${index}`;
}

async function inPortions(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - start) }, (_, offset) => work(start + offset)));
  }
}

/** A response is cached once it has been requested twice. */
async function askTwice(target: string): Promise<void> {
  await ask(target);
  await ask(target);
}

async function countHits(targets: readonly string[]): Promise<number> {
  let hits = 0;
  for (const target of targets) if ((await ask(target)) === 'galley; hit') hits += 1;
  return hits;
}

/** @returns the cache status */
function ask(target: string): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const headers = { authorization: `Bearer ${reader.token}`, 'x-service-site': PRESS };
  const sent = request(`${reader.service.url}${LIST_PATH}${target}`, { agent, headers }, (response) => {
    response.resume().on('end', () => resolve(response.headers['cache-status']?.toString()));
  });
  sent.on('error', reject).end();
  return promise;
}
