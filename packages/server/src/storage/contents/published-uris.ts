// The URLs of published content, and published pages that share a URL. Pages are content whose type has the object type `page`.

import { type RawBuilder, sql } from 'kysely';
import { buildTextKey } from '../../content/text-key.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const selectUri = defineStatement(() => sql`select uri from published_contents where content_no = ${slot('content')}`);

/** The content's path for readers, relative to the site's URL; null if the content is not published. */
export function* selectPublishedUri(contentNo: number): Procedure<string | null> {
  return (yield* query<{ uri: string }>(selectUri, { content: contentNo }))[0]?.uri ?? null;
}

export interface UriHolder {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly language: string;
  /** The handle of the content type. */
  readonly type: string;
}

export interface SharingPage extends UriHolder {
  readonly uri: string;
}

/** A place, in the list sorted by URI, that several published objects share. Different URIs can have the same sort key. */
export interface SharedPlace {
  readonly language: string;
  readonly key: string;
}

/** The list is limited because imports can create any number of pages with the same URL, and a longer list would not be useful. */
const MOST_HOLDERS = 20;
/** How many places, or pages at a place, are read at once. A smaller batch is the last one. */
export const SHARING_AT_ONCE = 2000;

const columns = sql`p.content_no as no, p.id, p.name, p.language, t.handle as type`;

/**
 * The key narrows the search with an index; different URLs can have the same key. The ordered range forces a planner without statistics
 * to use that index: with `=`, the planner might use any index that starts with the site and the language.
 */
function selectAt(isInLanguage: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns}
    from published_contents as p join content_types as t on t.no = p.type_no
    where p.site_no = ${slot('site')} and ${isInLanguage}
      and p.uri_key >= ${slot('key')} and p.uri_key <= ${slot('key')}
      and p.uri = ${slot('uri')} and p.content_no <> ${slot('no')} and t.object_type = 'page'
    order by ${order} limit ${slot('limit')} + 0`;
}

const selectHolders = defineBatchStatement(
  (languages) => sql`select * from (
      ${selectAt(sql`p.language = ${slot('language')}`, sql`p.uri_key, p.id`)}) as own
    union all select * from (
      ${selectAt(sql`p.language in (${languages})`, sql`p.language, p.uri_key, p.id`)}) as others`,
);

const selectShared = defineStatement(
  () => sql`select language, uri_key as key from published_contents
    where site_no = ${slot('site')} and (language, uri_key) > (${slot('language')}, ${slot('key')})
    group by language, uri_key having count(*) > 1 order by language, uri_key limit ${slot('limit')} + 0`,
);

// Not joined to the previous statement: a planner without statistics would compare each shared key with all of the site's objects.
const selectSharing = defineStatement(
  () => sql`select ${columns}, p.uri
    from published_contents as p join content_types as t on t.no = p.type_no
    where p.site_no = ${slot('site')} and p.language = ${slot('language')}
      and p.uri_key >= ${slot('key')} and p.uri_key <= ${slot('key')} and p.id > ${slot('id')} and t.object_type = 'page'
    order by p.uri_key, p.id limit ${slot('limit')} + 0`,
);

export interface UriPlace {
  readonly siteNo: number;
  readonly language: string;
  readonly otherLanguages: readonly string[];
  readonly uri: string;
  /** The internal number of the content to exclude. */
  readonly exceptNo: number;
}

/** Published pages at the URL: up to a limit in `language`, and up to the same limit in all other languages. */
export function selectUriHolders(place: UriPlace): Procedure<readonly UriHolder[]> {
  const { siteNo, language, otherLanguages, uri, exceptNo } = place;
  const values = { site: siteNo, language, uri, key: buildTextKey(uri), no: exceptNo, limit: MOST_HOLDERS };
  // A site has few languages, so a single query is enough. If there are no other languages, an empty string is passed, which matches no
  // content.
  return queryBatch<UriHolder>(selectHolders, otherLanguages.length === 0 ? [''] : otherLanguages, values);
}

/** A batch of places that several published objects share. */
export function selectSharedPlaces(siteNo: number, last: SharedPlace | undefined): Procedure<readonly SharedPlace[]> {
  const { language, key } = last ?? { language: '', key: '' };
  return query<SharedPlace>(selectShared, { site: siteNo, language, key, limit: SHARING_AT_ONCE });
}

/**
 * A batch of the published pages at a place, by id.
 * @param last the last page of the previous batch
 */
export function selectSharingPages(
  siteNo: number,
  { language, key }: SharedPlace,
  last: SharingPage | undefined,
): Procedure<readonly SharingPage[]> {
  const values = { site: siteNo, language, key, id: last?.id ?? '', limit: SHARING_AT_ONCE };
  return query<SharingPage>(selectSharing, values);
}
