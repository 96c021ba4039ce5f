// Whatever the filter, the asset list is read from an index in the requested order. Only assets with a rare tag have to be sorted.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectFolder, selectFolderCounts } from '../../src/storage/sites/asset-folders.ts';
import { type AssetFilter, type AssetOrder, selectAssetPage } from '../../src/storage/sites/asset-list.ts';
import { selectTagCounts, selectTagsOf } from '../../src/storage/sites/asset-tags.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { EMPTY_RESULT, type Procedure, type Query, type ResultSet } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { explainPlan } from '../storage/explain-plan.ts';

let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-asset-plans-'));
  storage = await openSqlite(join(folder, 'galley.db'), Date.now());
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const ALL: AssetFilter = { search: undefined, kind: undefined, folder: undefined, tag: undefined };
const FILTERS: readonly Partial<AssetFilter>[] = [
  {},
  { search: 'x' },
  { kind: 'image/' },
  { folder: 'press' },
  { folder: 'press', search: 'x', kind: 'image/' },
];
const INDEXES = { name: 'name', created_at: 'created', size: 'size' } as const;
const ORDERS: readonly AssetOrder[] = (['name', 'created_at', 'size'] as const).flatMap((sort) => [
  { sort, isDescending: false },
  { sort, isDescending: true },
]);

function* selectPage(filter: AssetFilter, order: AssetOrder, isBehind: boolean): Procedure<unknown> {
  const after = isBehind ? { key: order.sort === 'name' ? 'm' : 5, no: 1 } : undefined;
  return yield* selectAssetPage(1, filter, order, after, 50);
}

/** Continues the procedure at its second query, as if the first had counted this many assets. */
function afterCount(procedure: Procedure<unknown>, total: number): Procedure<unknown> {
  procedure.next(EMPTY_RESULT);
  const { value } = procedure.next({ columns: ['total'], rows: [[total]] });
  return (function* (): Generator<Query, unknown, ResultSet> {
    if (typeof value === 'object' && value !== null && 'statement' in value) yield value as Query;
    return undefined;
  })();
}

describe.each(FILTERS)('a list filtered by %j', (members) => {
  const filter = { ...ALL, ...members };
  const prefix = members.folder === undefined ? 'assets_' : 'assets_folder_';

  test('reads an index in order', async () => {
    for (const order of ORDERS) {
      for (const isBehind of [false, true]) {
        const plan = (await explainPlan(storage, selectPage(filter, order, isBehind))).join('\n');
        expect(plan).toMatch(new RegExp(`^SEARCH a USING INDEX ${prefix}${INDEXES[order.sort]} \\(site_no=\\?`));
        expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
      }
    }
  });

  test('still reads an index in order if it is also filtered by a frequent tag', async () => {
    for (const order of ORDERS) {
      const procedure = afterCount(selectPage({ ...filter, tag: 'sea' }, order, true), 1001);
      const plan = (await explainPlan(storage, procedure)).join('\n');
      expect(plan).toMatch(new RegExp(`^SEARCH a USING INDEX ${prefix}${INDEXES[order.sort]} \\(site_no=\\?`));
      expect(plan).toMatch(/SEARCH t USING (COVERING )?INDEX \w+ \(asset_no=\? AND tag_key=\?\)/);
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
    }
  });

  test('reads only assets with the tag if it is also filtered by a rare tag', async () => {
    for (const order of ORDERS) {
      const procedure = afterCount(selectPage({ ...filter, tag: 'sea' }, order, true), 1000);
      const plan = (await explainPlan(storage, procedure)).join('\n');
      expect(plan).toMatch(/SEARCH t USING COVERING INDEX asset_tags_site \(site_no=\? AND tag_key=\?\)/);
      expect(plan).toMatch(/SEARCH a USING INTEGER PRIMARY KEY \(rowid=\?\)/);
    }
  });
});

test.each([
  [
    'the number of assets with a tag',
    () => selectPage({ ...ALL, tag: 'sea' }, { sort: 'name', isDescending: false }, false),
  ],
  ['the tags of the assets on a page', () => selectTagsOf([1, 2, 3])],
  ['the tags of a site', () => selectTagCounts(1, 10)],
  ['the folders of a site', () => selectFolderCounts(1, 10)],
  ['a folder', () => selectFolder(1, 'press')],
] as const)('an index is used to find %s', async (_, build) => {
  const plan = (await explainPlan(storage, build())).join('\n');
  expect(plan).toMatch(/SEARCH \w+ USING (COVERING )?INDEX/);
  expect(plan).not.toMatch(/TEMP B-TREE|SCAN (?!tagged)/);
});
