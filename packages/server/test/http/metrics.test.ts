import { expect, test } from 'vitest';
import { openReader } from '../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../conformance/records.ts';
import { makeFolder, startServer } from '../support/galley-command.ts';

const RECORDS = [site(PRESS), contentType(PRESS, 'note', []), content({ id: 'c_a' })];

/** The value of a metric, by its name and labels as they are written. */
function readValue(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`There is no ${name} in ${text}`);
  return Number(line.slice(name.length));
}

test('tells hits and misses, the size of the cache, and the generation of a site that was read', async () => {
  const reader = await openReader(RECORDS, { GALLEY_METRICS: 'true', GALLEY_CACHE_MB: '8' });
  const readMetrics = async () => (await fetch(`${reader.service.url}/metrics`)).text();
  for (let count = 0; count < 4; count += 1) await reader.get('c_a');
  const before = await readMetrics();
  expect(readValue(before, 'galley_cache_answers_total{result="hit"}')).toBe(3);
  expect(readValue(before, 'galley_cache_answers_total{result="miss"}')).toBe(1);
  expect(readValue(before, 'galley_cache_entries')).toBe(1);
  expect(readValue(before, 'galley_cache_bytes')).toBeGreaterThan(100);
  expect(readValue(before, 'galley_cache_limit_bytes')).toBe(8 * 1024 * 1024);
  expect(before).toContain('process_resident_memory_bytes');

  await reader.service.unpublish(PRESS, 'c_a');
  await reader.service.publish(PRESS, 'c_a');
  await reader.get('c_a');
  const name = `galley_site_generation{site="${PRESS}"}`;
  expect(readValue(await readMetrics(), name)).toBeGreaterThanOrEqual(readValue(before, name) + 2);
  await reader.close();
});

test('is not there unless it is asked for', async () => {
  const reader = await openReader(RECORDS);
  expect((await fetch(`${reader.service.url}/metrics`)).status).toBe(404);
  await reader.close();
});

test('adds up what the workers counted, whichever of them is asked', async () => {
  await using folder = await makeFolder();
  await using server = await startServer({ cwd: folder.path, env: { GALLEY_METRICS: 'true' } }, ['--workers', '2']);
  const headers = {
    authorization: `Bearer ${/gk_[\w-]+/.exec(server.printed)?.[0]}`,
    'x-service-site': 's_demo',
    // Each on a connection of its own, since a connection stays with its process.
    connection: 'close',
  };
  for (let count = 0; count < 8; count += 1) {
    expect((await fetch(`${server.url}/api/v1/content`, { headers })).status).toBe(200);
  }
  for (let count = 0; count < 4; count += 1) {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text();
    const hits = readValue(text, 'galley_cache_answers_total{result="hit"}');
    const misses = readValue(text, 'galley_cache_answers_total{result="miss"}');
    // The first answer of each worker was made, all others came from its cache.
    expect({ hits, misses }).toEqual({ hits: 6, misses: 2 });
  }
});
