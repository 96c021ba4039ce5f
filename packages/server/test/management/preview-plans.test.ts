// Preview settings and share links are found by index, without reading those of other sites or other content.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectAccess } from '../../src/storage/keys/select-access.ts';
import { deleteShareLinksOf, deleteShareLinksOfAddress, selectShareLinks } from '../../src/storage/keys/share-links.ts';
import { selectAddressesOfAccount, selectPreviewSettings } from '../../src/storage/sites/preview-settings.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../../src/storage/statement.ts';
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

test.each<[string, () => Procedure<unknown>, RegExp]>([
  [
    'the links of content',
    () => selectShareLinks(1, 0),
    /^SEARCH share_links USING INDEX share_links_content \(content_no=\?\)/,
  ],
  ['the links of a person', () => deleteShareLinksOf('m_1'), /^SEARCH share_links USING INDEX share_links_creator/],
  [
    'the links of an address',
    () => deleteShareLinksOfAddress(1, 'pa_1'),
    /^SEARCH share_links USING INDEX share_links_expires/,
  ],
  [
    'a link',
    () => selectAccess('gsh_x', 's_1'),
    /^SEARCH l USING INDEX sqlite_autoindex_share_links_\d \(token_hash=\?\)/,
  ],
  [
    'a secret',
    () => selectAccess('gps_x', 's_1'),
    /^SEARCH p USING INDEX sqlite_autoindex_preview_settings_\d \(secret_hash=\?\)/,
  ],
  ['settings', () => selectPreviewSettings(1), /^SEARCH preview_settings USING INTEGER PRIMARY KEY/],
  ['the addresses of an account', () => selectAddressesOfAccount(1, 's_1'), /^SEARCH s USING INDEX sites_account/],
])('%s', async (_what, build, first) => {
  const plan = (await explainPlan(storage, build())).filter((line) => /^(SEARCH|SCAN)/.test(line));
  expect(plan[0]).toMatch(first);
  expect(plan.filter((line) => line.startsWith('SCAN'))).toEqual([]);
});
