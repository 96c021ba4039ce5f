// Whether readers could be shown a content object at all: with all that it shows, it may be more than an answer may hold.

import { sql } from 'kysely';
import { isTooLarge, WHOLE_ROOM } from '../../content/answer-limit.ts';
import { decodeBody, PIECES, readIds } from '../../content/body.ts';
import { buildReaderCatalog, type Catalog } from '../../content/catalog.ts';
import { type ContentTemplates, findTemplates } from '../../content/content-templates.ts';
import { mayRefer } from '../../content/field-value.ts';
import { renderContent } from '../../content/render-content.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import { isBodyOf, joinBodies } from '../lists/join-bodies.ts';
import type { ContentRow } from '../lists/select-list.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import type { StoredContentRecord } from './content-records.ts';
import type { ContentVersion } from './content-versions.ts';
import { selectRelated } from './select-related.ts';
import { typesetVersion } from './write-content.ts';

/** As it would be if the version were published now. */
export function* isVersionTooLarge(
  record: StoredContentRecord,
  version: ContentVersion,
  catalog: Catalog,
): Procedure<boolean> {
  // Values alone are limited when they are saved.
  if (catalog.typesByNo.get(record.typeNo)?.fields.some(mayRefer) !== true) return false;
  const { typeset } = typesetVersion(record, version, catalog);
  const row = { id: record.id, body: decodeBody(typeset.body) };
  return yield* isRowTooLarge(row, catalog.site.no, findTemplates(buildReaderCatalog(catalog)));
}

export function* isRowTooLarge(row: ContentRow, siteNo: number, templates: ContentTemplates): Procedure<boolean> {
  const related = yield* selectRelated([row], siteNo, 'public', { authors: new Map(), room: WHOLE_ROOM });
  if (related === undefined) return true;
  // Content that links to itself shows what is published with it, not what was published before.
  const isOwnLink = readIds(row.body, PIECES.links).includes(row.id);
  const links = isOwnLink ? new Map([...related.links, [row.id, row]]) : related.links;
  return isTooLarge(renderContent(row, { ...related, links }, templates));
}

const selectRows = defineBatchStatement(
  (list) => sql`select p.content_no as no, p.id, b.body from published_contents as p ${joinBodies('published')}
    where p.content_no in (${list}) and ${isBodyOf('p')}`,
);

export interface PublishedRow extends ContentRow {
  readonly no: number;
}

export function* selectPublishedRows(contentNos: readonly number[]): Procedure<readonly PublishedRow[]> {
  type Row = Omit<PublishedRow, 'body'> & { readonly body: string };
  const rows = yield* queryBatch<Row>(selectRows, contentNos);
  return rows.map(({ no, id, body }) => ({ no, id, body: decodeBody(body) }));
}

const selectCount = defineStatement(
  () => sql`select count(*) as total from published_contents where site_no = ${slot('site')}`,
);

export function* countPublished(siteNo: number): Procedure<number> {
  const [row] = yield* query<{ readonly total: number }>(selectCount, { site: siteNo });
  return row?.total ?? 0;
}

/** JSON may write a character as two. */
const selectLargest = defineStatement(
  () => sql`select coalesce(max(octet_length(name) + octet_length(path) + octet_length(url) + coalesce(octet_length(description), 0)), 0)
    * 2 as bytes from assets where site_no = ${slot('site')}`,
);

/** At most so many bytes does an asset take in an answer, beside what stands around it. */
export function* measureLargestAsset(siteNo: number): Procedure<number> {
  const [row] = yield* query<{ readonly bytes: number }>(selectLargest, { site: siteNo });
  return Number(row?.bytes ?? 0);
}
