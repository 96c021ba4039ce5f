// SQL that is written once and run many times. A statement is built with Kysely, compiled once per engine, and names
// the places that change from run to run; a procedure yields statements and gets rows back.

import { type RawBuilder, sql } from 'kysely';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SlotValues = Readonly<Record<string, SqlValue>>;

/** A named hole in a statement's SQL. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** What a statement may have to know of the database that it is written for. */
export interface SqlTraits {
  /**
   * Whether it reads a union of ordered parts no further than a limit asks for. Elsewhere each part is given the limit
   * of the whole.
   */
  readonly mergesParts: boolean;
  /**
   * Whether it sees that rows without a key, which are all alike in it, stand in an index in the order of what follows.
   * Elsewhere the key is named in the order, too.
   */
  readonly ordersMissing: boolean;
  /**
   * Whether it must be asked for a key that is fixed together with the id behind it, as a place in a list: of the two apart, a
   * planner without statistics follows the id, over as many objects as the site has.
   */
  readonly comparesPlaces: boolean;
  /** Whether statements that may take long must look at the time themselves. Elsewhere the server ends them. */
  readonly checksTime: boolean;
}

export interface Statement {
  readonly build: (traits: SqlTraits) => RawBuilder<unknown>;
  /** Whether one way to its rows is the best for all values, so that it need not be sought at every run. */
  readonly isPlannedOnce: boolean;
  /** Whether the rows that it looks at may be far more than those that it gives, so that somebody must watch the time. */
  readonly mayTakeLong: boolean;
}

export interface Query {
  readonly statement: Statement;
  readonly values: SlotValues;
  /** What the slots hold that `values` does not name; for values that many queries share. */
  readonly common: SlotValues;
  /** What stands at each place, in their order, instead of both; for statements with very many of them. */
  readonly cells?: Cells;
}

/** The cells of a row stand in the order of the statement's columns. */
export type Cells = readonly SqlValue[];

export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly Cells[];
}

export const EMPTY_RESULT: ResultSet = { columns: [], rows: [] };
export const NOTHING_COMMON: SlotValues = {};

/**
 * A piece of database work that knows neither engine nor connection: it yields queries and receives what they find.
 * The embedded engine runs one without giving way to others, the client/server engine awaits each answer.
 */
export type Procedure<Outcome> = Generator<Query, Outcome, ResultSet>;

export function slot(name: string): RawBuilder<SqlValue> {
  return sql`${new Slot(name)}`;
}

export function defineStatement(
  build: Statement['build'],
  { isPlannedOnce = true, mayTakeLong = false }: Partial<Omit<Statement, 'build'>> = {},
): Statement {
  return { build, isPlannedOnce, mayTakeLong };
}

/** What SQLite is to call while it runs a statement that may take long. It ends the statement when the time is up. */
export const TIME_CHECK = 'galley_in_time';

/**
 * The condition that makes a statement look at the time. It stands first, so that each row that is looked at counts, also one that
 * the other conditions leave out. A call takes ten times as long as the next row of an index: one row in sixteen makes one. Which one,
 * a product decides and not the number itself: in an import that alternates languages, all numbers of one language may be odd.
 * @param contentNo the column with the object's number, of the table that the statement walks on
 */
export function checkTime(contentNo: RawBuilder<unknown>, { checksTime }: SqlTraits): readonly RawBuilder<unknown>[] {
  return checksTime ? [sql`((${contentNo} * 40503 >> 12) & 15 or ${sql.raw(TIME_CHECK)}())`] : [];
}

export function* query<Row>(statement: Statement, values: SlotValues = {}): Procedure<readonly Row[]> {
  const { columns, rows } = yield { statement, values, common: NOTHING_COMMON };
  return asRows<Row>(rows.map((cells) => buildRow(columns, cells)));
}

/** The rows as they come: lists are read this way, for naming each cell costs them more than finding it. */
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

/** The one place where a row's shape is taken on trust: the statement's own column list. */
function asRows<Row>(rows: readonly SqlRow[]): readonly Row[] {
  return rows as unknown as readonly Row[];
}

/** JSON that storage itself wrote, from a value of this type. */
export function parseStored<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

/** A place of a compiled statement's parameters: the slot that fills it, or else what always stands there. */
export interface Parameter {
  readonly slot: string | null;
  readonly value: SqlValue;
}

export function readParameters(compiled: readonly unknown[]): readonly Parameter[] {
  return compiled.map((parameter) =>
    parameter instanceof Slot ? { slot: parameter.name, value: null } : { slot: null, value: asSqlValue(parameter) },
  );
}

/** The parameters of a run, with its slots filled. */
export function bindParameters(
  parameters: readonly Parameter[],
  { values, common, cells }: Query,
): readonly SqlValue[] {
  if (cells !== undefined) return cells;
  const bound: SqlValue[] = [];
  for (const { slot: name, value: fixed } of parameters) {
    const own = name === null ? fixed : values[name];
    const value = own === undefined && name !== null ? common[name] : own;
    if (value === undefined) throw new Error(`No value for the slot ${name}`);
    bound.push(value);
  }
  return bound;
}

function asSqlValue(parameter: unknown): SqlValue {
  if (typeof parameter === 'string' || typeof parameter === 'number' || parameter === null) return parameter;
  throw new Error(`Not a value that every engine can store: ${typeof parameter}`);
}
