// Lists in the management API and the scheduler's queries are read from an index, in order and without sorting, however much content a site
// has. asset-list-plans.test.ts checks the asset library.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectUsers } from '../../src/storage/accounts/accounts.ts';
import { selectAuditEntries } from '../../src/storage/accounts/audit-entries.ts';
import { selectManagementTokens } from '../../src/storage/accounts/management-tokens.ts';
import { countContent } from '../../src/storage/contents/content-counts.ts';
import {
  countBacklinks,
  countUsingContents,
  selectAssetUses,
  selectAuthorUses,
  selectBacklinks,
  selectUntranslatedContent,
  selectUsingContents,
} from '../../src/storage/contents/content-uses.ts';
import { selectVersions } from '../../src/storage/contents/content-versions.ts';
import { selectSharedPlaces, selectSharingPages, selectUriHolders } from '../../src/storage/contents/published-uris.ts';
import {
  countFailedSchedules,
  selectDue,
  selectFailedSchedules,
  selectNextDueTime,
  selectNextSchedules,
} from '../../src/storage/contents/schedules.ts';
import {
  type RecordFilter,
  type RecordOrder,
  selectRecordsPage,
} from '../../src/storage/contents/select-records-page.ts';
import { FIRST_KEY, selectKeys } from '../../src/storage/keys/api-keys.ts';
import { selectAccess } from '../../src/storage/keys/select-access.ts';
import { deleteShareLinksOf, deleteShareLinksOfAddress, selectShareLinks } from '../../src/storage/keys/share-links.ts';
import { FIRST_POSITION } from '../../src/storage/named-rows.ts';
import { selectAuthors } from '../../src/storage/sites/authors.ts';
import { selectAddressesOfAccount, selectPreviewSettings } from '../../src/storage/sites/preview-settings.ts';
import { selectSiteRecords } from '../../src/storage/sites/select-catalog.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { selectFailedCalls } from '../../src/storage/webhooks/failed-calls.ts';
import { deleteOldCalls } from '../../src/storage/webhooks/old-calls.ts';
import { selectCalls } from '../../src/storage/webhooks/webhook-calls.ts';
import { selectWebhooks } from '../../src/storage/webhooks/webhooks.ts';
import { importRecords } from '../storage/editor.ts';
import { explainPlan } from '../storage/explain-plan.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';

let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-plans-'));
  storage = await openSqlite(join(folder, 'galley.db'), Date.now());
  const posts = Array.from({ length: 300 }, (_, index) =>
    postRecord(`c_${index}`, { fields: { related: { content_links: ['c_0', 'c_1'] } } }),
  );
  await importRecords(storage, [siteRecord(), typeRecord(), ...posts]);
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

describe('incoming links, schedules, URLs and counts', () => {
  function findScans(plan: readonly string[]): readonly string[] {
    return plan.filter((line) => /^SCAN (?!CONSTANT|source|due|shared|own|others|p$|u$|s$|\()/.test(line));
  }

  test.each<[what: string, build: () => Procedure<unknown>, tables: RegExp]>([
    ['all incoming links', () => selectBacklinks(1, 'c_0', { isPublishedOnly: false, limit: 5 }), /preview_links/],
    ['public incoming links', () => selectBacklinks(1, 'c_0', { isPublishedOnly: true, limit: 5 }), /published_links/],
    ['the number of incoming links', () => countBacklinks(1, 'c_0', { isPublishedOnly: false }), /published_links/],
    [
      'the list of due schedules',
      () => selectDue(Date.now(), 50),
      /contents_publish_at .*[\s\S]*contents_unpublish_at/,
    ],
    ['the next due time', () => selectNextDueTime(), /contents_publish_at[\s\S]*contents_unpublish_at/],
    [
      'the list of upcoming schedules',
      () => selectNextSchedules(1, 10),
      /contents_site_publish_at[\s\S]*contents_site_unpublish_at/,
    ],
    [
      'pages at a URL',
      () => selectUriHolders({ siteNo: 1, language: 'en', otherLanguages: ['de', 'fr'], uri: 'x', exceptNo: 7 }),
      /(published_contents_uri_key_asc .*uri_key>\? AND uri_key<\?[\s\S]*){2}/,
    ],
    ['shared URLs', () => selectSharedPlaces(1, undefined), /COVERING INDEX published_contents_uri_key_/],
    [
      'pages that share a URL',
      () => selectSharingPages(1, { language: 'en', key: 'x' }, undefined),
      /published_contents_uri_key_asc .*uri_key>\? AND uri_key<\?/,
    ],
    [
      'the list of failed schedules',
      () => selectFailedSchedules(1, 10),
      /contents_failed_at \(site_no=\? AND failed_at>\?\)/,
    ],
    [
      'the number of failed schedules',
      () => countFailedSchedules(1),
      /COVERING INDEX contents_failed_at \(site_no=\? AND failed_at>\?\)/,
    ],
    ['versions', () => selectVersions(1, undefined, 25), /content_no=\? AND number<\?/],
  ])('read %s from an index', async (_what, build, tables) => {
    const plan = await explainPlan(storage, build());
    expect(plan.join('\n')).toMatch(tables);
    expect(findScans(plan), plan.join('\n')).toEqual([]);
  });

  test("the number of a site's content objects is read from a few count rows", async () => {
    const plan = await explainPlan(storage, countContent(1));
    expect(plan).toEqual(['SEARCH n USING PRIMARY KEY (site_no=?)', 'SEARCH t USING INTEGER PRIMARY KEY (rowid=?)']);
    expect(await storage.read(countContent(1))).toEqual([
      { type: 'post', status: 'published', is_changed: 0, is_scheduled: 0, total: 300 },
    ]);
  });
});

describe('lists of content', () => {
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
});

describe('the catalog', () => {
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
});

describe('the lists that owners see', () => {
  const readBy = (by: 'action' | 'actor' | 'site') => selectAuditEntries(1, 1000, 50, { by, value: 'x' });

  const readCalls = (state?: 'failed') => selectCalls(1, { state, before: 1000, limit: 50 });

  const creatorOfEach = '\nSEARCH u USING INDEX sqlite_autoindex_users_1 (id=?) LEFT-JOIN';

  test.each<[what: string, build: () => Procedure<unknown>, plan: string]>([
    ['users', () => selectUsers(1, 'a', 50), 'users_account (account_no=? AND email_key>?)'],
    [
      'tokens',
      () => selectManagementTokens(1, 'a', 50),
      `management_tokens_account (account_no=? AND id>?)${creatorOfEach}`,
    ],
    ['the audit log', () => selectAuditEntries(1, 1000, 50), 'audit_entries_account (account_no=? AND no<?)'],
    ['the audit log by action', () => readBy('action'), 'audit_entries_action (account_no=? AND action=? AND no<?)'],
    ['the audit log by actor', () => readBy('actor'), 'audit_entries_actor_id (account_no=? AND actor_id=? AND no<?)'],
    ['the audit log by site', () => readBy('site'), 'audit_entries_site_id (account_no=? AND site_id=? AND no<?)'],
    ['the calls to a webhook', () => readCalls(), 'webhook_calls_webhook (webhook_no=? AND no<?)'],
    ['failed calls', () => readCalls('failed'), 'webhook_calls_state (webhook_no=? AND state=? AND no<?)'],
  ])('read %s with a single index search, without sorting', async (_what, build, plan) => {
    expect((await explainPlan(storage, build())).join('\n')).toMatch(
      new RegExp(`^SEARCH \\w+ USING INDEX ${plan.replaceAll(/[()?]/g, String.raw`\$&`)}$`),
    );
  });

  test('use indexes to count waiting and failed webhook calls and to find the latest ones', async () => {
    expect(listSearches(await explainPlan(storage, selectWebhooks(1)))).toEqual([
      'SEARCH w USING INDEX webhooks_site (site_no=?)',
      'SEARCH c USING COVERING INDEX webhook_calls_attempt (webhook_no=?)',
      'SEARCH c USING COVERING INDEX webhook_calls_state (webhook_no=? AND state=?)',
    ]);
    expect(listSearches(await explainPlan(storage, selectFailedCalls(1)))).toEqual([
      'SEARCH c USING COVERING INDEX webhook_calls_failed (webhook_no=? AND state=?)',
      'SEARCH f USING COVERING INDEX webhook_call_contents_call (call_no=?) LEFT-JOIN',
    ]);
  });

  test('read only an index, in order, to find the calls that ended first', async () => {
    expect(await explainPlan(storage, deleteOldCalls(1, 1000))).toEqual([
      'SEARCH webhook_calls USING COVERING INDEX webhook_calls_ended (webhook_no=? AND ended_at>?)',
    ]);
  });
});

function listSearches(plan: readonly string[]): readonly string[] {
  return plan.filter((line) => line.startsWith('SEARCH'));
}

describe('share links and preview settings', () => {
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
});
