// SQLite's plan for the first query of a procedure, line by line.

import { sql } from 'kysely';
import { defineStatement, EMPTY_RESULT, type Procedure, query } from '../../src/storage/statement.ts';
import type { Storage } from '../../src/storage/storage.ts';

export async function explainPlan(storage: Storage, procedure: Procedure<unknown>): Promise<readonly string[]> {
  const step = procedure.next(EMPTY_RESULT);
  if (step.done) throw new Error('No query was sent');
  const { statement, values } = step.value;
  const explained = defineStatement((traits) => sql`explain query plan ${statement.build(traits)}`);
  return (await storage.read(query<{ detail: string }>(explained, values))).map(({ detail }) => detail);
}
