// Sends the same requests to both engines, loaded with the same bundles, and compares the responses byte by byte.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importBundle } from '../../../src/bundle/import-bundle.ts';
import { runSeeded } from '../../oracle/draw.ts';
import { proofSize, reportProof, seeds } from '../../oracle/proof.ts';
import { drawListRequest, drawObjectRequest, type RandomRequest } from '../../oracle/random-request.ts';
import { drawBundle } from '../../oracle/random-site.ts';
import { get, urlOf } from '../../oracle/service-call.ts';
import { type KeyOptions, startService, type TestService } from '../../support/service.ts';
import { toLines } from '../../support/small-site.ts';
import { createPostgresDatabase, createSqliteDatabase, giveSameKey } from '../../support/test-database.ts';
import { TEMPLATE } from '../../support/test-server.ts';

const SITES = proofSize(5, 50);
const LISTS_PER_SITE = proofSize(12, 40);
const OBJECTS_PER_SITE = 10;
const MOST_PAGES = 12;
const BASE = 'https://content.example';
const COMPARED_HEADERS = ['etag', 'link', 'content-type', 'content-length', 'cache-control', 'cache-status', 'vary'];

interface Side {
  readonly service: TestService;
  readonly token: string;
}

describe('responses on PostgreSQL', () => {
  let folder: string;
  let sides: readonly Side[];
  const counted = { lists: 0, pages: 0, bytes: 0, objects: 0, statuses: new Set<number>() };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-same-'));
    const engines = [createSqliteDatabase, () => createPostgresDatabase(TEMPLATE)];
    const options: KeyOptions = { allSites: true, preview: true };
    sides = await Promise.all(
      engines.map(async (createDatabase) => {
        const service = await startService(
          { GALLEY_PUBLIC_URL: BASE },
          { createDatabase: async () => giveSameKey(await createDatabase()) },
        );
        return { service, token: (await service.createKey(options)).token };
      }),
    );
  });

  afterAll(async () => {
    for (const { service } of sides) await service.close();
    await rm(folder, { recursive: true });
    reportProof(
      `both engines: ${counted.lists} lists walked, ${counted.pages} pages and ${counted.objects} objects with ` +
        `${counted.bytes} bytes, all identical`,
    );
  });

  test('are byte-identical to those on SQLite', async () => {
    for (const [run, seed] of seeds(SITES).entries()) {
      await runSeeded(seed, async (draw) => {
        const bundle = drawBundle(draw, `d${run}`);
        await importIntoBoth(bundle.records, run);
        const [main, other = main] = bundle.sites;
        if (main === undefined || other === undefined) throw new Error('a bundle has at least one site');
        for (let count = 0; count < LISTS_PER_SITE; count++) {
          await walkBoth(drawListRequest(draw, count % 10 === 9 ? other : main));
        }
        const foreign = other.contents.map((content) => content.id);
        for (let count = 0; count < OBJECTS_PER_SITE; count++) {
          const { path, query, headers } = drawObjectRequest(draw, main, foreign);
          await expectSame(urlOf(BASE, path, query), headers);
          counted.objects += 1;
        }
      });
    }
    expect(counted.lists).toBe(process.env.SEED === undefined ? SITES * LISTS_PER_SITE : LISTS_PER_SITE);
    expect(counted.pages).toBeGreaterThan(counted.lists);
    expect(counted.statuses).toContain(200);
  });

  /** Generated IDs and times must be the same on both engines, because responses contain them. */
  async function importIntoBoth(records: readonly object[], run: number): Promise<void> {
    const path = join(folder, `${run}.ndjson`);
    await writeFile(path, toLines(records));
    for (const { service } of sides) {
      let made = 0;
      const newUuid = (): string => `01980000-0000-7000-8000-${String(run * 100_000 + made++).padStart(12, '0')}`;
      const now = Date.UTC(2026, 0, 1) + run * 1000;
      await importBundle(service.storage, path, { now, newUuid, onProgress: () => {} });
    }
  }

  /** Follows the links to the end, or for a limited number of pages, and back to the start. */
  async function walkBoth({ path, query, headers }: RandomRequest): Promise<void> {
    let url: string | undefined = urlOf(BASE, path, query);
    for (const relation of ['next', 'prev']) {
      for (let page = 0; page < MOST_PAGES && url !== undefined; page++) {
        const links: Readonly<Record<string, string>> = await expectSame(url, headers);
        counted.pages += 1;
        if (links[relation] === undefined) break;
        url = links[relation];
      }
    }
    counted.lists += 1;
  }

  /** Returns the links in the response. */
  async function expectSame(url: string, headers: Readonly<Record<string, string>>) {
    const [expected, got] = await Promise.all(
      sides.map(async ({ service, token }) => {
        const { status, text, headers: answered, links } = await get(url.replace(BASE, service.url), token, headers);
        const compared = COMPARED_HEADERS.map((name) => `${name}: ${answered.get(name)}`);
        return { answer: [url, JSON.stringify(headers), String(status), ...compared, text], status, links };
      }),
    );
    if (expected === undefined || got === undefined) throw new Error('There must be two engines');
    expect(got.answer).toEqual(expected.answer);
    counted.bytes += Buffer.byteLength(got.answer.at(-1) ?? '');
    counted.statuses.add(got.status);
    return got.links;
  }
});
