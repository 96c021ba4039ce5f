// Incoming links, due schedules, URLs and counts are read from an index, however much content a site has.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countContent } from '../../src/storage/contents/content-counts.ts';
import { countBacklinks, selectBacklinks } from '../../src/storage/contents/content-uses.ts';
import { selectVersions } from '../../src/storage/contents/content-versions.ts';
import { selectSharedPlaces, selectSharingPages, selectUriHolders } from '../../src/storage/contents/published-uris.ts';
import {
  countFailedSchedules,
  selectDue,
  selectFailedSchedules,
  selectNextDueTime,
  selectNextSchedules,
} from '../../src/storage/contents/schedules.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importRecords } from '../storage/editor.ts';
import { explainPlan } from '../storage/explain-plan.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';

describe('query plans for editors and the scheduler', () => {
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
