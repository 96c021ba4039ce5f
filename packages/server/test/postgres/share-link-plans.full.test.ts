// On PostgreSQL, a list requested with a share link looks up its objects by ID, however large the site is. `storage/query-plans.test.ts`
// tests the same on SQLite.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { importRecords } from '../storage/editor.ts';
import { type ListRuns, openListRuns } from '../storage/list-runs.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { runOnServer } from '../support/test-server.ts';
import { openPlanners, type Planner } from './explain-query.ts';
import { sumRead } from './find-plan-faults.ts';

const SITE = 's_plans';
const OBJECTS = 5000;
/** How many objects the shared content links to. */
const LINKS = 40;
/** The limit for the rows read. Each linked object is looked up in a few indexes. */
const MOST_READ = 10 * LINKS;

const FIELDS = [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
  { handle: 'related', type: 'content_links' },
];

let database: PostgresDatabase;
let storage: Storage;
let lists: ListRuns;
let planners: readonly Planner[];

beforeAll(async () => {
  database = await createPostgresDatabase();
  storage = await openPostgres(database.url.url, Date.now());
  const links = Array.from({ length: LINKS }, (_, index) => `c_${index * 7}`);
  await importRecords(storage, [
    site(SITE, { languages: ['en', 'fr'] }),
    ...['note', 'story'].map((type) => contentType(SITE, type, FIELDS)),
    ...Array.from({ length: OBJECTS }, (_, index) =>
      content({
        id: `c_${index}`,
        site: SITE,
        content_type: index % 2 === 0 ? 'note' : 'story',
        fields: { line: { text: `line ${index % 100}` }, rank: { number: index % 2 } },
      }),
    ),
    content({ id: 'c_hub', site: SITE, status: 'draft', fields: { related: { content_links: links } } }),
  ]);
  lists = await openListRuns(storage, SITE);
  planners = await openPlanners(database.url.url);
});

afterAll(async () => {
  await Promise.all(planners.map((planner) => planner.close()));
  await storage.close();
  await database.remove();
});

describe.each(['without', 'with'])('%s statistics', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with') await runOnServer(database.url.url, 'analyze');
  });

  test.each([
    ['', LINKS + 1],
    ['sort=name:asc', LINKS + 1],
    ['sort=line.text:desc', LINKS + 1],
    ['content_type=note&content_type=story', LINKS + 1],
    ['content_type=story', LINKS / 2],
    ['fields[number][rank]=1', LINKS / 2],
  ])('a list requested with a share link reads only its own objects: %s', async (queryString, count) => {
    for (const fallback of ['', '&fallback_default_language=true']) {
      const { page, queries } = await lists.run(`${queryString}&limit=100${fallback}`, 'preview', 'c_hub');
      expect(page.rows).toHaveLength(count);
      expect(queries.length).toBeGreaterThan(0);
      for (const { name, explain } of planners) {
        for (const each of queries) {
          const plan = await explain(each);
          expect(sumRead(plan), `${fallback} ${name}:\n${JSON.stringify(plan, null, 1)}`).toBeLessThan(MOST_READ);
        }
      }
    }
  });
});
