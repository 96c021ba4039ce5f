// Finds out whether a new connection leads to the server itself. A server says with which process of it one is connected;
// PgBouncer says a number of its own there, since what it stands before changes.

import type { Client } from 'pg';
import { buildOpenSession } from './read-settings.ts';
import { sendText } from './run-procedure.ts';
import { startSession } from './session.ts';

/** Nobody waits for it: until the answer is there, nothing is left on the connection. */
export function openSession(client: Client): void {
  const processId = 'processID' in client ? client.processID : null;
  if (typeof processId !== 'number') return;
  sendText(client, buildOpenSession(processId)).then(
    (rows) => {
      if (rows.length > 0) startSession(client);
    },
    // Where it fails, the connection does, or else it is used as one behind a pooler.
    () => {},
  );
}
