// A database that is being filled with rows from another one. Rows are inserted in key order, and the progress of each table is saved in
// the same transaction, so an interrupted copy can be resumed. The schema version is written last; until then, a service does not open
// the database.

import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import { COPIED_TABLES, type CopiedTable, type CopySource, LEFT_BEHIND } from '../copied-tables.ts';
import { DatabaseUnusable, type Snapshot } from '../engine.ts';
import { applyMigrations, SCHEMA_VERSION } from '../migrations.ts';
import { type Cells, defineStatement, type Procedure, query, slot } from '../statement.ts';
import { Connections, endTransaction } from './connections.ts';
import {
  type CopiedRows,
  createProgress,
  dropProgress,
  moveProgress,
  selectTargetState,
  type TargetState,
} from './copy-target-state.ts';
import { BEGIN_SNAPSHOT, buildBeginWriting, COMMIT_MOMENT, createMoments } from './moments.ts';
import { POSTGRES_COLUMN_TYPES } from './postgres-engine.ts';
import { translatePostgresError } from './postgres-errors.ts';
import { runProcedure, sendText } from './run-procedure.ts';

const LONGEST_WAIT_MS = 60_000;

const TABLE_NAMES = COPIED_TABLES.map(({ name }) => name).join(', ');

// Deletes the rows that the migrations inserted: the first account and the schema versions.
const truncateAll = defineStatement(() =>
  sql.raw(`truncate schema_versions, ${[...LEFT_BEHIND, TABLE_NAMES].join(', ')}`),
);
const insertVersions = defineStatement(
  () => sql`insert into schema_versions (version, applied_at)
    select version, ${slot('now')} from generate_series(1, ${slot('newest')}) as version`,
);
// The new generations are timestamps that no other copy of the site has used, so a node cannot reuse responses that it cached for another
// copy.
const moveGenerations = defineStatement(
  () => sql`update sites set generation = greatest(generation + 1, ${slot('now')}),
    preview_generation = greatest(preview_generation + 1, ${slot('now')})`,
);

export class CopyTarget {
  readonly #connections: Connections;
  readonly #client: PoolClient;
  readonly #inserts = new Map<string, string>();

  private constructor(connections: Connections, client: PoolClient) {
    this.#connections = connections;
    this.#client = client;
  }

  static async open(url: string): Promise<CopyTarget> {
    const connections = new Connections(url, 1);
    try {
      return new CopyTarget(connections, await connections.open());
    } catch (error) {
      await connections.end();
      throw error;
    }
  }

  /** Returns the state of the target. Writes nothing. */
  async inspect(): Promise<TargetState> {
    return this.#within('begin isolation level repeatable read read only', 'rollback', () =>
      runProcedure(this.#client, selectTargetState()),
    );
  }

  /** Creates the tables if the database is empty. Returns its previous state. If it was not empty, nothing is written. */
  async begin(source: CopySource, now: number): Promise<TargetState> {
    return this.#write('commit', async (run) => {
      const state = await run(selectTargetState());
      if (state.kind !== 'empty') return state;
      await run(createMoments());
      await run(applyMigrations(POSTGRES_COLUMN_TYPES, now));
      await run(query(truncateAll));
      await run(createProgress(source));
      return state;
    });
  }

  /** Inserts rows and saves the progress in one transaction. @param after the progress after this call, including these rows */
  async insert(
    table: CopiedTable,
    columns: readonly string[],
    rows: readonly Cells[],
    after: CopiedRows,
  ): Promise<void> {
    await this.#write('commit', async (run) => {
      const hasMoved = await run(moveProgress(table.name, after.rows - rows.length, after));
      if (!hasMoved)
        throw new DatabaseUnusable('Another process is copying into the same database. Wait for it to finish.');
      const insert = this.#inserts.get(table.name) ?? (await run(buildInsert(table.name, columns)));
      this.#inserts.set(table.name, insert);
      await insertRows(this.#client, insert, rows);
    });
  }

  /** Sets the next number for each table, and updates the statistics for the planner. */
  async settle(): Promise<void> {
    await this.#write('commit', async (run) => {
      for (const { name, isNumbered } of COPIED_TABLES) if (isNumbered) await run(query(moveNumbers(name)));
    });
    await sendText(this.#client, `vacuum (analyze) ${TABLE_NAMES}`);
  }

  /** A snapshot of the copy. */
  async snapshot<Outcome>(work: (snapshot: Snapshot) => Promise<Outcome>): Promise<Outcome> {
    return this.#within(BEGIN_SNAPSHOT, 'commit', () =>
      work({ run: (procedure) => runProcedure(this.#client, procedure) }),
    );
  }

  /** Finishes the copy. Afterwards, it can be used like any other database. */
  async finish(now: number): Promise<void> {
    await this.#write(COMMIT_MOMENT, async (run) => {
      await run(query(moveGenerations, { now }));
      await run(query(insertVersions, { now, newest: SCHEMA_VERSION }));
      await run(dropProgress());
    });
  }

  #write<Outcome>(
    end: string,
    work: (run: <Made>(procedure: Procedure<Made>) => Promise<Made>) => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.#within(buildBeginWriting(LONGEST_WAIT_MS), end, () =>
      work((procedure) => runProcedure(this.#client, procedure)),
    );
  }

  async #within<Outcome>(begin: string, end: string, work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      await sendText(this.#client, begin);
      const outcome = await work();
      await sendText(this.#client, end);
      return outcome;
    } catch (error) {
      this.#client.query('rollback').catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    endTransaction(this.#client, 'rollback');
    await this.#connections.end();
  }
}

function moveNumbers(table: string) {
  return defineStatement(() =>
    sql.raw(
      `select setval(pg_get_serial_sequence('${table}', 'no'), coalesce(max(no), 1), max(no) is not null) from ${table}`,
    ),
  );
}

const selectTypes = defineStatement(
  () => sql`select attname as column_name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass(${slot('table')}) and attnum > 0 and not attisdropped`,
);

/** The SQL for inserting any number of rows into a table. Each column is one array, so the SQL is always the same. */
function* buildInsert(table: string, columns: readonly string[]): Procedure<string> {
  const rows = yield* query<{ column_name: string; type: string }>(selectTypes, { table });
  const types = new Map(rows.map(({ column_name, type }) => [column_name, type]));
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(column) ?? 'text'}[]`);
  return `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')})
    select * from unnest(${arrays.join(', ')})`;
}

/** @param text the SQL that `buildInsert` returned */
async function insertRows(client: PoolClient, text: string, rows: readonly Cells[]): Promise<void> {
  const width = rows[0]?.length ?? 0;
  const values = Array.from({ length: width }, (_, column) => rows.map((cells) => cells[column]));
  try {
    await client.query({ text, values });
  } catch (error) {
    throw translateValueError(translatePostgresError(error));
  }
}

/** In SQLite, a column may contain values of the wrong type. PostgreSQL rejects them. */
function translateValueError(error: unknown): unknown {
  const isValueError =
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
  if (!isValueError) return error;
  return new DatabaseUnusable(`PostgreSQL rejected a value: ${error.message}.`, { cause: error });
}
