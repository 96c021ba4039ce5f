// What rendering joins in: authors, assets, linked content. One query for each kind, however many objects there are.

import { type RawBuilder, sql } from 'kysely';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { isNotShadowed } from '../lists/list-conditions.ts';
import type { Audience } from '../lists/list-plan.ts';
import type { ContentRow } from '../lists/select-list.ts';
import { type Procedure, slot } from '../statement.ts';
import { parseStored } from '../stored-json.ts';

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

export interface LinkedRow {
  readonly id: string;
  readonly type_no: number;
  readonly published_at: number | null;
  readonly name: string;
  readonly slug: string;
  readonly uri: string;
  readonly body: string;
  readonly digest: string;
  readonly links: string | null;
  readonly assets: string | null;
}

export interface Related {
  readonly authors: ReadonlyMap<number, AuthorRow>;
  readonly assets: ReadonlyMap<string, AssetRow>;
  readonly links: ReadonlyMap<string, LinkedRow>;
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
const linkedColumns = sql.raw(
  'p.id, p.type_no, p.published_at, p.name, p.slug, p.uri, p.body, p.digest, p.links, p.assets',
);
const selectLinked = defineVisibleStatement(linkedColumns);
const selectVisibleIds = defineVisibleStatement(sql.raw('p.id'));

function defineVisibleStatement(columns: RawBuilder<unknown>): Readonly<Record<Audience, BatchStatement>> {
  const select = (table: string, list: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select ${columns} from ${sql.table(table)} as p where p.site_no = ${slot('site')} and p.id in (${list})`;
  return {
    public: defineBatchStatement((list) => select('published_contents', list)),
    preview: defineBatchStatement(
      (list) => sql`${select('published_contents', list)} and ${isNotShadowed('p')}
        union all ${select('preview_contents', list)}`,
    ),
  };
}

/** What rows without links and assets need, where their authors are known; undefined where something must be selected. */
export function recallRelated(rows: readonly ContentRow[], knownAuthors: Map<number, AuthorRow>): Related | undefined {
  for (const { author_no, links, assets } of rows) {
    if (links !== null || assets !== null || (author_no !== null && !knownAuthors.has(author_no))) return undefined;
  }
  return { ...NOTHING_LINKED, authors: knownAuthors };
}

const NOTHING_LINKED = { assets: new Map(), links: new Map(), visibleIds: new Set<string>() } as const;

/** @param knownAuthors authors that were read before and have not changed since; new ones are added */
export function* selectRelated(
  rows: readonly ContentRow[],
  siteNo: number,
  audience: Audience,
  knownAuthors: Map<number, AuthorRow>,
): Procedure<Related> {
  yield* addAuthors(rows, knownAuthors);
  const linkIds = collectIds(rows, 'links');
  const site = { site: siteNo };
  const linked = linkIds.length === 0 ? [] : yield* queryBatch<LinkedRow>(selectLinked[audience], linkIds, site);
  const assetIds = collectIds([...rows, ...linked], 'assets');
  const assets = assetIds.length === 0 ? [] : yield* queryBatch<AssetRow>(selectAssets, assetIds, site);
  const farIds = collectIds(linked, 'links');
  const far = farIds.length === 0 ? [] : yield* queryBatch<{ id: string }>(selectVisibleIds[audience], farIds, site);
  return {
    authors: knownAuthors,
    assets: new Map(assets.map((asset) => [asset.id, asset])),
    links: new Map(linked.map((row) => [row.id, row])),
    visibleIds: new Set(far.map((row) => row.id)),
  };
}

function* addAuthors(rows: readonly ContentRow[], known: Map<number, AuthorRow>): Procedure<void> {
  const wanted = new Set<number>();
  for (const { author_no } of rows) if (author_no !== null && !known.has(author_no)) wanted.add(author_no);
  if (wanted.size === 0) return;
  for (const author of yield* queryBatch<AuthorRow>(selectAuthors, [...wanted])) known.set(author.no, author);
}

function collectIds(
  rows: readonly { readonly links: string | null; readonly assets: string | null }[],
  column: 'links' | 'assets',
): readonly string[] {
  const ids = new Set<string>();
  for (const row of rows) {
    const list = row[column];
    if (list !== null) for (const id of parseStored<readonly string[]>(list)) ids.add(id);
  }
  return [...ids];
}
