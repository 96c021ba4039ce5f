// Explains the service's own statements in three ways. The first two use connections that reuse plans; the second also reads the stamp of
// the state. The third uses a connection that keeps no state and plans each execution for its values, as behind a pooler.

import { Client } from 'pg';
import { compileQuery } from '../../src/storage/postgres/compile-query.ts';
import { BEGIN_REQUEST, buildBeginWriting } from '../../src/storage/postgres/moments.ts';
import { buildOpenReading } from '../../src/storage/postgres/session.ts';
import type { Query } from '../../src/storage/statement.ts';
import type { PlanNode } from './find-plan-faults.ts';

export interface Planner {
  readonly name: string;
  explain(asked: Query): Promise<PlanNode>;
  close(): Promise<void>;
}

export async function openPlanners(url: string): Promise<readonly Planner[]> {
  return [
    buildPlanner('planned once', await openSession(url), BEGIN_REQUEST.inSession),
    buildPlanner('planned once, with the stamp', await openSession(url), BEGIN_REQUEST.inSession, true),
    buildPlanner('planned for its values', await connect(url), BEGIN_REQUEST.anywhere),
  ];
}

/** Explains the statements of a write transaction in two ways: with plans that the connection keeps, and as behind a pooler. */
export async function openWritingPlanners(url: string): Promise<readonly Planner[]> {
  return [
    buildPlanner('kept by a writer', await connect(url), buildBeginWriting(1000, true)),
    buildPlanner('planned by a writer', await connect(url), buildBeginWriting(1000)),
  ];
}

async function openSession(url: string): Promise<Client> {
  const session = await connect(url);
  const { rows } = await session.query('select pg_backend_pid() as process');
  await session.query(buildOpenReading(Number(rows[0]?.process)));
  return session;
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

function buildPlanner(name: string, client: Client, begin: string, isStamped = false): Planner {
  return {
    name,
    explain: async (asked) => {
      const { text, stamped, values } = compileQuery(asked);
      const cells = values.map((value) => (value === null ? 'null' : client.escapeLiteral(String(value))));
      const run = cells.length === 0 ? 'asked' : `asked(${cells.join(', ')})`;
      await client.query(`${begin}; prepare asked as ${isStamped ? stamped.text : text}`);
      const { rows } = await client.query({
        text: `explain (analyze, format json, costs off, timing off) execute ${run}`,
        rowMode: 'array',
      });
      await client.query('rollback; deallocate asked');
      const plan: PlanNode = rows[0]?.[0]?.[0]?.Plan;
      return isStamped ? findJoined(plan) : plan;
    },
    close: () => client.end(),
  };
}

/** The plan of the statement itself, which is joined to the one row with the stamp. */
function findJoined(plan: PlanNode): PlanNode {
  const [moments, joined] = plan.Plans ?? [];
  return moments?.['Relation Name'] === 'database_moments' && joined !== undefined ? joined : plan;
}
