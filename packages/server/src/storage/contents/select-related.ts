// What rendering joins in: authors, assets, linked content. One query for each kind, however many objects there are.

import { type RawBuilder, sql } from 'kysely';
import { type Body, decodeBody, PIECES, readIds, refersToOthers } from '../../content/body.ts';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { isBodyOf, joinBodies } from '../lists/join-bodies.ts';
import { isNotShadowed } from '../lists/list-conditions.ts';
import type { Audience, ReadModel } from '../lists/list-plan.ts';
import type { ContentRow } from '../lists/select-list.ts';
import { type Procedure, slot } from '../statement.ts';
import type { CheckedBodies } from './checked-bodies.ts';

export interface AuthorRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

export interface AssetRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  readonly size: number;
  readonly mime_type: string;
  readonly width: number | null;
  readonly height: number | null;
}

export interface Related {
  readonly authors: ReadonlyMap<number, AuthorRow>;
  readonly assets: ReadonlyMap<string, AssetRow>;
  readonly links: ReadonlyMap<string, ContentRow>;
  /** Ids that linked content links to in turn, as far as the reader may see what they name. */
  readonly visibleIds: ReadonlySet<string>;
}

const selectAuthors = defineBatchStatement(
  (list) => sql`select no, id, name, email, profile_photo_url from authors where no in (${list})`,
);
const selectAssets = defineBatchStatement(
  (list) => sql`select id, name, description, path, url, extension, size, mime_type, width, height
    from assets where site_no = ${slot('site')} and id in (${list})`,
);
const selectLinked = defineVisibleStatement((model, isWanted) => {
  const source = sql`${sql.table(`${model}_contents`)} as p ${joinBodies(model)}`;
  return sql`select p.id, b.body from ${source}
    where ${isWanted} and ${isBodyOf('p')}`;
});
const selectVisibleIds = defineVisibleStatement(
  (model, isWanted) => sql`select p.id from ${sql.table(`${model}_contents`)} as p where ${isWanted}`,
);

function defineVisibleStatement(
  build: (model: ReadModel, isWanted: RawBuilder<unknown>) => RawBuilder<unknown>,
): Readonly<Record<Audience, BatchStatement>> {
  const select = (model: ReadModel, list: RawBuilder<unknown>): RawBuilder<unknown> =>
    build(model, sql`p.site_no = ${slot('site')} and p.id in (${list})`);
  return {
    public: defineBatchStatement((list) => select('published', list)),
    preview: defineBatchStatement(
      (list) => sql`${select('published', list)} and ${isNotShadowed('p')} union all ${select('preview', list)}`,
    ),
  };
}

/** What rows without links and assets need, where their authors are known; undefined where something must be selected. */
export function recallRelated(rows: readonly ContentRow[], knownAuthors: Map<number, AuthorRow>): Related | undefined {
  for (const { body } of rows) {
    if (refersToOthers(body) || (body.authorNo !== null && !knownAuthors.has(body.authorNo))) return undefined;
  }
  return { ...NOTHING_LINKED, authors: knownAuthors };
}

const NOTHING_LINKED = { assets: new Map(), links: new Map(), visibleIds: new Set<string>() } as const;

export interface RelatedMemory {
  /** Authors that were read before and have not changed since; new ones are added. */
  readonly authors: Map<number, AuthorRow>;
  readonly checked: CheckedBodies;
}

export function* selectRelated(
  rows: readonly ContentRow[],
  siteNo: number,
  audience: Audience,
  { authors: knownAuthors, checked }: RelatedMemory,
): Procedure<Related> {
  yield* addAuthors(rows, knownAuthors);
  const linkIds = collectIds(rows, PIECES.links);
  const site = { site: siteNo };
  const linked = linkIds.length === 0 ? [] : yield* selectLinkedRows(linkIds, siteNo, audience);
  checked.check(linked);
  const assetIds = collectIds([...rows, ...linked], PIECES.assets);
  const assets = assetIds.length === 0 ? [] : yield* queryBatch<AssetRow>(selectAssets, assetIds, site);
  const farIds = collectIds(linked, PIECES.links);
  const far = farIds.length === 0 ? [] : yield* queryBatch<{ id: string }>(selectVisibleIds[audience], farIds, site);
  const visible = new Set(far.map((row) => row.id));
  return {
    authors: knownAuthors,
    assets: new Map(assets.map((asset) => [asset.id, asset])),
    links: new Map(linked.map((row) => [row.id, row])),
    visibleIds: new Set(farIds.filter((id) => visible.has(id))),
  };
}

function* addAuthors(rows: readonly ContentRow[], known: Map<number, AuthorRow>): Procedure<void> {
  const wanted = new Set<number>();
  for (const { body } of rows) if (body.authorNo !== null && !known.has(body.authorNo)) wanted.add(body.authorNo);
  if (wanted.size === 0) return;
  for (const author of yield* queryBatch<AuthorRow>(selectAuthors, [...wanted])) known.set(author.no, author);
}

/** In the order of the ids, whatever the database's: validators are made of them, and are the same on every engine. */
function* selectLinkedRows(
  ids: readonly string[],
  siteNo: number,
  audience: Audience,
): Procedure<readonly ContentRow[]> {
  const rows = yield* queryBatch<{ readonly id: string; readonly body: string }>(selectLinked[audience], ids, {
    site: siteNo,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ id, body: decodeBody(row.body) }];
  });
}

function collectIds(
  rows: readonly { readonly body: Body }[],
  piece: typeof PIECES.links | typeof PIECES.assets,
): readonly string[] {
  return [...new Set(rows.flatMap(({ body }) => readIds(body, piece)))];
}
