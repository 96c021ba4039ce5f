// On PostgreSQL, the list of assets is read from an index in every sort order, with and without statistics. Only the
// assets with a rare tag are sorted.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { selectFolderCounts } from '../../src/storage/sites/asset-folders.ts';
import { type AssetFilter, type AssetOrder, selectAssetPage } from '../../src/storage/sites/asset-list.ts';
import { selectTagCounts, selectTagsOf } from '../../src/storage/sites/asset-tags.ts';
import { EMPTY_RESULT, type Procedure, type Query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importRecords } from '../storage/editor.ts';
import { siteRecord } from '../support/small-site.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { runOnServer } from '../support/test-server.ts';
import { openPlanners, type Planner } from './explain-query.ts';
import { findPlanFaults, type PlanNode, sumRead } from './find-plan-faults.ts';

const ALL: AssetFilter = { search: undefined, kind: undefined, folder: undefined, tag: undefined };
const ORDERS: readonly AssetOrder[] = (['name', 'created_at', 'size'] as const).flatMap((sort) => [
  { sort, isDescending: false },
  { sort, isDescending: true },
]);
const INDEXES = { name: 'name', created_at: 'created', size: 'size' } as const;
const PAGE = 50;

let database: PostgresDatabase;
let storage: Storage;
let planners: readonly Planner[];

beforeAll(async () => {
  database = await createPostgresDatabase();
  const { url } = database.url;
  storage = await openPostgres(url, Date.now());
  await importRecords(storage, [
    siteRecord(),
    { kind: 'asset', id: 'a_0', site: 's_small', name: 'First', url: '/a.png' },
  ]);
  for (const table of ['assets', 'asset_tags']) {
    await runOnServer(url, `alter table ${table} set (autovacuum_enabled = false)`);
  }
  await runOnServer(
    url,
    `insert into assets (site_no, id, name, name_key, search_key, path, url, extension, size, mime_type, folder, folder_key,
        created_at)
      select a.site_no, 'a_' || n, 'Name ' || n, 'name ' || n % 5000, 'name ' || n, 'x', '/x', 'png', n % 1000, 'image/png',
        'folder ' || n % 10, 'folder ' || n % 10, n
      from generate_series(1, 20000) as n join assets as a on a.id = 'a_0'`,
  );
  await runOnServer(
    url,
    `insert into asset_tags (site_no, asset_no, tag_key, tag)
      select site_no, no, 'frequent', 'frequent' from assets where no % 3 = 0 union all
      select site_no, no, 'rare', 'rare' from assets where no % 500 = 0`,
  );
  planners = await openPlanners(url);
});

afterAll(async () => {
  await Promise.all(planners.map((planner) => planner.close()));
  await storage.close();
  await database.remove();
});

function isQuery(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && 'statement' in value;
}

/** @param counted the results of the queries before the explained one */
async function explain(procedure: Procedure<unknown>, counted: readonly number[] = []): Promise<readonly PlanNode[]> {
  let { value } = procedure.next(EMPTY_RESULT);
  for (const total of counted) value = procedure.next({ columns: ['total'], rows: [[total]] }).value;
  if (!isQuery(value)) throw new Error('No query was sent');
  const asked = value;
  return Promise.all(planners.map((planner) => planner.explain(asked)));
}

test.each(['without', 'with'])('%s statistics, no list reads more than it needs', async (statistics) => {
  if (statistics === 'with') await runOnServer(database.url.url, 'analyze assets; analyze asset_tags');
  for (const order of ORDERS) {
    for (const after of [undefined, { key: order.sort === 'name' ? 'name 2500' : 500, no: 9000 }]) {
      for (const folder of [undefined, 'folder 3']) {
        const index = `assets_${folder === undefined ? '' : 'folder_'}${INDEXES[order.sort]}`;
        const page = (tag?: string) => selectAssetPage(1, { ...ALL, folder, tag }, order, after, PAGE);
        for (const plan of [...(await explain(page())), ...(await explain(page('frequent'), [1001]))]) {
          const where = `${index}:\n${JSON.stringify(plan, null, 1)}`;
          expect(findPlanFaults(plan), where).toEqual([]);
          expect(JSON.stringify(plan)).toContain(`"${index}"`);
        }
        for (const plan of await explain(page('rare'), [40])) {
          const where = `rare ${index}:\n${JSON.stringify(plan, null, 1)}`;
          expect(sumRead(plan), where).toBeLessThan(400);
          expect(where).toContain('"asset_tags_site"');
        }
      }
    }
  }
  for (const plan of await explain(selectTagsOf([1, 2, 3]))) expect(JSON.stringify(plan)).not.toMatch(/Seq Scan/);
  for (const plan of await explain(selectTagCounts(1, 10))) expect(JSON.stringify(plan)).toContain('"asset_tags_site"');
  for (const plan of await explain(selectFolderCounts(1, 10)))
    expect(JSON.stringify(plan)).toContain('"assets_folder_');
});
