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

interface NumberedStatement extends CompiledStatement {
  /** Unique among the statements in this process. */
  readonly number: number;
  /** Whether it writes and returns no rows. */
  readonly isWriteOnly: boolean;
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
    statementCount += 1;
    const isWriteOnly = /^\s*(insert|update|delete)\b/i.test(text) && !/\breturning\b/i.test(text);
    return { text, number, isWriteOnly, parameters };
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
