// Every list with one sort key is read from an index range, in order from the requested position. The tests explain the service's own
// statements on a database with a few thousand objects, with and without statistics.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { defineStatement, type Query, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Audience } from '../../src/storage/views.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { importRecords } from './editor.ts';
import { type ListRuns, openListRuns } from './list-runs.ts';

const SITE = 's_plans';
const OBJECTS = 3000;
const TYPES = ['note', 'story', 'plain'];
const ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'];
const FIELDS = ['line.text', 'rank.number', 'late.text', 'late_rank.number'];
const DIRECTIONS = ['asc', 'desc'];

const FIELD_PARTS = [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
  { handle: 'lit', type: 'boolean' },
];
/** Fields that were added after the content. */
const LATE_PARTS = [
  { handle: 'late', type: 'text' },
  { handle: 'late_rank', type: 'number' },
];

let folder: string;
let storage: Storage;
let lists: ListRuns;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-plans-'));
  storage = await openSqlite(join(folder, 'galley.db'), Date.now());
  await importRecords(storage, [
    site(SITE, { languages: ['en', 'fr'] }),
    ...TYPES.map((type) => contentType(SITE, type, type === 'plain' ? [] : FIELD_PARTS)),
    ...Array.from({ length: OBJECTS }, (_, index) => buildContent(index)),
    contentType(SITE, 'hub', [{ handle: 'related', type: 'content_links' }]),
    content({
      id: 'hub',
      site: SITE,
      content_type: 'hub',
      fields: { related: { content_links: Array.from({ length: 40 }, (_, index) => `c_${index}`) } },
    }),
  ]);
  await importRecords(storage, [
    contentType(SITE, 'note', [...FIELD_PARTS, ...LATE_PARTS]),
    ...Array.from({ length: 200 }, (_, index) =>
      content({
        id: `late_${index}`,
        site: SITE,
        fields: { late: { text: `late ${index % 50}` }, late_rank: { number: index % 20 } },
      }),
    ),
  ]);
  lists = await openListRuns(storage, SITE);
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

/** Keys repeat, and a quarter of all values are missing. */
function buildContent(index: number): object {
  const type = TYPES[index % TYPES.length] ?? 'note';
  const values = {
    ...(index % 4 !== 0 && { line: { text: `line ${index % 100}` }, rank: { number: index % 50 } }),
    lit: { is_on: index % 8 < 4 },
  };
  const day = String((index % 28) + 1).padStart(2, '0');
  return content({
    id: `c_${(index * 7919) % OBJECTS}`,
    site: SITE,
    content_type: type,
    language: index % 5 === 0 ? 'fr' : 'en',
    name: `Name ${index % 500}`,
    published_at: `2024-02-${day}T00:00:00+00:00`,
    fields: type === 'plain' ? {} : values,
  });
}

/** The lines of a query plan. */
async function explain({ statement, values, common }: Query): Promise<readonly string[]> {
  const explained = defineStatement((traits) => sql`explain query plan ${statement.build(traits)}`);
  const rows = await storage.read(query<{ detail: string }>(explained, { ...common, ...values }));
  return rows.map(({ detail }) => detail);
}

function findPlanFaults(plan: readonly string[]): readonly string[] {
  return plan.filter((line) => {
    if (/TEMP B-TREE/.test(line)) return true;
    // A scan reads a table or an index from end to end. A constant row is not a scan.
    if (/^SCAN (?!CONSTANT)/.test(line)) return true;
    if (!/^SEARCH/.test(line)) return false;
    return !/USING (COVERING )?INDEX|USING PRIMARY KEY|USING INTEGER PRIMARY KEY/.test(line);
  });
}

/** Whether each part of the list starts reading its index at the position. The last condition must compare that position's key or ID. */
function entersAtPosition(plan: readonly string[], { values, statement }: Query): boolean {
  const text = JSON.stringify(
    statement
      .build({
        mergesParts: true,
        ordersMissing: true,
        comparesPlaces: false,
        mergesSubqueries: false,
        checksTime: true,
      })
      .toOperationNode(),
  );
  const readsPosition = ['key0', 'id'].some((name) => name in values && text.includes(`{"name":"${name}"}`));
  if (!readsPosition) return true;
  const parts = plan.filter((line) => /^SEARCH (p|v0) USING (COVERING )?INDEX/.test(line));
  const entersThere = /[ (](?:(?:\w*_key|\w+_at|key|id)[<>]\?|\((?:\w*_key|\w+_at|key),id\)[<>]\(\?,\?\))\)$/;
  return parts.length > 0 && parts.every((line) => entersThere.test(line));
}

async function checkPlans(queryString: string, audience: Audience): Promise<number> {
  let checked = 0;
  for (const { kind, queries } of await lists.runPages(queryString, audience)) {
    expect(queries.length, queryString).toBeGreaterThan(0);
    for (const each of queries) {
      const plan = await explain(each);
      const where = `${queryString} (${audience}), ${kind}:\n${plan.join('\n')}`;
      expect(findPlanFaults(plan), where).toEqual([]);
      expect(entersAtPosition(plan, each), `${where}\nstarts at the position`).toBe(true);
      checked += 1;
    }
  }
  return checked;
}

const SHAPES = [...ATTRIBUTES, ...FIELDS].flatMap((key) => DIRECTIONS.map((direction) => `sort=${key}:${direction}`));

test.each([
  '',
  'slug=c-1',
  'sort=name:asc',
  'sort=line.text:desc',
  'content_type=note&content_type=story',
  'fields[number][rank]=6',
])('a list requested with a share link looks up its objects by ID: %s', async (queryString) => {
  for (const fallback of ['', '&fallback_default_language=true']) {
    const { page, queries } = await lists.run(`${queryString}${fallback}`, 'preview', 'hub');
    expect(page.rows.every(({ id }) => id === 'hub' || Number(id.slice(2)) < 40)).toBe(true);
    expect(queries.length).toBeGreaterThan(0);
    for (const each of queries) {
      const plan = await explain(each);
      const where = `${queryString}${fallback}:\n${plan.join('\n')}`;
      expect(where).toMatch(
        /SEARCH published_contents USING COVERING INDEX published_contents_id \(site_no=\? AND language=\? AND id=\?\)/,
      );
      expect(
        plan.filter((line) => /^SCAN (?!CONSTANT|d\b|g\b|\(|\d)/.test(line)),
        where,
      ).toEqual([]);
    }
  }
});

test('the plan analysis detects a sort, a scan, and an index that is not read from the requested position', async () => {
  const explainText = async (text: string) => {
    const rows = await storage.read(
      query<{ detail: string }>(defineStatement(() => sql.raw(`explain query plan ${text}`))),
    );
    return rows.map(({ detail }) => detail);
  };
  expect(findPlanFaults(await explainText('select * from published_contents order by name'))).toHaveLength(2);
  expect(findPlanFaults(await explainText('select id from published_contents'))).toHaveLength(1);
  const [first] = (await lists.run('sort=name:asc&limit=2', 'public')).queries;
  const { page } = await lists.run('sort=name:asc&limit=2', 'public');
  const cursor = lists.cursorOf(page, 'sort=name:asc', 'next_cursor');
  const [after] = (await lists.run(`sort=name:asc&limit=2&cursor=${cursor}`, 'public')).queries;
  if (first === undefined || after === undefined) throw new Error('No query was sent');
  expect(entersAtPosition(await explain(after), after)).toBe(true);
  expect(entersAtPosition(await explain(first), after)).toBe(false);
});

describe.each(['without statistics', 'with statistics'])('the plan for a list, %s', (statistics) => {
  beforeAll(() => {
    if (statistics === 'without statistics') return;
    const database = new DatabaseSync(join(folder, 'galley.db'));
    database.exec('analyze');
    database.close();
  });

  for (const shape of SHAPES) {
    test(`reads ${shape} from an index, in order and starting at the requested position`, async () => {
      let checked = 0;
      for (const filter of ['', '&content_type=note', '&content_type=note&content_type=story']) {
        checked += await checkPlans(`${shape}${filter}`, 'public');
      }
      expect(checked).toBeGreaterThan(20);
    });
  }
});

describe('a filter', () => {
  test.each([
    ['slug=n-5', /_slug \(site_no=\? AND language=\? AND slug=\?/],
    ['slug[]=n-5&slug[]=n-6', /_slug \(site_no=\? AND language=\? AND slug=\?/],
    ['fields[text][line]=x', /texts_(asc|desc) \(field_no=\? AND language=\? AND key=\?/],
    ['fields[number][rank]=5', /numbers_(asc|desc) \(field_no=\? AND language=\? AND key=\?/],
  ])('uses an index to find its objects: %s', async (queryString, index) => {
    const { queries } = await lists.run(queryString, 'public');
    expect(queries.length).toBeGreaterThan(0);
    for (const each of queries) expect((await explain(each)).join('\n')).toMatch(index);
  });
});

describe('a filter that matches half of all objects', () => {
  test.each(SHAPES)('is checked while the index for %s is read in order', async (shape) => {
    for (const { kind, queries } of await lists.runPages(`fields[is_on][lit]=true&${shape}`, 'public')) {
      expect(queries.length).toBeGreaterThan(0);
      for (const each of queries) {
        const plan = await explain(each);
        const where = `${shape}, ${kind}:\n${plan.join('\n')}`;
        expect(findPlanFaults(plan), where).toEqual([]);
        expect(entersAtPosition(plan, each), `${where}\nstarts at the position`).toBe(true);
      }
    }
  });
});

describe('a list with two sort keys', () => {
  test('finds objects with the same first key in the index of the first key, not in the index of the second', async () => {
    const queryString = 'sort[]=name:asc&sort[]=published_at:desc&limit=2';
    const first = await lists.run(queryString, 'public');
    const { queries } = await lists.run(
      `${queryString}&cursor=${lists.cursorOf(first.page, queryString, 'next_cursor')}`,
      'public',
    );
    const plans = await Promise.all(queries.map(explain));
    const equalName = plans.map((plan) => plan.join('\n')).filter((plan) => plan.includes('name_key=?'));
    expect(equalName.length).toBeGreaterThan(0);
    for (const plan of plans) expect(plan.join('\n')).not.toMatch(/_published_at_(asc|desc)/);
  });
});
