// Compiles statements to SQL for SQLite.

import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { bindParameters, createCompiler, type Query, type SqlTraits, type SqlValue } from '../statement.ts';

const SQLITE_TRAITS: SqlTraits = {
  mergesParts: true,
  ordersMissing: true,
  comparesPlaces: false,
  mergesSubqueries: false,
  checksTime: true,
};

export const compileStatement = createCompiler(
  {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  SQLITE_TRAITS,
  (compiled) => compiled,
);

/** A query as SQL text and values, for a connection on another thread. */
export function compileQuery(query: Query): { readonly text: string; readonly values: readonly SqlValue[] } {
  const { text, parameters } = compileStatement(query.statement);
  return { text, values: bindParameters(parameters, query) };
}
