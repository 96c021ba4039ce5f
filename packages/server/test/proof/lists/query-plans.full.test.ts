// PostgreSQL's plans for the service's own statements on a large site, with statistics and without them, as after an import. Every list
// with one sort key is read from a few index ranges, each in order from the requested position and no further than the page needs.
// `storage/query-plans.test.ts` tests the plans of SQLite.

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  selectSharedPlaces,
  selectSharingPages,
  selectUriHolders,
} from '../../../src/storage/contents/published-uris.ts';
import { countFailedSchedules, selectFailedSchedules } from '../../../src/storage/contents/schedules.ts';
import { selectRecordsPage } from '../../../src/storage/contents/select-records-page.ts';
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts';
import { selectFolderCounts } from '../../../src/storage/sites/asset-folders.ts';
import { selectAssetPage } from '../../../src/storage/sites/asset-list.ts';
import { selectTagCounts, selectTagsOf } from '../../../src/storage/sites/asset-tags.ts';
import { defineStatement, EMPTY_RESULT, type Procedure, type Query } from '../../../src/storage/statement.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { deleteOldCalls } from '../../../src/storage/webhooks/old-calls.ts';
import { content, contentType, site } from '../../conformance/records.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { openPlanners, openWritingPlanners, type Planner } from '../../postgres/explain-query.ts';
import { findPlanFaults, type PlanNode, sumRead, sumRemoved } from '../../postgres/find-plan-faults.ts';
import { importRecords } from '../../storage/editor.ts';
import { type ListRuns, openListRuns } from '../../storage/list-runs.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/test-database.ts';
import { runOnServer } from '../../support/test-server.ts';

const SITE = 's_plans';
/** Lower by default, because most of the test's time is spent filling the indexes. */
const OBJECTS = proofSize(10_000, 100_000);
/** The numbers of assets, drafts and webhook calls. */
const OTHERS = proofSize(6000, 20_000);
/** How many objects the shared content links to. */
const LINKS = 40;
const TYPES = ['note', 'story', 'plain'];
const ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'];
const FIELDS = ['line.text', 'rank.number', 'rare.text', 'rare_rank.number', 'late.text', 'late_rank.number'];
const SHAPES = [...ATTRIBUTES, ...FIELDS].flatMap((key) => ['asc', 'desc'].map((way) => `sort=${key}:${way}`));

const FILTERS = ['', '&content_type=note&content_type=story', '&content_type=note'].slice(0, proofSize(2, 3));

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
  { handle: 'related', type: 'content_links' },
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
let opened: readonly Planner[];
let total = 0;

beforeAll(async () => {
  const created = await createPostgresDatabase();
  database = created;
  storage = await openPostgres(created.url.url, Date.now());
  await importRecords(storage, [
    site(SITE, { languages: ['en', 'fr'] }),
    ...TYPES.map((type) => contentType(SITE, type, type === 'plain' ? [] : FIELD_PARTS, { object_type: 'page' })),
    ...TYPES.map((type) => content({ id: `first_${type}`, site: SITE, content_type: type })),
    ...Array.from({ length: LINKS }, (_, index) =>
      content({
        id: `linked_${index}`,
        site: SITE,
        content_type: index % 2 === 0 ? 'note' : 'story',
        fields: { line: { text: `line ${index}` }, rank: { number: index % 2 } },
      }),
    ),
    content({
      id: 'c_hub',
      site: SITE,
      status: 'draft',
      fields: { related: { content_links: Array.from({ length: LINKS }, (_, index) => `linked_${index}`) } },
    }),
    { kind: 'asset', id: 'a_first', site: SITE, name: 'First', url: '/a.png' },
  ]);
  const values = { late: { text: 'late' }, late_rank: { number: 1 } };
  await importRecords(storage, [
    contentType(SITE, 'note', [...FIELD_PARTS, ...LATE_PARTS], { object_type: 'page' }),
    ...Array.from({ length: 200 }, (_, index) => content({ id: `late_${index}`, site: SITE, fields: values })),
  ]);
  // Otherwise the server could gather statistics at any time.
  const published = ['contents', 'texts', 'numbers', 'tokens'].map((name) => `published_${name}`);
  for (const table of [...published, 'assets', 'asset_tags', 'contents', 'webhook_calls']) {
    await runOnServer(created.url.url, `alter table ${table} set (autovacuum_enabled = false)`);
  }
  lists = await openListRuns(storage, SITE);
  // The copies share the bodies and IDs of these objects. Galley checks each body once, on the first read.
  await lists.run('', 'public');
  for (const text of FILL) await runOnServer(created.url.url, text);
  writingPlanners = await openWritingPlanners(created.url.url);
  const all = await openPlanners(created.url.url);
  opened = [...all, ...writingPlanners];
  // The first two differ only in the stamp.
  planners = all.slice(proofSize(1, 0));
});

afterAll(async () => {
  reportProof(`${total} plans for lists of ${OBJECTS} objects: each read from its index, at the requested position`);
  await Promise.all(opened.map((planner) => planner.close()));
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
  `update content_counts set total = total + ${Math.floor(OBJECTS / TYPES.length)} where status = 'published'`,
  // One draft in a hundred has a schedule that failed.
  `insert into contents (site_no, id, type_no, language, translation_group, status, slug, name, name_key, newest_version,
      created_at, updated_at, failed_action, failed_due_at, failed_at)
    select c.site_no, 'd_' || n, c.type_no, c.language, 'd_' || n, 'draft', 'd-' || n, c.name, 'name ' || n % 500, 1, n, n,
      case when n % 100 = 0 then 'publish' end, case when n % 100 = 0 then n end, case when n % 100 = 0 then n end
    from generate_series(1, ${OTHERS}) as n join contents as c on c.id = 'c_hub'`,
  `insert into assets (site_no, id, name, name_key, search_key, path, url, extension, size, mime_type, folder, folder_key,
      created_at)
    select a.site_no, 'a_' || n, 'Name ' || n, 'name ' || n % 5000, 'name ' || n, 'x', '/x', 'png', n % 1000, 'image/png',
      'folder ' || n % 10, 'folder ' || n % 10, n
    from generate_series(1, ${OTHERS}) as n join assets as a on a.id = 'a_first'`,
  `insert into asset_tags (site_no, asset_no, tag_key, tag)
    select site_no, no, 'frequent', 'frequent' from assets where no % 3 = 0 union all
    select site_no, no, 'rare', 'rare' from assets where no % 500 = 0`,
  `insert into webhook_calls (site_no, webhook_no, id, type, events, state, created_at, next_at, ended_at, request_body)
    select 1, n % 10, 'msg_' || n, 'content.updated', '[]', case when n % 3 = 0 then 'waiting' else 'delivered' end, n,
      case when n % 3 = 0 then n end, case when n % 3 <> 0 then n end, repeat('body ', 200)
    from generate_series(1, ${OTHERS}) as n`,
];

interface ExplainedQuery {
  readonly planner: string;
  readonly kind: string;
  readonly plan: PlanNode;
}

/** What must be true of each planner's plan for a query. */
interface Expected {
  readonly name: string;
  readonly query: Query;
  /** The start of the name of an index that the plan must use. */
  readonly uses?: string;
  /** The plan reads fewer rows than this. */
  readonly reads?: number;
  /** The plan reads index ranges in order. */
  readonly inOrder?: boolean;
  readonly never?: RegExp;
}

/** @param counted the results of the queries before the one to explain */
function findQuery(procedure: Procedure<unknown>, counted: readonly number[] = []): Query {
  let step = procedure.next(EMPTY_RESULT);
  for (const total of counted) step = procedure.next({ columns: ['total'], rows: [[total]] });
  if (step.done) throw new Error('No query was sent');
  return step.value;
}

const UNREAD = /"Sort"|Seq Scan|Bitmap/;
const ASSET_INDEXES = { name: 'name', created_at: 'created', size: 'size' } as const;
const FAILED_INDEXES = { updated_at: 'updated_at', created_at: 'created_at', name: 'name_key' } as const;
const DIRECTIONS = [false, true];

function listAssetPlans(): readonly Expected[] {
  return (['name', 'created_at', 'size'] as const).flatMap((sort) =>
    DIRECTIONS.flatMap((isDescending) =>
      [undefined, { key: sort === 'name' ? 'name 2500' : 500, no: 9000 }].flatMap((after) =>
        [undefined, 'folder 3'].flatMap((folder): readonly Expected[] => {
          const uses = `assets_${folder === undefined ? '' : 'folder_'}${ASSET_INDEXES[sort]}"`;
          const page = (tag?: string) =>
            selectAssetPage(1, { search: undefined, kind: undefined, folder, tag }, { sort, isDescending }, after, 50);
          return [
            { name: 'assets', query: findQuery(page()), uses, inOrder: true },
            { name: 'assets with a frequent tag', query: findQuery(page('frequent'), [1001]), uses, inOrder: true },
            {
              name: 'assets with a rare tag',
              query: findQuery(page('rare'), [40]),
              uses: 'asset_tags_site"',
              reads: 400,
            },
          ];
        }),
      ),
    ),
  );
}

function listFailedSchedulePlans(): readonly Expected[] {
  const filter = {
    search: undefined,
    typeNo: undefined,
    language: undefined,
    authorNo: undefined,
    state: 'failed',
  } as const;
  return (['updated_at', 'created_at', 'name'] as const).flatMap((sort) =>
    DIRECTIONS.flatMap((isDescending) =>
      [undefined, { key: sort === 'name' ? 'name 2' : 5000, no: 1 }].map((after) => ({
        name: 'failed schedules',
        query: findQuery(selectRecordsPage(1, filter, { sort, isDescending }, after, 50)),
        uses: `contents_failed_${FAILED_INDEXES[sort]}"`,
        never: UNREAD,
      })),
    ),
  );
}

const PLACE = { siteNo: 1, language: 'en', uri: 'u/77', exceptNo: 5, otherLanguages: ['de', 'fr'] };
const SHARED_PLACE = { language: 'en', key: 'u/1' };

const PLANS: readonly Expected[] = [
  ...listAssetPlans(),
  { name: 'tags of assets', query: findQuery(selectTagsOf([1, 2, 3])), never: /Seq Scan/ },
  { name: 'tag counts', query: findQuery(selectTagCounts(1, 10)), uses: 'asset_tags_site"' },
  { name: 'folder counts', query: findQuery(selectFolderCounts(1, 10)), uses: 'assets_folder_' },
  ...listFailedSchedulePlans(),
  { name: 'the latest failed schedules', query: findQuery(selectFailedSchedules(1, 10)), uses: 'contents_failed_at"' },
  { name: 'the number of failed schedules', query: findQuery(countFailedSchedules(1)), uses: 'contents_failed_' },
  { name: 'old webhook calls', query: findQuery(deleteOldCalls(1, 1000)), uses: 'webhook_calls_ended"', never: UNREAD },
  { name: 'pages at a URL', query: findQuery(selectUriHolders(PLACE)), uses: 'published_contents_uri_key_', reads: 20 },
];

const WRITER_PLANS: readonly Expected[] = [
  // A row can be counted three times: in an index, in the table, and in a group of one.
  { name: 'shared URLs', query: findQuery(selectSharedPlaces(1, undefined)), reads: 4 * OBJECTS },
  {
    name: 'pages at a shared URL',
    query: findQuery(selectSharingPages(1, SHARED_PLACE, undefined)),
    uses: 'published_contents_uri_key_',
    reads: 20,
  },
];

async function checkPlan(
  { name, query, uses, reads, inOrder, never }: Expected,
  by: readonly Planner[],
): Promise<void> {
  for (const planner of by) {
    const plan = await planner.explain(query);
    const where = `${name}, ${planner.name}:\n${JSON.stringify(plan, null, 1)}`;
    if (uses !== undefined) expect(where).toContain(`"${uses}`);
    if (reads !== undefined) expect(sumRead(plan), where).toBeLessThan(reads);
    if (inOrder === true) expect(findPlanFaults(plan), where).toEqual([]);
    if (never !== undefined) expect(where).not.toMatch(never);
  }
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
    for (const filter of FILTERS) {
      for (const { planner, plan, kind } of await explainPages(`${shape}${filter}`)) {
        const where = `${shape}${filter}, ${kind}, ${planner}:\n${JSON.stringify(plan, null, 1)}`;
        expect(findPlanFaults(plan), where).toEqual([]);
        checked += 1;
        total += 1;
      }
    }
    expect(checked).toBeGreaterThan(30);
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

  test.each([
    ['', LINKS + 1],
    ['sort=name:asc', LINKS + 1],
    ['sort=line.text:desc', LINKS + 1],
    ['content_type=note&content_type=story', LINKS + 1],
    ['content_type=story', LINKS / 2],
    ['fields[number][rank]=1', LINKS / 2],
  ])('reads only the shared objects for a list requested with a share link: %s', async (queryString, count) => {
    for (const fallback of ['', '&fallback_default_language=true']) {
      const { page, queries } = await lists.run(`${queryString}&limit=100${fallback}`, 'preview', 'c_hub');
      expect(page.rows).toHaveLength(count);
      expect(queries.length).toBeGreaterThan(0);
      // Each linked object is looked up in a few indexes.
      for (const query of queries) await checkPlan({ name: fallback, query, reads: 10 * LINKS }, planners);
    }
  });

  test('uses the right index and reads no more than it needs: all other statements', async () => {
    for (const expected of PLANS) await checkPlan(expected, planners);
    for (const expected of WRITER_PLANS) await checkPlan(expected, writingPlanners);
    expect((await storage.read(selectSharedPlaces(1, undefined))).length).toBeGreaterThan(OBJECTS / 1000);
    expect(await storage.read(selectSharingPages(1, SHARED_PLACE, undefined))).toHaveLength(2);
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

  // Without statistics, the planner does not know how few objects have the same slug.
  if (statistics === 'without') return;
  test.each(['slug=s-77', 'slug=s-77&content_type=story', 'slug=s-77&sort=name:asc', 'slug=none'])(
    'looks up content by slug: %s',
    async (filter) => {
      const explained = await explainFirstPage(filter);
      expect(explained).toHaveLength(planners.length);
      for (const { planner, plan } of explained) {
        const where = `${filter}, ${planner}:\n${JSON.stringify(plan, null, 1)}`;
        expect(sumRead(plan), where).toBeLessThan(10);
      }
    },
  );
});
