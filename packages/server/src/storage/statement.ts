// SQL that is written once and run many times. A statement is built with Kysely, compiled once per engine, and has named slots for
// the values that change from run to run. A procedure yields statements and receives rows.

import { type Dialect, DummyDriver, Kysely, type RawBuilder, sql } from 'kysely';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SlotValues = Readonly<Record<string, SqlValue>>;

/** A named placeholder in a statement's SQL. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The properties of the database that a statement may depend on. */
export interface SqlTraits {
  /**
   * Whether the engine stops reading the ordered parts of a union when the limit is reached. If not, each part needs
   * the limit of the whole union.
   */
  readonly mergesParts: boolean;
  /**
   * Whether the engine recognises that rows whose key is null are already in the order of the index's next column. If
   * not, the key must be in `order by` too.
   */
  readonly ordersMissing: boolean;
  /**
   * Whether a fixed key and the id after it must be compared together, as a row value. If they are compared separately, a planner
   * without statistics scans by id, through all of the site's objects.
   */
  readonly comparesPlaces: boolean;
  /**
   * Whether the engine's planner merges subqueries into the outer statement, and turns conditions into joins. If a filter's value is
   * common in other fields, such a planner walks the whole list instead of gathering the filter's few matches.
   */
  readonly mergesSubqueries: boolean;
  /** Whether slow statements must check the time themselves. Otherwise the server cancels them. */
  readonly checksTime: boolean;
}

export interface Statement {
  readonly build: (traits: SqlTraits) => RawBuilder<unknown>;
  /** Whether one plan is best for all values. If so, the statement does not need to be planned on every run. */
  readonly isPlannedOnce: boolean;
  /** Whether the statement may read far more rows than it returns. If so, its running time is limited. */
  readonly mayTakeLong: boolean;
  /**
   * Whether the statement is certain to read far more rows than it returns. Such a statement never runs on the thread that handles
   * requests.
   */
  readonly takesLong: boolean;
}

export interface Query {
  readonly statement: Statement;
  readonly values: SlotValues;
  /** The values of the slots that are not in `values`. Many queries share them. */
  readonly common: SlotValues;
  /** The values of all slots, in order, instead of `values` and `common`; for statements with a great many slots. */
  readonly cells?: Cells;
}

/** A row's cells are in the same order as the statement's columns. */
export type Cells = readonly SqlValue[];

export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly Cells[];
}

export const EMPTY_RESULT: ResultSet = { columns: [], rows: [] };
export const NOTHING_COMMON: SlotValues = {};

/**
 * A database operation that does not depend on an engine or a connection: it yields queries and receives their results.
 * The embedded engine runs it without interruption; the client/server engine awaits each result.
 */
export type Procedure<Outcome> = Generator<Query, Outcome, ResultSet>;

export function slot(name: string): RawBuilder<SqlValue> {
  return sql`${new Slot(name)}`;
}

export function defineStatement(
  build: Statement['build'],
  { isPlannedOnce = true, mayTakeLong = false, takesLong = false }: Partial<Omit<Statement, 'build'>> = {},
): Statement {
  return { build, isPlannedOnce, mayTakeLong, takesLong };
}

/** The function that SQLite calls while it runs a slow statement. It stops the statement when the time is up. */
export const TIME_CHECK = 'galley_in_time';

/**
 * The condition that makes a statement check the time. It comes first, because it must run for every row, even for rows that other
 * conditions exclude. A call takes ten times as long as reading the next row of an index, so a call is made for only one row in sixteen.
 * The choice depends on a product, not on the number itself: if an import alternates between languages, all objects in one language may
 * have odd numbers.
 * @param contentNo the column with the object's number, in the table that the statement reads
 */
export function checkTime(contentNo: RawBuilder<unknown>, { checksTime }: SqlTraits): readonly RawBuilder<unknown>[] {
  return checksTime ? [sql`((${contentNo} * 40503 >> 12) & 15 or ${sql.raw(TIME_CHECK)}())`] : [];
}

export function* query<Row>(statement: Statement, values: SlotValues = {}): Procedure<readonly Row[]> {
  const { columns, rows } = yield { statement, values, common: NOTHING_COMMON };
  return asRows<Row>(rows.map((cells) => buildRow(columns, cells)));
}

/** Returns rows without column names, because for a list, naming the cells costs more than reading them. */
export function* queryCells(
  statement: Statement,
  values: SlotValues,
  common: SlotValues = NOTHING_COMMON,
): Procedure<readonly Cells[]> {
  return (yield { statement, values, common }).rows;
}

function buildRow(columns: readonly string[], cells: Cells): SqlRow {
  const row: Record<string, SqlValue> = {};
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = cells[index] ?? null;
  return row;
}

/** Only this function assumes that the type of a row matches the statement's columns. */
function asRows<Row>(rows: readonly SqlRow[]): readonly Row[] {
  return rows as unknown as readonly Row[];
}

/** Parses JSON that storage itself wrote from a value of this type. */
export function parseStored<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

/** A parameter of a compiled statement: either a slot or a fixed value. */
export interface Parameter {
  readonly slot: string | null;
  readonly value: SqlValue;
}

export interface CompiledStatement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * Compiles statements to SQL for one engine. Each statement is compiled only once.
 * @param complete adds the other properties that the engine needs for a statement
 */
export function createCompiler<Compiled extends CompiledStatement>(
  dialect: Omit<Dialect, 'createDriver'>,
  traits: SqlTraits,
  complete: (compiled: CompiledStatement) => Compiled,
): (statement: Statement) => Compiled {
  const compiler = new Kysely<unknown>({ dialect: { ...dialect, createDriver: () => new DummyDriver() } });
  const compiledStatements = new WeakMap<Statement, Compiled>();
  return (statement) => {
    const known = compiledStatements.get(statement);
    if (known !== undefined) return known;
    const { sql: text, parameters } = statement.build(traits).compile(compiler);
    const compiled = complete({ text, parameters: readParameters(parameters) });
    compiledStatements.set(statement, compiled);
    return compiled;
  };
}

function readParameters(compiled: readonly unknown[]): readonly Parameter[] {
  return compiled.map((parameter) =>
    parameter instanceof Slot ? { slot: parameter.name, value: null } : { slot: null, value: asSqlValue(parameter) },
  );
}

/** The parameters of one run, with all slots filled. */
export function bindParameters(
  parameters: readonly Parameter[],
  { values, common, cells }: Query,
): readonly SqlValue[] {
  if (cells !== undefined) return cells;
  const bound: SqlValue[] = [];
  for (const { slot: name, value: fixed } of parameters) {
    const own = name === null ? fixed : values[name];
    const value = own === undefined && name !== null ? common[name] : own;
    if (value === undefined) throw new Error(`The slot ${name} has no value`);
    bound.push(value);
  }
  return bound;
}

function asSqlValue(parameter: unknown): SqlValue {
  if (typeof parameter === 'string' || typeof parameter === 'number' || parameter === null) return parameter;
  throw new Error(`Not every engine can store a value of type ${typeof parameter}`);
}
