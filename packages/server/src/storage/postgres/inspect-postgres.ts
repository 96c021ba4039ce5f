// Looks at a database without changing it: no migration, no new table.

import type { ServerInspection } from '../inspection.ts';
import { selectServer } from './check-server.ts';
import { Connections, endTransaction } from './connections.ts';
import { nameDatabase } from './name-database.ts';
import { translateOpenError } from './postgres-errors.ts';
import { runProcedure, sendText } from './run-procedure.ts';

export async function inspectPostgres<Outcome>(
  url: string,
  work: (inspection: ServerInspection) => Promise<Outcome>,
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
