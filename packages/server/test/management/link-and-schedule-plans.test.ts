// What links here and what is due are read off an index, however much content a site has.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  countBacklinks,
  type Procedure,
  type Storage,
  selectBacklinks,
  selectDue,
  selectNextDueTime,
  selectVersions,
} from '../../src/storage/port.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { importRecords } from '../storage/editor.ts';
import { explainPlan } from '../storage/explain-plan.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';

describe('the plans of what editors and the scheduler ask', () => {
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
    return plan.filter((line) => /^SCAN (?!CONSTANT|source|due|p$|u$|\()/.test(line));
  }

  test.each<[what: string, build: () => Procedure<unknown>, tables: RegExp]>([
    ['all that links here', () => selectBacklinks(1, 'c_0', { isPublishedOnly: false, limit: 5 }), /preview_links/],
    ['what readers see of it', () => selectBacklinks(1, 'c_0', { isPublishedOnly: true, limit: 5 }), /published_links/],
    ['how much links here', () => countBacklinks(1, 'c_0', { isPublishedOnly: false }), /published_links/],
    ['what is due', () => selectDue(Date.now(), 50), /contents_publish_at .*[\s\S]*contents_unpublish_at/],
    ['when the next is due', () => selectNextDueTime(), /contents_publish_at[\s\S]*contents_unpublish_at/],
    ['versions', () => selectVersions(1, undefined, 25), /content_no=\? AND number<\?/],
  ])('%s is found in an index', async (_what, build, tables) => {
    const plan = await explainPlan(storage, build());
    expect(plan.join('\n')).toMatch(tables);
    expect(findScans(plan), plan.join('\n')).toEqual([]);
  });
});
