// Loading the program does not let V8's young generation grow beyond its limit, with any allocator settings.

import { expect, test } from 'vitest';
import { reportProof } from '../../oracle/proof.ts';
import { makeFolder, startServer } from '../../support/galley-command.ts';

// V8 may briefly hold one extra page of 256 KiB.
const MOST_BYTES = (16 * 1024 + 256) * 1024;

test.each([
  ['in one process', [], 1],
  ['in workers', ['--workers', '2'], 2],
] as const)('the young generation of a service that has just started is small: %s', async (where, args, processes) => {
  await using folder = await makeFolder();
  const env = { GALLEY_DEMO: 'false', GALLEY_METRICS: 'true', MALLOC_ARENA_MAX: '8' };
  await using server = await startServer({ cwd: folder.path, env }, args);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const bytes = Number(/^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(metrics)?.[1]);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes / processes).toBeLessThanOrEqual(MOST_BYTES);
  reportProof(`Young generation ${where}: ${Math.round(bytes / processes / 1024)} KiB`);
});
