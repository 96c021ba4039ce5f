// Finds the source files whose code runs for a list request of a known shape, and checks that docs/architecture.md names them.

import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCE = join(ROOT, 'packages/server/src');
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const MAGAZINE = join(import.meta.dirname, '../../demo/magazine.ndjson');

/** The maximum number of files that somebody has to read to follow a request. */
const MOST_FILES = 30;

let service: TestService;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startService();
  await service.importBundle(MAGAZINE);
  const { token } = await service.createKey({ sites: ['s_demo'] });
  headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_demo' };
});

afterAll(() => service.close());

/** Reads a list that is not in the cache. The service ignores the `visit` parameter, so its only effect is a different URL. */
async function readPage(path: string, visit: number): Promise<unknown> {
  const response = await fetch(`${service.url}${path}&visit=${visit}`, { headers });
  expect([response.status, response.headers.get('cache-status')]).toEqual([200, 'galley; fwd=miss']);
  return response.json();
}

/** Lists the server's source files in which at least one function runs during `work`. */
async function listFiles(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url, functions }) => isSource(url) && functions.some(hasRun))
    .map(({ url }) => relative(SOURCE, fileURLToPath(url)));
}

function isSource(url: string): boolean {
  return url.startsWith('file:') && fileURLToPath(url).startsWith(SOURCE);
}

/** Ignores functions without a name, because Vitest uses them to read imported constants. */
function hasRun({ functionName, ranges: [whole] }: Profiler.FunctionCoverage): boolean {
  return functionName !== '' && whole !== undefined && whole.count > 0;
}

test('a list request that differs from an earlier one only in its page runs code in only a few files, all of which the documentation names', async () => {
  const section = PAGE.slice(PAGE.indexOf('## The request path'), PAGE.indexOf('## Rules for the request path'));
  const [, path = ''] = /`GET (\S+)`/.exec(section) ?? [];
  await readPage(path, 1);
  const runs: (readonly string[])[] = [];
  for (const visit of [2, 3, 4]) runs.push(await listFiles(() => readPage(path, visit)));
  // Work in the background may coincide with a request.
  const files = (runs[0] ?? []).filter((file) => runs.every((run) => run.includes(file)));
  expect(files).toContain('delivery/answer-request.ts');
  expect(files.filter((file) => !new RegExp(`[\`/]${basename(file)}\``).test(section))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(MOST_FILES);
});
