// Opens a database on a server: for a process, for another thread in the process, or just to inspect it.

import type { Transaction } from '../engine.ts';
import type { ServerInspection } from '../inspection.ts';
import { selectInstallationKey } from '../installation-key.ts';
import { migrate } from '../migrations.ts';
import type { Procedure } from '../statement.ts';
import { buildStorage, type Storage } from '../storage.ts';
import { checkServer, selectServer } from './check-server.ts';
import { Connections, endTransaction, nameDatabase } from './connections.ts';
import { createMoments } from './moments.ts';
import { type EngineOptions, POSTGRES_COLUMN_TYPES, PostgresEngine } from './postgres-engine.ts';
import { translateOpenError } from './postgres-errors.ts';
import { runProcedure, sendText } from './run-procedure.ts';

export type { EngineOptions };

/** If many nodes start at the same time, one of them migrates the schema and the others wait. */
const MIGRATION = { patience: { usualMs: 600_000, importMs: 600_000 } };

/**
 * Opens an existing database and migrates its schema.
 * @param serving the options for a service; undefined for a command, which always reads from the primary
 */
export async function openPostgres(url: string, now: number, serving?: EngineOptions): Promise<Storage> {
  const engine = new PostgresEngine(url, serving);
  try {
    const migrated = {
      read: <Outcome>(build: (stamp: number) => Procedure<Outcome>) => engine.read(build),
      transaction: <Outcome>(work: (transaction: Transaction) => Promise<Outcome>) =>
        engine.transaction(async (transaction) => {
          await transaction.run(checkServer());
          await transaction.run(createMoments());
          return work(transaction);
        }, MIGRATION),
    };
    await migrate(migrated, POSTGRES_COLUMN_TYPES, now);
    const storage = await buildOn(engine, url);
    if (serving !== undefined) engine.startWatching();
    return storage;
  } catch (error) {
    await engine.close();
    throw translateOpenError(error, nameDatabase(url));
  }
}

/** Opens a database that another thread in the process has already migrated. It always reads from the primary. */
export async function joinPostgres(url: string): Promise<Storage> {
  const engine = new PostgresEngine(url);
  try {
    return await buildOn(engine, url);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function buildOn(engine: PostgresEngine, url: string): Promise<Storage> {
  const installationKey = await engine.read(() => selectInstallationKey());
  return buildStorage(engine, installationKey, { engine: 'postgres', url });
}

/** Inspects a database without changing it: no migration, no new table. */
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
