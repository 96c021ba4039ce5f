// Every list with one sort key is read from a few index ranges, each in order from the requested position and no further than the page
// needs. The tests explain the service's own statements on a large site, with statistics and without them, as after an import.

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectSharedPlaces, selectSharingPages, selectUriHolders } from '../../src/storage/contents/published-uris.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { defineStatement, EMPTY_RESULT, type Procedure, type Query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { proofSize } from '../oracle/proof.ts';
import { importRecords } from '../storage/editor.ts';
import { type ListRuns, openListRuns } from '../storage/list-runs.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { runOnServer } from '../support/test-server.ts';
import { openPlanners, openWritingPlanners, type Planner } from './explain-query.ts';
import { findPlanFaults, type PlanNode, sumRead, sumRemoved } from './find-plan-faults.ts';

const SITE = 's_plans';
/** Lower by default, because most of the test's time is spent filling the indexes. */
const OBJECTS = proofSize(20_000, 100_000);
const TYPES = ['note', 'story', 'plain'];
const ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'];
const FIELDS = ['line.text', 'rank.number', 'rare.text', 'rare_rank.number', 'late.text', 'late_rank.number'];
const SHAPES = [...ATTRIBUTES, ...FIELDS].flatMap((key) => ['asc', 'desc'].map((way) => `sort=${key}:${way}`));

/** Three quarters of the objects have a value in `line` and `rank`, and three hundred have one in `rare` and `rare_rank`. */
const FIELD_PARTS = [
  ...['line', 'rare'].flatMap((handle) => [
    { handle, type: 'text' },
    { handle: handle === 'line' ? 'rank' : 'rare_rank', type: 'number' },
  ]),
  { handle: 'lit', type: 'boolean' },
  { handle: 'flagged', type: 'boolean' },
  // These switches are always on, so that the statistics show `on` as a common value.
  ...['shown', 'listed', 'indexed'].map((handle) => ({ handle, type: 'boolean' })),
];
/** Added after the content, so there are no rows that mark these values as missing. */
const LATE_PARTS = [
  { handle: 'late', type: 'text' },
  { handle: 'late_rank', type: 'number' },
];

let database: PostgresDatabase;
let storage: Storage;
let lists: ListRuns;
let planners: readonly Planner[];
let writingPlanners: readonly Planner[];

beforeAll(async () => {
  const created = await createPostgresDatabase();
  database = created;
  storage = await openPostgres(created.url.url, Date.now());
  await importRecords(storage, [
    site(SITE, { languages: ['en', 'fr'] }),
    ...TYPES.map((type) => contentType(SITE, type, type === 'plain' ? [] : FIELD_PARTS, { object_type: 'page' })),
    ...TYPES.map((type) => content({ id: `first_${type}`, site: SITE, content_type: type })),
  ]);
  const values = { late: { text: 'late' }, late_rank: { number: 1 } };
  await importRecords(storage, [
    contentType(SITE, 'note', [...FIELD_PARTS, ...LATE_PARTS], { object_type: 'page' }),
    ...Array.from({ length: 200 }, (_, index) => content({ id: `late_${index}`, site: SITE, fields: values })),
  ]);
  // Otherwise the server could gather statistics at any time.
  for (const table of ['contents', 'texts', 'numbers', 'tokens']) {
    await runOnServer(created.url.url, `alter table published_${table} set (autovacuum_enabled = false)`);
  }
  lists = await openListRuns(storage, SITE, [20, 100, 100, 100]);
  // The copies share the bodies and IDs of these objects. Galley checks each body once, on the first read.
  await lists.run('', 'public');
  for (const text of FILL) await runOnServer(created.url.url, text);
  planners = await openPlanners(created.url.url);
  writingPlanners = await openWritingPlanners(created.url.url);
});

afterAll(async () => {
  await Promise.all([...planners, ...writingPlanners].map((planner) => planner.close()));
  await storage.close();
  await database.remove();
});

/** One object in three hundred has the URL of another one. */
const URI = `'u/' || case when n % 300 = 4 then n - 3 else n end`;
/** Copies of the first object of each type, with repeating sort keys. */
const FILL = [
  `insert into published_contents (content_no, site_no, language, type_no, author_no, translation_group, id, slug, name,
      uri, name_key, slug_key, uri_key, published_at, created_at, updated_at)
    select 1000 + n, p.site_no, case when n % 5 = 0 then 'fr' else 'en' end, p.type_no, p.author_no, 'g' || n,
      'c_' || lpad(((n * 7919) % ${OBJECTS})::text, 6, '0'), 's-' || n, p.name, ${URI}, 'name ' || n % 5000, 's-' || n,
      ${URI}, 1700000000000 + n % 365 * 86400000, 1600000000000 + n, 1700000000000 + n / 3
    from generate_series(0::bigint, ${OBJECTS - 1}) as n
    join published_contents as p on p.id = (array['first_note', 'first_story', 'first_plain'])[1 + n % 3]`,
  `insert into published_bodies (content_no, body)
    select p.content_no, b.body from published_contents as p
    join published_contents as f on f.type_no = p.type_no and f.id like 'first_%'
    join published_bodies as b on b.content_no = f.content_no where p.content_no >= 1000`,
  ...[
    ['texts', 'text', `'line ' || p.content_no % 1000`],
    ['numbers', 'number', 'p.content_no % 500'],
  ].map(
    ([table, type, value]) => `insert into published_${table} (content_no, field_no, language, key, id)
      select p.content_no, f.no, p.language, case
          when f.handle in ('line', 'rank') and p.content_no % 4 <> 0 then ${value}
          when f.handle like 'rare%' and p.content_no % ${Math.floor(OBJECTS / 300)} = 0 then ${value} end, p.id
      from published_contents as p join fields as f on f.type_no = p.type_no and f.type = '${type}'
      where p.content_no >= 1000 and f.handle not like 'late%'`,
  ),
  `insert into published_tokens (field_no, token, language, content_no)
    select f.no, case
        when f.handle = 'lit' and (p.content_no + p.content_no / 500) % 2 = 0 then '1'
        when f.handle = 'flagged' and p.content_no % 500 = 7 then '1'
        when f.handle in ('shown', 'listed', 'indexed') then '1' else '0' end, p.language, p.content_no
    from published_contents as p join fields as f on f.type_no = p.type_no and f.type = 'boolean'
    where p.content_no >= 1000`,
  `update content_counts set total = total + ${Math.floor(OBJECTS / TYPES.length)}`,
];

interface ExplainedQuery {
  readonly planner: string;
  readonly kind: string;
  readonly plan: PlanNode;
}

function firstQuery(procedure: Procedure<unknown>): Query {
  const step = procedure.next(EMPTY_RESULT);
  if (step.done) throw new Error('No query was sent');
  return step.value;
}

/** The plans of all queries for all kinds of pages. */
async function explainPages(queryString: string): Promise<readonly ExplainedQuery[]> {
  return explainQueries(await lists.runPages(queryString, 'public'));
}

async function explainFirstPage(queryString: string): Promise<readonly ExplainedQuery[]> {
  return explainQueries([{ kind: 'first page', ...(await lists.run(queryString, 'public')) }]);
}

/** The query plans, from each planner. */
async function explainQueries(
  pages: readonly { readonly kind: string; readonly queries: readonly Query[] }[],
): Promise<readonly ExplainedQuery[]> {
  const explained = planners.map(async ({ name, explain }) => {
    const found: ExplainedQuery[] = [];
    for (const { kind, queries } of pages) {
      for (const each of queries) found.push({ planner: name, kind, plan: await explain(each) });
    }
    return found;
  });
  return (await Promise.all(explained)).flat();
}

describe.each(['without', 'with'])('on PostgreSQL, %s statistics, the plan', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with') await runOnServer(database.url.url, 'analyze');
  });

  test.each(SHAPES)('reads %s from an index, in order and starting at the requested position', async (shape) => {
    let checked = 0;
    for (const filter of ['', '&content_type=note', '&content_type=note&content_type=story']) {
      for (const { planner, plan, kind } of await explainPages(`${shape}${filter}`)) {
        const where = `${shape}${filter}, ${kind}, ${planner}:\n${JSON.stringify(plan, null, 1)}`;
        expect(findPlanFaults(plan), where).toEqual([]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(40);
  });

  test.each([
    ['half of all objects', 'fields[is_on][lit]=true', true],
    ['one object in five hundred', 'fields[number][rank]=6', true],
    ['few objects, by a value that is common in other fields', 'fields[is_on][flagged]=true', true],
    ['one object in a thousand', 'fields[number][rank]=6&fields[is_on][lit]=true', true],
    ['no objects', 'fields[number][rank]=0.5', false],
  ])('reads little more than the page for a filter that matches %s', async (_share, filter, isMet) => {
    const sorts = [
      '',
      'sort=name:asc',
      'sort=line.text:desc',
      'sort=rank.number:asc',
      'sort=rank.number:asc&sort=name:desc',
    ];
    for (const sort of sorts) {
      const first = await lists.run(`${filter}&${sort}`, 'public');
      expect(first.page.rows.length > 0).toBe(isMet);
      for (const { planner, plan } of await explainQueries([{ kind: 'first page', ...first }])) {
        const where = `${filter}&${sort}, ${planner}:\n${JSON.stringify(plan, null, 1)}`;
        expect(JSON.stringify(plan), where).not.toMatch(/Seq Scan|Hash/);
        expect(sumRead(plan), where).toBeLessThan(1500);
      }
    }
  });

  test("never uses another key's index when sorting by several keys", async () => {
    for (const shape of ['sort=name:desc&sort=published_at:asc', 'sort=published_at:asc&sort=uri:desc']) {
      for (const { planner, plan, kind } of await explainPages(shape)) {
        const where = `${shape}, ${kind}, ${planner}:\n${JSON.stringify(plan, null, 1)}`;
        expect(sumRemoved(plan), where).toBeLessThan(OBJECTS / 10);
      }
    }
  });

  test("finds pages at a URL by the URL's key", async () => {
    const place = { siteNo: 1, language: 'en', uri: 'u/77', exceptNo: 5, otherLanguages: ['de', 'fr'] };
    for (const { name, explain } of planners) {
      const plan = await explain(firstQuery(selectUriHolders(place)));
      const where = `${name}:\n${JSON.stringify(plan, null, 1)}`;
      expect(where).toContain('published_contents_uri_key_');
      expect(sumRead(plan), where).toBeLessThan(20);
      expect(sumRemoved(plan), where).toBeLessThan(20);
    }
  });

  test('finds shared URLs in one pass over the site, and their pages by the key of the URL', async () => {
    const places = await storage.read(selectSharedPlaces(1, undefined));
    expect(places.length).toBeGreaterThan(OBJECTS / 1000);
    const place = { language: 'en', key: 'u/1' };
    expect(await storage.read(selectSharingPages(1, place, undefined))).toHaveLength(2);
    for (const { name, explain } of writingPlanners) {
      const pass = await explain(firstQuery(selectSharedPlaces(1, undefined)));
      // A row can be counted three times: in an index, in the table, and in a group of one.
      expect(sumRead(pass), `${name}:\n${JSON.stringify(pass, null, 1)}`).toBeLessThan(4 * OBJECTS);
      const plan = await explain(firstQuery(selectSharingPages(1, place, undefined)));
      const where = `${name}:\n${JSON.stringify(plan, null, 1)}`;
      expect(where).toContain('published_contents_uri_key_');
      expect(sumRead(plan), where).toBeLessThan(20);
    }
  });

  test('the analysis detects sorts and full scans', async () => {
    for (const { explain } of planners) {
      const explainText = (text: string) =>
        explain({ statement: defineStatement(() => sql.raw(text)), values: {}, common: {} });
      const sorted = await explainText('select id from published_contents order by name');
      expect(findPlanFaults(sorted).join()).toMatch(/Sort.*Scan/);
      const filtered = await explainText(
        `select id from published_contents where name = 'x' order by content_no limit 5`,
      );
      expect(findPlanFaults(filtered)).not.toEqual([]);
    }
  });
});

test.each(['slug=s-77', 'slug=s-77&content_type=story', 'slug=s-77&sort=name:asc', 'slug=none'])(
  'with statistics, the plan for %s looks up content by slug',
  async (filter) => {
    await runOnServer(database.url.url, 'analyze');
    const explained = await explainFirstPage(filter);
    expect(explained).toHaveLength(planners.length);
    for (const { planner, plan } of explained) {
      const where = `${filter}, ${planner}:\n${JSON.stringify(plan, null, 1)}`;
      expect(sumRead(plan), where).toBeLessThan(10);
    }
  },
);
