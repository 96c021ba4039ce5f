// The lists of sites, authors and keys are read from an index. The check for content that uses an author or an asset uses an index too.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countUsingContents,
  selectAssetUses,
  selectAuthorUses,
  selectUntranslatedContent,
  selectUsingContents,
} from '../../src/storage/contents/content-uses.ts';
import { FIRST_KEY, selectKeys } from '../../src/storage/keys/api-keys.ts';
import { FIRST_POSITION } from '../../src/storage/named-rows.ts';
import { selectAuthors } from '../../src/storage/sites/authors.ts';
import { selectSiteRecords } from '../../src/storage/sites/select-catalog.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { explainPlan } from '../storage/explain-plan.ts';

let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-plans-'));
  storage = await openSqlite(join(folder, 'galley.db'), Date.now());
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

test.each([
  [
    'sites',
    () => selectSiteRecords(1, '', 10),
    'SEARCH sites USING INDEX sites_account (account_no=? AND id>?); CORRELATED SCALAR SUBQUERY 1; ' +
      'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
  ],
  [
    'authors',
    () => selectAuthors(1, '', FIRST_POSITION, 10),
    'SEARCH authors USING INDEX authors_name (site_no=? AND name_key>?)',
  ],
  [
    'keys',
    () => selectKeys(1, FIRST_KEY, 10),
    'SEARCH api_keys USING INDEX api_keys_account (account_no=? AND (created_at,id)>(?,?))',
  ],
] as const)(
  'a page of %s is read starting at the end of the previous page, without sorting',
  async (_, select, plan) => {
    expect((await explainPlan(storage, select())).join('; ')).toBe(plan);
  },
);

test.each([
  ['content with an author', () => selectAuthorUses(1, 10)],
  ['content with an asset', () => selectAssetUses(1, 'a_1', 10)],
  ['the number of content objects with an asset', () => countUsingContents(1, 'a_1')],
  ['content without a translation', () => selectUntranslatedContent(1, { from: 'en', to: 'fr' }, 10)],
] as const)('%s is looked up in an index', async (_, select) => {
  const plan = (await explainPlan(storage, select())).join('; ');
  expect(plan).toMatch(/SEARCH \w+ USING ((COVERING )?INDEX|PRIMARY KEY)/);
  expect(plan).not.toMatch(/SCAN/);
});

test('the newest content with an asset is read from an index, without sorting', async () => {
  expect((await explainPlan(storage, selectUsingContents(1, 'a_1', 10))).join('; ')).toMatch(
    /SEARCH content_assets USING (COVERING INDEX \w+|PRIMARY KEY) \(site_no=\? AND asset_id=\?\)/,
  );
});
