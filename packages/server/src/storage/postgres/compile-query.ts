// Compiles statements to SQL for PostgreSQL.

import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import {
  bindParameters,
  type CompiledStatement,
  createCompiler,
  type Query,
  type SqlTraits,
  type SqlValue,
} from '../statement.ts';
import { SELECT_STAMP } from './moments.ts';

interface NumberedStatement extends CompiledStatement {
  /** Unique among the statements in this process. */
  readonly number: number;
  /** Whether the statement writes and returns no rows. */
  readonly isWriteOnly: boolean;
  /**
   * The same statement with two more cells in each row: the first cell is 1, and the last is the stamp of the state that the statement
   * reads. If there are no rows, it returns one row, whose first cell is null.
   */
  readonly stamped: { readonly text: string; readonly number: number };
}

export interface CompiledQuery extends Omit<NumberedStatement, 'parameters'> {
  readonly values: SqlValue[];
}

const POSTGRES_TRAITS: SqlTraits = {
  mergesParts: false,
  ordersMissing: false,
  comparesPlaces: true,
  mergesSubqueries: true,
  checksTime: false,
};

let statementCount = 0;

const compileStatement = createCompiler<NumberedStatement>(
  {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  POSTGRES_TRAITS,
  ({ text, parameters }) => {
    const number = statementCount;
    statementCount += 2;
    const isWriteOnly = /^\s*(insert|update|delete)\b/i.test(text) && !/\breturning\b/i.test(text);
    // A left join on true can only run as a nested loop, so the rows keep their order.
    const rows = `select 1 as is_row, q.* from (${text}) as q`;
    const stamped = {
      text: `select r.*, m.stamp from (${SELECT_STAMP}) as m left join (${rows}) as r on true`,
      number: number + 1,
    };
    return { text, number, isWriteOnly, stamped, parameters };
  },
);

export function compileQuery(query: Query): CompiledQuery {
  const { parameters, ...compiled } = compileStatement(query.statement);
  return { ...compiled, values: bindParameters(parameters, query).map(withoutNul) };
}

/** PostgreSQL rejects NUL, and no stored text contains it. Search values use the next character instead. */
function withoutNul(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u0001') : value;
}
