import { expect, test } from 'vitest';
import { openReader } from '../conformance/reader.ts';
import { content, contentType, PRESS, site } from '../conformance/records.ts';
import { makeFolder, startServer } from '../support/galley-command.ts';

const RECORDS = [site(PRESS), contentType(PRESS, 'note', []), content({ id: 'c_a' })];

/** The value of a metric, identified by its name and labels exactly as printed. */
function readValue(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`There is no ${name} in ${text}`);
  return Number(line.slice(name.length));
}

test('/metrics reports hits and misses, the cache size, and the generation of each site that has been read', async () => {
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

test('/metrics reports the number and duration of requests by API and status', async () => {
  const reader = await openReader(RECORDS, { GALLEY_METRICS: 'true' });
  const { etag } = (await reader.get('c_a')).headers;
  for (const key of ['hit', 'hit again']) await reader.list(`key=${key.length}`);
  await reader.get('c_a', { headers: { 'if-none-match': etag } });
  await reader.get('c_nothing');
  await reader.call('/api/v1/content', { token: undefined });
  await fetch(`${reader.service.url}/manage/v1/account`);
  const text = await (await fetch(`${reader.service.url}/metrics`)).text();
  const read = (name: string) => readValue(text, `galley_request${name}`);
  expect({
    ok: read('s_total{api="delivery",status="2xx"}'),
    unchanged: read('s_total{api="delivery",status="3xx"}'),
    refused: read('s_total{api="delivery",status="4xx"}'),
    failed: read('s_total{api="delivery",status="5xx"}'),
    strangers: read('s_total{api="management",status="4xx"}'),
  }).toEqual({ ok: 3, unchanged: 1, refused: 2, failed: 0, strangers: 1 });
  expect(read('_duration_seconds_count{api="delivery"}')).toBe(6);
  expect(read('_duration_seconds_bucket{le="10",api="delivery"}')).toBe(6);
  expect(read('_duration_seconds_sum{api="delivery"}')).toBeGreaterThan(0);
  expect(read('s_in_flight{api="delivery"}')).toBe(0);
  // This counts the metrics request itself.
  expect(read('s_in_flight{api="other"}')).toBe(1);
  await reader.close();
});

test('/metrics is not available unless enabled', async () => {
  const reader = await openReader(RECORDS);
  expect((await fetch(`${reader.service.url}/metrics`)).status).toBe(404);
  await reader.close();
});

test('/metrics adds up the counts from all workers, whichever one responds', async () => {
  const startedAt = Math.floor(Date.now() / 1000);
  await using folder = await makeFolder();
  await using server = await startServer({ cwd: folder.path, env: { GALLEY_METRICS: 'true' } }, ['--workers', '2']);
  const headers = {
    authorization: `Bearer ${/gk_[\w-]+/.exec(server.printed)?.[0]}`,
    'x-service-site': 's_demo',
    // Each request uses its own connection, because a connection stays with one process.
    connection: 'close',
  };
  for (let count = 0; count < 8; count += 1) {
    expect((await fetch(`${server.url}/api/v1/content`, { headers })).status).toBe(200);
  }
  for (let count = 0; count < 4; count += 1) {
    const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text();
    const hits = readValue(text, 'galley_cache_answers_total{result="hit"}');
    const misses = readValue(text, 'galley_cache_answers_total{result="miss"}');
    // Each worker rendered its first response; all other responses came from its cache.
    expect({ hits, misses }).toEqual({ hits: 6, misses: 2 });
    expect(readValue(text, 'galley_requests_total{api="delivery",status="2xx"}')).toBe(8);
    expect(readValue(text, 'galley_request_duration_seconds_count{api="delivery"}')).toBe(8);
    // One of these requests is the current one; the others have finished.
    expect(readValue(text, 'galley_requests_in_flight{api="other"}')).toBe(1);
    expect(readValue(text, 'galley_requests_total{api="other",status="2xx"}')).toBe(count);
    // Each worker runs the scheduler.
    expect(readValue(text, 'galley_scheduler_last_look_timestamp_seconds')).toBeGreaterThanOrEqual(startedAt);
    expect(readValue(text, 'galley_schedules_fired_total{action="publish",result="done"}')).toBe(0);
  }
});
