// A large save that is waiting for an import is rejected as soon as the service stops, although it may otherwise wait for a minute.

import { expect, test } from 'vitest';
import { startManager } from '../../management/manager.ts';
import { reportProof } from '../../oracle/proof.ts';
import { siteRecord, typeRecord } from '../../support/small-site.ts';
import { ENGINES } from '../../support/test-database.ts';

const MOST_MS = 10_000;
/** A body of this length is handled on a separate thread. */
const LENGTH = 300_000;

test.each(ENGINES)('a large save stops waiting for an import when the service stops, on %s', async (engine) => {
  const manager = await startManager({}, { engine });
  const { storage, importRecords } = manager.service;
  await importRecords([siteRecord(), typeRecord()]);
  const create = () => {
    const body = { content_type: 'post', name: 'Large', fields: { title: { text: 'q'.repeat(LENGTH) } } };
    return manager.call('POST', '/sites/s_small/content', { body });
  };
  // Starts the thread.
  expect((await create()).status).toBe(201);
  let stoppedAt = 0;
  const answer = await storage.transaction(
    async () => {
      const creating = create();
      // When these reads have returned, the call that was sent before them is waiting.
      for (let round = 0; round < 20; round += 1) await manager.call('GET', '/account');
      stoppedAt = performance.now();
      storage.stopWaiting();
      return creating;
    },
    { isImport: true },
  );
  const waitedMs = performance.now() - stoppedAt;
  expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('An import is running.') } });
  expect(waitedMs).toBeLessThan(MOST_MS);
  reportProof(`a waiting save was rejected ${Math.round(waitedMs)} ms after the stop, on ${engine}`);
  await manager.close();
});
