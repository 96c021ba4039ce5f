// Ten editors each save a draft every second while 200 URLs are read 500 times a second. Readers must be served from the cache as if
// nobody were writing, and must see a publish immediately.

import { setTimeout as wait } from 'node:timers/promises';
import type { ManagedContentBody } from '@galley/wire';
import { describe, expect, test } from 'vitest';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { startManager } from '../../management/manager.ts';
import { reportProof } from '../../oracle/proof.ts';
import { ENGINES } from '../../support/test-database.ts';

const MILLISECONDS = 60_000;
const EDITORS = 10;
const READERS = 10;
const READ_EVERY_MS = 20;
const SAVE_EVERY_MS = 1000;
/** Requests that are still running when the time runs out do not count. */
const LEAST_LOAD = 0.98;
const OBJECTS = 150;
const PATHS = [
  ...Array.from({ length: OBJECTS }, (_, no) => `/c_${no}`),
  ...Array.from(
    { length: 50 },
    (_, no) =>
      `?limit=${(no % 10) + 1}&sort=${['name', 'slug', 'uri', 'created_at', 'published_at'][no % 5]}:${no < 25 ? 'asc' : 'desc'}`,
  ),
];

describe.each(ENGINES)('on %s', (engine) => {
  test('drafts do not invalidate cached responses', async () => {
    const manager = await startManager({}, { engine });
    try {
      await manager.service.importRecords([
        site(PRESS),
        contentType(PRESS, 'note', [{ handle: 'line', type: 'text' }]),
        ...Array.from({ length: OBJECTS }, (_, no) =>
          content({ id: `c_${no}`, fields: { line: { text: `Line ${no}` } } }),
        ),
      ]);
      const known = new Map<string, string>();
      for (const path of [...PATHS, ...PATHS]) known.set(path, JSON.stringify((await manager.read(PRESS, path)).body));

      const figures = { reads: 0, hits: 0, saves: 0, stale: 0 };
      const start = performance.now();

      /** Repeats the work at regular intervals. After a delay, it catches up, so that the load stays the same on average. */
      async function repeat(everyMs: number, work: (count: number) => Promise<void>): Promise<void> {
        for (let count = 0; performance.now() < start + MILLISECONDS; count += 1) {
          await work(count);
          await wait(Math.max(0, start + (count + 1) * everyMs - performance.now()));
        }
      }

      async function read(index: number): Promise<void> {
        const path = PATHS[index % PATHS.length] ?? '';
        const { status, headers, body } = await manager.read(PRESS, path);
        expect(status).toBe(200);
        figures.reads += 1;
        if (headers.get('cache-status') === 'galley; hit') figures.hits += 1;
        if (JSON.stringify(body) !== known.get(path)) figures.stale += 1;
      }

      async function edit(editor: number, version: number): Promise<void> {
        await manager.expectOk('PUT', `/sites/${PRESS}/content/c_${editor}`, { version, name: `Draft ${version}` });
        figures.saves += 1;
      }

      await Promise.all([
        ...Array.from({ length: READERS }, (_, reader) =>
          repeat(READ_EVERY_MS, (count) => read(reader + count * READERS)),
        ),
        ...Array.from({ length: EDITORS }, (_, editor) => repeat(SAVE_EVERY_MS, (count) => edit(editor, count + 1))),
      ]);
      // The next read after the publish must return the saved content.
      for (let editor = 0; editor < EDITORS; editor += 1) {
        const path = `/sites/${PRESS}/content/c_${editor}`;
        const { version, name } = await manager.expectOk<ManagedContentBody>('GET', path);
        await manager.expectOk('POST', `${path}/publish`, { version });
        if (Object((await manager.read(PRESS, `/c_${editor}`)).body).name !== name) figures.stale += 1;
      }
      const { reads, hits, saves, stale } = figures;
      reportProof(
        `drafts on ${engine}: ${reads} reads of ${PATHS.length} URLs, ${saves} saves by ${EDITORS} editors: ` +
          `${((100 * hits) / reads).toFixed(2)}% hits, ${stale} stale`,
      );
      expect(stale).toBe(0);
      expect(saves).toBeGreaterThanOrEqual((LEAST_LOAD * EDITORS * MILLISECONDS) / SAVE_EVERY_MS);
      expect(reads).toBeGreaterThanOrEqual((LEAST_LOAD * READERS * MILLISECONDS) / READ_EVERY_MS);
      expect(hits / reads).toBeGreaterThanOrEqual(0.99);
    } finally {
      await manager.close();
    }
  });
});
