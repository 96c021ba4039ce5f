import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectUri = defineStatement(() => sql`select uri from published_contents where content_no = ${slot('content')}`);

/** Where readers find the content, below the site's address; null where they do not. */
export function* selectPublishedUri(contentNo: number): Procedure<string | null> {
  return (yield* query<{ uri: string }>(selectUri, { content: contentNo }))[0]?.uri ?? null;
}
