// Compiles statements to SQL for PostgreSQL, each once.

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import {
  bindParameters,
  type Parameter,
  type Query,
  readParameters,
  type SqlTraits,
  type SqlValue,
  type Statement,
} from '../statement.ts';

interface CompiledText {
  readonly text: string;
  /** No other statement of this process has it. */
  readonly number: number;
  /** Whether it writes and returns no rows. */
  readonly isWriteOnly: boolean;
}

export interface CompiledQuery extends CompiledText {
  readonly values: SqlValue[];
}

interface CompiledStatement extends CompiledText {
  readonly parameters: readonly Parameter[];
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const POSTGRES_TRAITS: SqlTraits = {
  mergesParts: false,
  ordersMissing: false,
  comparesPlaces: true,
  checksTime: false,
};

const compiledStatements = new WeakMap<Statement, CompiledStatement>();
let statementCount = 0;

export function compileQuery(query: Query): CompiledQuery {
  const { parameters, ...compiled } = compileStatement(query.statement);
  return { ...compiled, values: bindParameters(parameters, query).map(withoutNul) };
}

function compileStatement(statement: Statement): CompiledStatement {
  const known = compiledStatements.get(statement);
  if (known !== undefined) return known;
  const { sql, parameters } = statement.build(POSTGRES_TRAITS).compile(compiler);
  const compiled = {
    text: sql,
    number: statementCount,
    isWriteOnly: /^\s*(insert|update|delete)\b/i.test(sql) && !/\breturning\b/i.test(sql),
    parameters: readParameters(parameters),
  };
  statementCount += 1;
  compiledStatements.set(statement, compiled);
  return compiled;
}

/** PostgreSQL refuses NUL, and no stored text contains it. A search for it uses the next character instead. */
function withoutNul(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u0001') : value;
}
