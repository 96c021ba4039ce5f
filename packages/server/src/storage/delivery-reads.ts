// The reads of the delivery API, each one moment of the database. What a site is made of is remembered until it changes;
// a read that meets a newer catalog than the request was parsed with says so, and the request starts again.

import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Catalog } from '../content/catalog.ts';
import type { ListQuery } from '../listing/list-query.ts';
import type { LanguageChoice } from '../listing/list-query.ts';
import { selectContent } from './contents/select-content.ts';
import { type AuthorRow, type Related, selectRelated } from './contents/select-related.ts';
import type { Engine } from './engine.ts';
import { type AccessRow, selectAccess } from './keys/select-access.ts';
import { type Audience, planList } from './lists/list-plan.ts';
import { type ContentRow, type CursorPage, type NumberedPage, selectCursorPage, selectNumberedPage } from './lists/select-list.ts';
import { selectCatalog } from './sites/select-catalog.ts';
import { defineStatement, type Procedure, query, slot } from './statement.ts';

/** A site's catalog with what was joined in under it. It serves as long as the catalog does not move. */
export interface CatalogMemo {
  readonly version: number;
  readonly catalog: Catalog;
  readonly authors: Map<number, AuthorRow>;
}

export type ListPage =
  | ({ readonly mode: 'cursor' } & CursorPage)
  | ({ readonly mode: 'simple' } & NumberedPage);

export interface SelectedList {
  readonly page: ListPage;
  readonly related: Related;
}

export interface SelectedContent {
  readonly row: ContentRow | undefined;
  readonly related: Related;
}

const MOST_CATALOGS_KEPT = 1000;
const MOST_AUTHORS_KEPT = 10_000;

const selectCatalogVersion = defineStatement(() => sql`select catalog from sites where no = ${slot('site')}`);

const NOTHING_RELATED: Related = { authors: new Map(), assets: new Map(), links: new Map(), visibleIds: new Set() };

export class DeliveryReads {
  readonly #engine: Engine;
  readonly #catalogs = new LRUCache<number, CatalogMemo>({ max: MOST_CATALOGS_KEPT });

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  selectAccess(tokenHash: string, siteId: string): Promise<AccessRow | undefined> {
    return this.#engine.read(selectAccess(tokenHash, siteId));
  }

  /** Undefined where the site has gone since. */
  async loadCatalog(siteNo: number, version: number): Promise<CatalogMemo | undefined> {
    const known = this.#catalogs.get(siteNo);
    if (known?.version === version) return known;
    const fresh = await this.#engine.read(selectCatalog(siteNo));
    if (fresh === undefined) return undefined;
    const memo = { ...fresh, authors: new Map<number, AuthorRow>() };
    this.#catalogs.set(siteNo, memo);
    return memo;
  }

  /** Undefined where the catalog has moved. */
  selectList(listQuery: ListQuery, memo: CatalogMemo, audience: Audience): Promise<SelectedList | undefined> {
    return this.#engine.read(selectList(listQuery, memo, audience));
  }

  /** Undefined where the catalog has moved. */
  selectContent(
    id: string,
    languages: LanguageChoice | null,
    memo: CatalogMemo,
    audience: Audience,
  ): Promise<SelectedContent | undefined> {
    return this.#engine.read(selectObject(id, languages, memo, audience));
  }
}

function* selectList(listQuery: ListQuery, memo: CatalogMemo, audience: Audience): Procedure<SelectedList | undefined> {
  if (!(yield* isCurrent(memo))) return undefined;
  const page = yield* selectPage(listQuery, memo, audience);
  return { page, related: yield* selectRelated(page.rows, memo.catalog.site.no, audience, roomForAuthors(memo)) };
}

function* selectPage(listQuery: ListQuery, memo: CatalogMemo, audience: Audience): Procedure<ListPage> {
  const { filters, paging, limit } = listQuery;
  if (filters === null) {
    return paging.mode === 'cursor'
      ? { mode: 'cursor', rows: [], previous: null, next: null }
      : { mode: 'simple', rows: [], total: 0 };
  }
  const plan = planList(listQuery, filters, memo.catalog, audience);
  if (paging.mode === 'cursor') return { mode: 'cursor', ...(yield* selectCursorPage(plan, paging.cursor, limit)) };
  return { mode: 'simple', ...(yield* selectNumberedPage(plan, paging.page, limit)) };
}

function* selectObject(
  id: string,
  languages: LanguageChoice | null,
  memo: CatalogMemo,
  audience: Audience,
): Procedure<SelectedContent | undefined> {
  if (!(yield* isCurrent(memo))) return undefined;
  const siteNo = memo.catalog.site.no;
  const row = yield* selectContent(siteNo, id, languages, audience);
  if (row === undefined) return { row, related: NOTHING_RELATED };
  return { row, related: yield* selectRelated([row], siteNo, audience, roomForAuthors(memo)) };
}

function* isCurrent(memo: CatalogMemo): Procedure<boolean> {
  const [row] = yield* query<{ catalog: number }>(selectCatalogVersion, { site: memo.catalog.site.no });
  return row?.catalog === memo.version;
}

function roomForAuthors(memo: CatalogMemo): Map<number, AuthorRow> {
  if (memo.authors.size > MOST_AUTHORS_KEPT) memo.authors.clear();
  return memo.authors;
}
