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

export interface Statement {
  readonly build: () => RawBuilder<unknown>;
}

export interface Query {
  readonly statement: Statement;
  readonly values: SlotValues;
}

/**
 * A piece of database work that knows neither engine nor connection: it yields queries and receives their rows.
 * The embedded engine runs one without giving way to others, the client/server engine awaits each answer.
 */
export type Procedure<Outcome> = Generator<Query, Outcome, readonly SqlRow[]>;

export function slot(name: string): RawBuilder<SqlValue> {
  return sql`${new Slot(name)}`;
}

export function defineStatement(build: () => RawBuilder<unknown>): Statement {
  return { build };
}

export function* query<Row>(
  statement: Statement,
  values: SlotValues = {},
): Generator<Query, readonly Row[], readonly SqlRow[]> {
  return asRows<Row>(yield { statement, values });
}

/** The one place where a row's shape is taken on trust: the statement's own column list. */
export function asRows<Row>(rows: readonly SqlRow[]): readonly Row[] {
  return rows as unknown as readonly Row[];
}

/** The parameters of a compiled statement, with its slots filled. */
export function bindSlots(parameters: readonly unknown[], values: SlotValues): SqlValue[] {
  return parameters.map((parameter) => {
    if (!(parameter instanceof Slot)) return asSqlValue(parameter);
    const value = values[parameter.name];
    if (value === undefined) throw new Error(`No value for the slot ${parameter.name}`);
    return value;
  });
}

function asSqlValue(parameter: unknown): SqlValue {
  if (typeof parameter === 'string' || typeof parameter === 'number' || parameter === null) return parameter;
  throw new Error(`Not a value that every engine can store: ${typeof parameter}`);
}
