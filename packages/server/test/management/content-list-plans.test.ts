// Whatever the filter, editors' lists are read from an index in the requested order. Nothing is sorted, and rows that do not match are
// skipped using only the index.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RecordFilter,
  type RecordOrder,
  selectRecordsPage,
} from '../../src/storage/contents/select-records-page.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { explainPlan } from '../storage/explain-plan.ts';

let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-list-plans-'));
  storage = await openSqlite(join(folder, 'galley.db'), Date.now());
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const ALL: RecordFilter = {
  search: undefined,
  typeNo: undefined,
  language: undefined,
  authorNo: undefined,
  state: undefined,
};
const FILTERS: readonly Partial<RecordFilter>[] = [
  {},
  { search: 'x' },
  { typeNo: 1 },
  { language: 'en' },
  { authorNo: 1 },
  ...(['draft', 'published', 'changed', 'unpublished', 'archived', 'scheduled', 'failed'] as const).map((state) => ({
    state,
  })),
  { search: 'x', typeNo: 1, language: 'en', authorNo: 1, state: 'draft' },
  { search: 'x', typeNo: 1, language: 'en', authorNo: 1, state: 'failed' },
];
const COLUMNS = { updated_at: 'updated_at', created_at: 'created_at', name: 'name_key' };

async function explain(filter: RecordFilter, order: RecordOrder, isBehind: boolean): Promise<readonly string[]> {
  const after = isBehind ? { key: order.sort === 'name' ? 'm' : 5, no: 1 } : undefined;
  return explainPlan(storage, selectRecordsPage(1, filter, order, after, 50));
}

test.each(FILTERS)('a list filtered by %j reads an index in order', async (members) => {
  for (const sort of ['updated_at', 'created_at', 'name'] as const) {
    for (const isDescending of [true, false]) {
      for (const isBehind of [false, true]) {
        const index = `contents_${members.state === 'failed' ? 'failed_' : ''}${COLUMNS[sort]}`;
        const plan = await explain({ ...ALL, ...members }, { sort, isDescending }, isBehind);
        expect(plan.find((line) => / c /.test(line))).toMatch(
          new RegExp(`^SEARCH c USING INDEX ${index} \\(site_no=\\?`),
        );
        expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|SCAN/);
      }
    }
  }
});
