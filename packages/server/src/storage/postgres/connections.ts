// Connections to one server: few, so that many nodes can share it; nobody waits for one without an end.

import { Pool, type PoolClient } from 'pg';
import { translatePostgresError } from './postgres-errors.ts';

/** A reader who gets no connection for so long is told that the database cannot be used. */
const LONGEST_WAIT_MS = 1500;
const IDLE_MS = 30_000;

export function openPool(url: string, most: number): Pool {
  const pool = new Pool({
    connectionString: asLibpqReadsIt(url),
    max: most,
    connectionTimeoutMillis: LONGEST_WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'galley',
    // What follows is sent without waiting for the answer to what came before.
    pipeline: true,
  });
  // A connection that ends is missed by whoever uses it, and by nobody else.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** `sslmode` means what it means to all other programs: `require` encrypts, `verify-full` looks at the certificate. */
function asLibpqReadsIt(url: string): string {
  if (!url.includes('sslmode=') || url.includes('uselibpqcompat=')) return url;
  return `${url}&uselibpqcompat=true`;
}

export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** Gives a connection back once its transaction is over; nobody waits for that, and what comes next is sent behind it. */
export function endTransaction(client: PoolClient, word: 'commit' | 'rollback'): void {
  client.query(word).catch(() => {});
  client.release();
}
