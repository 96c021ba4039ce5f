// Looks at a database without changing it: no migration, no new table.

import type { Procedure } from '../statement.ts';
import { selectServer } from './check-server.ts';
import { Connections, endTransaction } from './connections.ts';
import { nameDatabase } from './name-database.ts';
import { translateOpenError } from './postgres-errors.ts';
import { runProcedure, sendText } from './run-procedure.ts';

export interface PostgresInspection {
  /** Such as `127.0.0.1:5432/galley`. */
  readonly place: string;
  /** Such as `18.4`. */
  readonly serverVersion: string;
  readonly encoding: string;
  /** Whether anything of ours is there. */
  readonly hasSchema: boolean;
  /** Whether `galley migrate-to` has begun to fill it and has not come to its end. */
  readonly hasUnfinishedCopy: boolean;
  read<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
}

/** All that the work reads is of one moment. */
export async function inspectPostgres<Outcome>(
  url: string,
  work: (inspection: PostgresInspection) => Promise<Outcome>,
): Promise<Outcome> {
  const place = nameDatabase(url);
  const connections = new Connections(url, 1);
  try {
    const client = await connections.open();
    try {
      await sendText(client, 'begin isolation level repeatable read read only');
      const { version, encoding, has_schema, has_unfinished_copy } = await runProcedure(client, selectServer());
      return await work({
        place,
        serverVersion: version,
        encoding,
        hasSchema: has_schema === 1,
        hasUnfinishedCopy: has_unfinished_copy === 1,
        read: (procedure) => runProcedure(client, procedure),
      });
    } finally {
      endTransaction(client, 'rollback');
    }
  } catch (error) {
    throw translateOpenError(error, place);
  } finally {
    await connections.end();
  }
}
