// Selects the data that rendering adds: authors, assets and linked content, with one query for each kind.

import { sql } from 'kysely';
import type { AnswerRoom } from '../../content/answer-limit.ts';
import { type Body, decodeBody, PIECES, readIds, refersToOthers } from '../../content/body.ts';
import type { Related } from '../../content/render-content.ts';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { type CheckedBodies, type ContentRow, type FoundBody, fillBodies } from '../lists/content-rows.ts';
import type { AssetRow } from '../sites/assets.ts';
import type { AuthorRow } from '../sites/authors.ts';
import { type Procedure, type SlotValues, slot } from '../statement.ts';
import type { View } from '../views.ts';

const selectAuthors = defineBatchStatement(
  (list) => sql`select no, id, name, email, profile_photo_url from authors where no in (${list})`,
);
const selectAssets = defineBatchStatement(
  (
    list,
  ) => sql`select id, name, description, path, url, extension, size, mime_type, width, height, sha256, focal_x, focal_y, placeholder
    from assets where site_no = ${slot('site')} and id in (${list})`,
);
const sumAssets = defineBatchStatement(
  (list) => sql`select coalesce(sum(octet_length(url) + octet_length(path) + coalesce(octet_length(description), 0)), 0)
    as bytes from assets where site_no = ${slot('site')} and id in (${list})`,
);

/** Returns the related data without a query if the rows have no links or assets and all their authors are known; otherwise undefined. */
export function recallRelated(
  rows: readonly ContentRow[],
  knownAuthors: Map<number, AuthorRow>,
  { characters }: AnswerRoom,
): Related | undefined {
  for (const { body } of rows) {
    if (refersToOthers(body) || (body.authorNo !== null && !knownAuthors.has(body.authorNo))) return undefined;
  }
  return { ...NOTHING_LINKED, authors: knownAuthors, mostCharacters: characters };
}

const NOTHING_LINKED = { assets: new Map(), links: new Map(), visibleIds: new Set<string>() } as const;

export interface RelatedMemory {
  /** Authors that were read earlier and have not changed since. Newly read authors are added. */
  readonly authors: Map<number, AuthorRow>;
  /** Undefined if the response is not sent to anybody. In that case, its bodies do not need to be checked. */
  readonly checked?: CheckedBodies;
  readonly room: AnswerRoom;
  /** An unsaved version of an object. If the rows link to the object, this version replaces the saved one. */
  readonly unsaved?: ContentRow;
  /** If set, only links to these ids are kept. */
  readonly shared?: ReadonlySet<string> | null;
}

/** Up to this many objects are read without checking their total size first, because without large bodies they take up little memory. */
const READ_UNASKED = 32;

/** Returns undefined, without reading the data, if it is too large. */
export function* selectRelated(
  rows: readonly ContentRow[],
  siteNo: number,
  view: View,
  { authors: knownAuthors, checked, room, unsaved, shared = null }: RelatedMemory,
): Procedure<Related | undefined> {
  yield* addAuthors(rows, knownAuthors);
  const isAllowed = (id: string): boolean => shared === null || shared.has(id);
  const linkIds = collectIds(rows, PIECES.links).filter(isAllowed);
  const site = { site: siteNo };
  if (yield* areTooLarge(view.sumBodies, linkIds, site, room)) return undefined;
  const saved = linkIds.length === 0 ? [] : yield* selectRowsById(linkIds, siteNo, view, room);
  if (saved === undefined) return undefined;
  checked?.check(saved);
  const linked = unsaved === undefined ? saved : saved.map((row) => (row.id === unsaved.id ? unsaved : row));
  const assetIds = collectIds([...rows, ...linked], PIECES.assets);
  if (yield* areTooLarge(sumAssets, assetIds, site, room)) return undefined;
  const assets = assetIds.length === 0 ? [] : yield* queryBatch<AssetRow>(selectAssets, assetIds, site);
  const farIds = collectIds(linked, PIECES.links).filter(isAllowed);
  if (farIds.length > room.lookups) return undefined;
  const far = farIds.length === 0 ? [] : yield* queryBatch<{ id: string }>(view.selectVisibleIds, farIds, site);
  const visible = new Set(far.map((row) => row.id));
  return {
    authors: knownAuthors,
    assets: new Map(assets.map((asset) => [asset.id, asset])),
    links: new Map(linked.map((row) => [row.id, row])),
    visibleIds: new Set(farIds.filter((id) => visible.has(id))),
    mostCharacters: room.characters,
  };
}

function* areTooLarge(
  statement: BatchStatement,
  ids: readonly string[],
  site: SlotValues,
  { bytesRead, lookups }: AnswerRoom,
): Procedure<boolean> {
  if (ids.length <= READ_UNASKED) return false;
  if (ids.length > lookups) return true;
  const sums = yield* queryBatch<{ readonly bytes: number }>(statement, ids, site);
  return sums.reduce((sum, { bytes }) => sum + Number(bytes), 0) > bytesRead;
}

function* addAuthors(rows: readonly ContentRow[], known: Map<number, AuthorRow>): Procedure<void> {
  const wanted = new Set<number>();
  for (const { body } of rows) if (body.authorNo !== null && !known.has(body.authorNo)) wanted.add(body.authorNo);
  if (wanted.size === 0) return;
  for (const author of yield* queryBatch<AuthorRow>(selectAuthors, [...wanted])) known.set(author.no, author);
}

/**
 * Returns the rows in the order of the given ids, because validators are computed from the rows and must be the same on every engine.
 * Returns undefined if the rows are too large.
 */
export function* selectRowsById(
  ids: readonly string[],
  siteNo: number,
  view: View,
  { bytesRead }: AnswerRoom,
): Procedure<readonly ContentRow[] | undefined> {
  const found = yield* queryBatch<FoundBody>(view.selectRows, ids, { site: siteNo });
  const rows = yield* fillBodies(found, siteNo, view.selectBodies, bytesRead);
  if (rows === undefined) return undefined;
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return ids.flatMap((id) => {
    const body = bodies.get(id);
    return body === undefined ? [] : [{ id, body: decodeBody(body) }];
  });
}

function collectIds(
  rows: readonly { readonly body: Body }[],
  piece: typeof PIECES.links | typeof PIECES.assets,
): readonly string[] {
  return [...new Set(rows.flatMap(({ body }) => readIds(body, piece)))];
}
