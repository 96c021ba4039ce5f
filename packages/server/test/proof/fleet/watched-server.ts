// A node that watches a PostgreSQL server for the writes of another node.

import { Client } from 'pg';
import { expect } from 'vitest';
import { insertAccount } from '../../../src/storage/accounts/accounts.ts';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import { createPostgresDatabase } from '../../support/test-database.ts';
import { TEMPLATE } from '../../support/test-server.ts';

export const FRESHNESS_MS = 1000;

/** Everything is closed when the object goes out of scope. */
export interface WatchedServer extends AsyncDisposable {
  readonly url: string;
  /** A connection that bypasses both nodes. */
  readonly client: Client;
  readonly node: PostgresEngine;
  readonly other: PostgresEngine;
}

export async function openWatchedServer(): Promise<WatchedServer> {
  const database = await createPostgresDatabase(TEMPLATE);
  const { url } = database.url;
  const client = new Client(url);
  await client.connect();
  const node = new PostgresEngine(url, { freshnessMs: FRESHNESS_MS });
  const other = new PostgresEngine(url);
  return {
    url,
    client,
    node,
    other,
    async [Symbol.asyncDispose]() {
      await node.close();
      await other.close();
      await client.end();
      await database.remove();
    },
  };
}

let accounts = 0;

/** Returns the new stamp. */
export async function write(on: PostgresEngine): Promise<number> {
  accounts += 1;
  await on.transaction((transaction) => transaction.run(insertAccount(`o_${accounts}`, 'A', 0)));
  if (on.ownStamp === undefined) throw new Error('Nothing was written');
  return on.ownStamp;
}

/** The number of milliseconds until the node has seen the stamp. */
export async function awaitStamp(stamp: number, node: PostgresEngine): Promise<number> {
  const since = performance.now();
  await expect.poll(() => node.peekStamp(), { interval: 1 }).toBe(stamp);
  return performance.now() - since;
}

/** Closes the connections on which nodes listen for new stamps, and returns how many it closed. */
export async function cutListeners({ client }: WatchedServer): Promise<number> {
  const { rows } = await client.query<{ ended: string }>(
    `select count(pg_terminate_backend(pid)) as ended from pg_stat_activity
      where datname = current_database() and query = 'listen galley_moment'`,
  );
  return Number(rows[0]?.ended);
}
