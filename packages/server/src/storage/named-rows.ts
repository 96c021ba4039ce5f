// Rows that have a number and a name, such as authors and assets. A row can be inserted or updated. Authors are read in name order, one page at
// a time.

import { type RawBuilder, sql } from 'kysely';
import { buildTextKey } from '../content/text-key.ts';
import {
  checkTime,
  defineStatement,
  type Procedure,
  query,
  type SlotValues,
  type SqlRow,
  type Statement,
  slot,
} from './statement.ts';

export interface Written {
  readonly no: number;
  readonly hasChanged: boolean;
  readonly isNew?: true;
}

export interface NumberedRow extends SqlRow {
  readonly no: number;
}

export function* insertNumbered(statement: Statement, values: SlotValues): Procedure<Written> {
  const [row] = yield* query<NumberedRow>(statement, values);
  if (row === undefined) throw new Error('The insert returned no number');
  return { no: row.no, hasChanged: true, isNew: true };
}

export function isSame(row: SqlRow, values: SlotValues): boolean {
  return Object.entries(values).every(([name, value]) => row[name] === value);
}

interface NamedRowStatements {
  readonly selectById: Statement;
  readonly insertRow: Statement;
  readonly updateRow: Statement;
}

interface NamedRow {
  readonly site: number;
  readonly id: string;
  /** The other columns. */
  readonly values: SlotValues & { readonly name: string };
  /** Values that `selectById` does not return. They are written whenever any other value changes. */
  readonly unread?: SlotValues;
}

/**
 * Inserts a row, or updates it if it has different values.
 * @param onUpdate runs after an update
 */
export function* writeNamed(
  { selectById, insertRow, updateRow }: NamedRowStatements,
  { site, id, values, unread = {} }: NamedRow,
  onUpdate: (no: number, before: NumberedRow) => Procedure<void>,
): Procedure<Written> {
  const nameKey = buildTextKey(values.name);
  const [known] = yield* query<NumberedRow>(selectById, { site, id });
  if (known === undefined) return yield* insertNumbered(insertRow, { site, id, nameKey, ...values, ...unread });
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateRow, { no: known.no, nameKey, ...values, ...unread });
  yield* onUpdate(known.no, known);
  return { no: known.no, hasChanged: true };
}

/** Reads one page of the site's rows whose names match a pattern, sorted by name. */
export function defineNamePage(table: string, columns: RawBuilder<unknown>): Statement {
  return defineStatement(
    (traits) => {
      const conditions = [
        ...checkTime(sql.ref('no'), traits),
        sql`site_no = ${slot('site')}`,
        sql`(name_key, no) > (${slot('key')}, ${slot('no')})`,
        sql`name_key like ${slot('pattern')} escape '\\'`,
      ];
      return sql`select ${columns} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}
        order by name_key, no limit ${slot('limit')} + 0`;
    },
    { mayTakeLong: true },
  );
}

/** A page starts after the row with this key and number. */
export interface NamePosition {
  readonly key: string;
  readonly no: number;
}

export const FIRST_POSITION: NamePosition = { key: '', no: 0 };

/** A pattern for `like … escape '\'` that matches text containing the key. */
export function buildContainsPattern(key: string): string {
  return `%${escapePattern(key)}%`;
}

/** A pattern that matches text starting with the given prefix. */
export function buildStartsPattern(text: string): string {
  return `${escapePattern(text)}%`;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
