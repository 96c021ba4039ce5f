// PostgreSQL finds the calls that ended first in an index, without reading the calls, with and without statistics.
// `management/audit-plans.test.ts` tests the same on SQLite.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { EMPTY_RESULT } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { deleteOldCalls } from '../../src/storage/webhooks/old-calls.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/test-database.ts';
import { runOnServer } from '../support/test-server.ts';
import { openPlanners, type Planner } from './explain-query.ts';

let database: PostgresDatabase;
let storage: Storage;
let planners: readonly Planner[];

beforeAll(async () => {
  database = await createPostgresDatabase();
  storage = await openPostgres(database.url.url, Date.now());
  await runOnServer(database.url.url, 'alter table webhook_calls set (autovacuum_enabled = false)');
  await runOnServer(
    database.url.url,
    `insert into webhook_calls (site_no, webhook_no, id, type, events, state, created_at, next_at, ended_at, request_body)
      select 1, n % 10, 'msg_' || n, 'content.updated', '[]', case when n % 3 = 0 then 'waiting' else 'delivered' end, n,
        case when n % 3 = 0 then n end, case when n % 3 <> 0 then n end, repeat('body ', 200)
      from generate_series(1, 20000) as n`,
  );
  planners = await openPlanners(database.url.url);
});

afterAll(async () => {
  await Promise.all(planners.map((planner) => planner.close()));
  await storage.close();
  await database.remove();
});

test.each(['without', 'with'])('%s statistics, old calls are read in the order they ended', async (statistics) => {
  if (statistics === 'with') await runOnServer(database.url.url, 'analyze webhook_calls');
  const step = deleteOldCalls(1, 1000).next(EMPTY_RESULT);
  if (step.done) throw new Error('No query was sent');
  for (const planner of planners) {
    const plan = JSON.stringify(await planner.explain(step.value));
    expect(plan, planner.name).toContain('"webhook_calls_ended"');
    expect(plan, planner.name).not.toMatch(/"Sort"|Seq Scan|Bitmap/);
  }
});
