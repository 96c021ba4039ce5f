// The versions of a content object, as its editors look back on them.

import { sql } from 'kysely';
import type { FieldValues } from '../../content/field-value.ts';
import type { Seo } from '../../content/seo.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';
import type { Saver } from './content-versions.ts';

export interface VersionEntry {
  readonly number: number;
  readonly name: string;
  readonly savedAt: number;
  /** Who saved it, as they were called then; null for imports. */
  readonly savedBy: Saver | null;
  /** Whether it was the published one and is not any more. */
  readonly wasPublished: boolean;
  /** The number of the older version that it brought back. */
  readonly restoredFrom: number | null;
}

export interface WholeVersion extends VersionEntry {
  readonly slug: string;
  /** Null where the content type's pattern decides. */
  readonly uri: string | null;
  /** The author's id. */
  readonly author: string | null;
  readonly seo: Seo;
  readonly fields: FieldValues;
}

interface EntryRow {
  readonly number: number;
  readonly name: string;
  readonly saved_at: number;
  readonly saved_by: string | null;
  readonly saved_by_id: string | null;
  readonly was_published: number;
  readonly restored_from: number | null;
}

interface WholeRow extends EntryRow {
  readonly slug: string;
  readonly uri: string | null;
  readonly author: string | null;
  readonly seo: string;
  readonly fields: string;
}

const selectEntries = defineStatement(
  () => sql`select number, name, saved_at, saved_by, saved_by_id, was_published, restored_from from content_versions
    where content_no = ${slot('content')} and number < ${slot('before')}
    order by number desc limit ${slot('limit')} + 0`,
);
const selectWhole = defineStatement(
  () => sql`select v.number, v.name, v.saved_at, v.saved_by, v.saved_by_id, v.was_published, v.restored_from, v.slug, v.uri,
      a.id as author, v.seo, v.fields
    from content_versions as v left join authors as a on a.no = v.author_no
    where v.content_no = ${slot('content')} and v.number = ${slot('number')}`,
);

/**
 * The newest first.
 * @param before the number that the page ends before; undefined for the newest
 */
export function* selectVersions(
  contentNo: number,
  before: number | undefined,
  limit: number,
): Procedure<readonly VersionEntry[]> {
  const page = { content: contentNo, before: before ?? Number.MAX_SAFE_INTEGER, limit };
  return (yield* query<EntryRow>(selectEntries, page)).map(readEntry);
}

export function* selectWholeVersion(contentNo: number, number: number): Procedure<WholeVersion | undefined> {
  const [row] = yield* query<WholeRow>(selectWhole, { content: contentNo, number });
  return row && readWhole(row);
}

function readEntry(row: EntryRow): VersionEntry {
  return {
    number: row.number,
    name: row.name,
    savedAt: row.saved_at,
    savedBy: row.saved_by === null ? null : { id: row.saved_by_id, name: row.saved_by },
    wasPublished: row.was_published !== 0,
    restoredFrom: row.restored_from,
  };
}

function readWhole(row: WholeRow): WholeVersion {
  const { slug, uri, author } = row;
  return {
    ...readEntry(row),
    slug,
    uri,
    author,
    seo: parseStored<Seo>(row.seo),
    fields: parseStored<FieldValues>(row.fields),
  };
}
