// Copies a whole installation into a PostgreSQL database, table by table, and then compares the two. The source is read from a single
// snapshot. An interrupted copy is resumed if the rows copied so far are unchanged in the source.

import type { CopySource } from '../copied-tables.ts';
import { COPIED_TABLES, type CopiedTable, countRows, readRows, selectColumns, TableDigest } from '../copied-tables.ts';
import { DatabaseUnusable, type Snapshot } from '../engine.ts';
import { SCHEMA_VERSION } from '../migrations.ts';
import { nameDatabase } from './connections.ts';
import { CopyTarget } from './copy-target.ts';
import type { CopiedRows, TargetState } from './copy-target-state.ts';
import { translateOpenError } from './postgres-errors.ts';

export interface CopyOptions {
  readonly now: number;
  /** Receives the number of rows copied or compared so far. Each row of the source counts twice. */
  readonly onProgress: (rows: number) => void;
}

export interface CopiedTableSummary {
  readonly table: string;
  readonly rows: number;
  /** A digest of the rows, in order. */
  readonly digest: string;
}

export interface FoundCopy {
  /** The name of the target, without a password. */
  readonly place: string;
  /** The number of rows copied by an earlier run. */
  readonly foundRows: number;
}

export interface CopySummary extends FoundCopy {
  readonly tables: readonly CopiedTableSummary[];
}

export interface PlannedTable {
  readonly table: string;
  readonly rows: number;
}

const START_ANEW = 'To discard that copy, drop the database and create it again.';

/** The number of rows in each table of the source. */
export async function countCopiedRows(source: Snapshot): Promise<readonly PlannedTable[]> {
  const planned: PlannedTable[] = [];
  for (const table of COPIED_TABLES) {
    planned.push({ table: table.name, rows: await source.run(countRows(table)) });
  }
  return planned;
}

/** Rejects a target where a copy can neither be started nor resumed. Writes nothing. */
export function inspectCopyTarget(url: string, origin: CopySource): Promise<FoundCopy> {
  const place = nameDatabase(url);
  return withTarget(url, async (target) => {
    const found = checkState(await target.inspect(), origin, place);
    return { place, foundRows: countFound(found) };
  });
}

export function copyIntoPostgres(
  source: Snapshot,
  origin: CopySource,
  url: string,
  { now, onProgress }: CopyOptions,
): Promise<CopySummary> {
  const place = nameDatabase(url);
  return withTarget(url, async (target) => {
    const found = checkState(await target.begin(origin, now), origin, place);
    let done = 0;
    const onRows = (rows: number): void => {
      done += rows;
      onProgress(done);
    };
    const copied: { readonly table: CopiedTable; readonly columns: readonly string[]; readonly digest: TableDigest }[] =
      [];
    for (const table of COPIED_TABLES) {
      const columns = await source.run(selectColumns(table));
      const digest = await copyTable(source, target, table, columns, found.get(table.name), onRows);
      copied.push({ table, columns, digest });
    }
    await target.settle();
    await target.snapshot(async (snapshot) => {
      for (const { table, columns, digest } of copied) await compareTable(snapshot, table, columns, digest, onRows);
    });
    await target.finish(now);
    const tables = copied.map(({ table, digest }) => ({ table: table.name, rows: digest.rows, digest: digest.text }));
    return { place, foundRows: countFound(found), tables };
  });
}

async function withTarget<Outcome>(url: string, work: (target: CopyTarget) => Promise<Outcome>): Promise<Outcome> {
  try {
    const target = await CopyTarget.open(url);
    try {
      return await work(target);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw translateOpenError(error, nameDatabase(url));
  }
}

type FoundTables = ReadonlyMap<string, CopiedRows>;

function checkState(state: TargetState, origin: CopySource, place: string): FoundTables {
  if (state.kind === 'empty') return new Map();
  if (state.kind === 'taken') {
    throw new DatabaseUnusable(
      `The database ${place} is not empty: it contains ${state.holds}. Nothing was written to it. Use an empty database.`,
    );
  }
  const { source, schemaVersion, tables } = state.copy;
  if (source.createdAt !== origin.createdAt) {
    throw new DatabaseUnusable(
      `The database ${place} contains an unfinished copy of a different database, ${source.path}. ${START_ANEW}`,
    );
  }
  if (schemaVersion !== SCHEMA_VERSION) {
    throw new DatabaseUnusable(
      `The database ${place} contains an unfinished copy that was started by a different release. ${START_ANEW}`,
    );
  }
  return tables;
}

function countFound(found: FoundTables): number {
  return [...found.values()].reduce((sum, { rows }) => sum + rows, 0);
}

async function copyTable(
  source: Snapshot,
  target: CopyTarget,
  table: CopiedTable,
  columns: readonly string[],
  found: CopiedRows | undefined,
  onRows: (rows: number) => void,
): Promise<TableDigest> {
  const digest = new TableDigest(table.name, columns);
  const foundRows = found?.rows ?? 0;
  // The rows copied earlier are read again, to check that they have not changed.
  const mostOf = (before: number): number => (before < foundRows ? foundRows - before : Number.POSITIVE_INFINITY);
  for await (const rows of readRows(source, table, columns, mostOf)) {
    digest.add(rows);
    if (digest.rows > foundRows) await target.insert(table, columns, rows, { rows: digest.rows, digest: digest.text });
    else if (digest.rows === foundRows && digest.text !== found?.digest) refuseChanged(table);
    onRows(rows.length);
  }
  if (digest.rows < foundRows) refuseChanged(table);
  return digest;
}

function refuseChanged({ name }: CopiedTable): never {
  throw new DatabaseUnusable(
    `The target contains an unfinished copy of an earlier state: rows in ${name} have since changed, ` +
      `so this copy would mix two states and cannot be finished. ${START_ANEW}`,
  );
}

async function compareTable(
  copy: Snapshot,
  table: CopiedTable,
  columns: readonly string[],
  expected: TableDigest,
  onRows: (rows: number) => void,
): Promise<void> {
  const digest = new TableDigest(table.name, columns);
  for await (const rows of readRows(copy, table, columns)) {
    digest.add(rows);
    onRows(rows.length);
  }
  if (digest.text === expected.text && digest.rows === expected.rows) return;
  const difference =
    digest.rows === expected.rows
      ? 'has different values'
      : `has ${digest.rows} rows where the original has ${expected.rows}`;
  throw new DatabaseUnusable(
    `The copy differs from the original: ${table.name} ${difference}. It is still marked as unfinished, ` +
      `so no service will open it. ${START_ANEW}`,
  );
}
