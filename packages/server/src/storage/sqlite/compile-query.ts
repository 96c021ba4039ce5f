// Compiles statements to SQL for SQLite, each once.

import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import {
  bindParameters,
  type Parameter,
  type Query,
  readParameters,
  type SqlTraits,
  type SqlValue,
  type Statement,
} from '../statement.ts';

const SQLITE_TRAITS: SqlTraits = { mergesParts: true, ordersMissing: true, comparesPlaces: false, checksTime: true };

interface CompiledStatement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const compiledStatements = new WeakMap<Statement, CompiledStatement>();

export function compileStatement(statement: Statement): CompiledStatement {
  const known = compiledStatements.get(statement);
  if (known !== undefined) return known;
  const { sql, parameters } = statement.build(SQLITE_TRAITS).compile(compiler);
  const compiled = { text: sql, parameters: readParameters(parameters) };
  compiledStatements.set(statement, compiled);
  return compiled;
}

/** A query as text and values, for a connection in another thread. */
export function compileQuery(query: Query): { readonly text: string; readonly values: readonly SqlValue[] } {
  const { text, parameters } = compileStatement(query.statement);
  return { text, values: bindParameters(parameters, query) };
}
