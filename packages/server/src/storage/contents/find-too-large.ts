// Checks whether a content object, with everything that it embeds, fits in a response.

import { sql } from 'kysely';
import type { LRUCache } from 'lru-cache';
import { type AnswerRoom, SHARED_ROOM, WHOLE_ROOM } from '../../content/answer-limit.ts';
import { buildTextDigest, decodeBody, PIECES, readIds } from '../../content/body.ts';
import { buildReaderCatalog, type Catalog } from '../../content/catalog.ts';
import { buildTemplates, type ContentTemplates } from '../../content/content-templates.ts';
import { mayRefer } from '../../content/field-value.ts';
import { isTooLarge, placeFiles, renderContent } from '../../content/render-content.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import type { ContentRow } from '../lists/content-rows.ts';
import { isBodyOf, joinBodies } from '../publication/read-model.ts';
import { selectCatalog } from '../sites/select-catalog.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { VIEWS } from '../views.ts';
import type { StoredContentRecord } from './content-records.ts';
import type { ContentVersion } from './content-versions.ts';
import { selectRelated } from './select-related.ts';
import { typesetVersion } from './write-content.ts';

/** A version that embeds a lot of data, typeset as if it were published now. It is plain data, so it can be passed to another thread. */
export interface LargeShow {
  readonly siteNo: number;
  readonly id: string;
  /** The typeset body. */
  readonly body: string;
  /** Equal for versions that embed the same data, even if their times and ids differ. */
  readonly key: string;
}

/** Undefined if the version can be rendered without delaying other requests. Such a version fits in a response. */
export function* findLargeShow(
  record: StoredContentRecord,
  version: ContentVersion,
  catalog: Catalog,
): Procedure<LargeShow | undefined> {
  // A version without references fits, because the size of its values was limited when they were saved.
  if (catalog.typesByNo.get(record.typeNo)?.fields.some(mayRefer) !== true) return undefined;
  const { body } = typesetVersion(record, version, catalog).typeset;
  const row = { id: record.id, body: decodeBody(body) };
  const siteNo = catalog.site.no;
  const text = yield* renderWithin(SHARED_ROOM, row, siteNo, buildTemplates(buildReaderCatalog(catalog)));
  if (text !== undefined) return undefined;
  const shown = [row.body.typeNo, ...row.body.pieces.slice(PIECES.fields)];
  return { siteNo, id: record.id, body, key: buildTextDigest(shown.join('\n')) };
}

/** Renders the version. This can take up to a second. */
export function* isShowTooLarge({ siteNo, id, body }: LargeShow): Procedure<boolean> {
  const loaded = yield* selectCatalog(siteNo);
  // The site has since been deleted, so nothing can be published there.
  if (loaded === undefined) return false;
  const templates = buildTemplates(buildReaderCatalog(loaded.catalog));
  return yield* isRowTooLarge({ id, body: decodeBody(body) }, siteNo, templates);
}

/**
 * The key contains a digest of the version, and the site's generation and catalog numbers. These numbers change when embedded data changes.
 */
export type MeasuredShows = LRUCache<string, boolean>;

const selectMoment = defineStatement(() => sql`select generation, catalog from sites where no = ${slot('site')}`);

/** Like `isShowTooLarge`, but renders only if something has changed since the last measurement. */
export function* remeasureShow(show: LargeShow, measured: MeasuredShows): Procedure<boolean> {
  const [site] = yield* query<{ generation: number; catalog: number }>(selectMoment, { site: show.siteNo });
  const key = [show.siteNo, site?.generation, site?.catalog, buildTextDigest(show.body)].join(' ');
  const known = measured.get(key);
  if (known !== undefined) return known;
  const isTooLarge = yield* isShowTooLarge(show);
  measured.set(key, isTooLarge);
  return isTooLarge;
}

export function* isRowTooLarge(row: ContentRow, siteNo: number, templates: ContentTemplates): Procedure<boolean> {
  const text = yield* renderWithin(WHOLE_ROOM, row, siteNo, templates);
  return text === undefined || isTooLarge(text);
}

/** Readers may use any host name, so the longest possible one is assumed. */
const LONGEST_BASE_URL = `https://${'x'.repeat(253)}`;

/** Returns undefined if the text does not fit. */
function* renderWithin(
  room: AnswerRoom,
  row: ContentRow,
  siteNo: number,
  templates: ContentTemplates,
): Procedure<string | undefined> {
  const related = yield* selectRelated([row], siteNo, VIEWS.public, { authors: new Map(), room });
  if (related === undefined) return undefined;
  // Content that links to itself embeds the version that is about to be published, not the currently published one.
  const isOwnLink = readIds(row.body, PIECES.links).includes(row.id);
  const links = isOwnLink ? new Map([...related.links, [row.id, row]]) : related.links;
  const text = renderContent(row, placeFiles({ ...related, links }, LONGEST_BASE_URL), templates);
  return text.length > room.characters ? undefined : text;
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

/** Escaping for JSON can double the size of text. */
const selectLargest = defineStatement(
  () => sql`select coalesce(max(octet_length(name) + octet_length(path) + octet_length(url) + coalesce(octet_length(description), 0)), 0)
    * 2 as bytes from assets where site_no = ${slot('site')}`,
);

/** The maximum number of bytes that an asset's text values take up in a response. */
export function* measureLargestAsset(siteNo: number): Procedure<number> {
  const [row] = yield* query<{ readonly bytes: number }>(selectLargest, { site: siteNo });
  return Number(row?.bytes ?? 0);
}
