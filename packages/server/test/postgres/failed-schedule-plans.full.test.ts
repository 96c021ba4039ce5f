// Failed schedules are rare. PostgreSQL reads them from their own indexes, in every sort order, with and without
// statistics.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFailedSchedules, selectFailedSchedules } from '../../src/storage/contents/schedules.ts';
import { selectRecordsPage } from '../../src/storage/contents/select-records-page.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { EMPTY_RESULT, type Procedure } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { importRecords } from '../storage/editor.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { runOnServer } from '../support/test-server.ts';
import { openPlanners, type Planner } from './explain-query.ts';

const ANY = { search: undefined, typeNo: undefined, language: undefined, authorNo: undefined };
const COLUMNS = { updated_at: 'updated_at', created_at: 'created_at', name: 'name_key' } as const;

let database: PostgresDatabase;
let storage: Storage;
let planners: readonly Planner[];

beforeAll(async () => {
  database = await createPostgresDatabase();
  storage = await openPostgres(database.url.url, Date.now());
  await importRecords(storage, [siteRecord(), typeRecord(), postRecord('c_first', { status: 'draft' })]);
  await runOnServer(database.url.url, 'alter table contents set (autovacuum_enabled = false)');
  await runOnServer(
    database.url.url,
    `insert into contents (site_no, id, type_no, language, translation_group, status, slug, name, name_key, newest_version,
        created_at, updated_at, failed_action, failed_due_at, failed_at)
      select c.site_no, 'c_' || n, c.type_no, c.language, 'g_' || n, 'draft', 's-' || n, c.name, 'name ' || n % 500, 1, n, n,
        case when n % 100 = 0 then 'publish' end, case when n % 100 = 0 then n end, case when n % 100 = 0 then n end
      from generate_series(1, 20000) as n join contents as c on c.id = 'c_first'`,
  );
  planners = await openPlanners(database.url.url);
});

afterAll(async () => {
  await Promise.all(planners.map((planner) => planner.close()));
  await storage.close();
  await database.remove();
});

async function explain(build: () => Procedure<unknown>): Promise<readonly string[]> {
  const step = build().next(EMPTY_RESULT);
  if (step.done) throw new Error('No query was sent');
  return Promise.all(planners.map(async (planner) => JSON.stringify(await planner.explain(step.value))));
}

test.each(['without', 'with'])('%s statistics, only the failed schedules themselves are read', async (statistics) => {
  if (statistics === 'with') await runOnServer(database.url.url, 'analyze contents');
  for (const sort of ['updated_at', 'created_at', 'name'] as const) {
    for (const isDescending of [true, false]) {
      for (const after of [undefined, { key: sort === 'name' ? 'name 2' : 5000, no: 1 }]) {
        const filter = { ...ANY, state: 'failed' } as const;
        for (const plan of await explain(() => selectRecordsPage(1, filter, { sort, isDescending }, after, 50))) {
          expect(plan).toContain(`"contents_failed_${COLUMNS[sort]}"`);
          expect(plan).not.toMatch(/"Sort"|Seq Scan|Bitmap/);
        }
      }
    }
  }
  for (const plan of await explain(() => selectFailedSchedules(1, 10))) expect(plan).toContain('"contents_failed_at"');
  for (const plan of await explain(() => countFailedSchedules(1))) expect(plan).toContain('"contents_failed_');
});
