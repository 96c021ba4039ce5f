// The reads of the delivery API. A request reads one moment of the database, from the key to the last linked object.
// What was read of keys and sites is remembered and serves again as long as nothing at all was written.

import { LRUCache } from 'lru-cache';
import { hashToken } from '../content/api-token.ts';
import type { Catalog } from '../content/catalog.ts';
import type { LanguageChoice, ListQuery } from '../listing/list-query.ts';
import { selectContent } from './contents/select-content.ts';
import { type AuthorRow, type Related, recallRelated, selectRelated } from './contents/select-related.ts';
import type { Engine } from './engine.ts';
import { type AccessRow, selectAccess } from './keys/select-access.ts';
import { type Audience, findPlan } from './lists/list-plan.ts';
import {
  type ContentRow,
  type CursorPage,
  type NumberedPage,
  selectCursorPage,
  selectNumberedPage,
} from './lists/select-list.ts';
import { selectCatalog } from './sites/select-catalog.ts';
import type { Procedure } from './statement.ts';

/** A site's catalog with what was joined in under it. It serves as long as the catalog does not move. */
export interface CatalogMemo {
  readonly version: number;
  readonly catalog: Catalog;
  readonly authors: Map<number, AuthorRow>;
}

export type ListPage = ({ readonly mode: 'cursor' } & CursorPage) | ({ readonly mode: 'simple' } & NumberedPage);

export interface SelectedList {
  readonly page: ListPage;
  readonly related: Related;
}

export interface SelectedContent {
  readonly row: ContentRow;
  readonly related: Related;
}

/** What was read at one moment holds for all moments with the same stamp. */
interface RememberedCaller {
  readonly stamp: number;
  readonly row: AccessRow;
}

const MOST_CALLERS_KEPT = 10_000;
const MOST_CATALOGS_KEPT = 1000;
const MOST_AUTHORS_KEPT = 10_000;

export class DeliveryReads {
  readonly #engine: Engine;
  readonly #callers = new LRUCache<string, RememberedCaller>({ max: MOST_CALLERS_KEPT });
  readonly #catalogs = new LRUCache<number, CatalogMemo>({ max: MOST_CATALOGS_KEPT });

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Runs a procedure made of the reads below; all of them see the same moment.
   * @param work gets the stamp of that moment
   */
  inSnapshot<Outcome>(work: (stamp: number) => Procedure<Outcome>): Outcome | Promise<Outcome> {
    return this.#engine.readForRequest(work);
  }

  /** What is remembered of a caller; undefined where it must be selected. */
  recallAccess(stamp: number, token: string, siteId: string): AccessRow | undefined {
    const known = this.#callers.get(`${token} ${siteId}`);
    return known?.stamp === stamp ? known.row : undefined;
  }

  *selectAccess(stamp: number, token: string, siteId: string): Procedure<AccessRow | undefined> {
    const row = yield* selectAccess(hashToken(token), siteId);
    // Site ids are the client's to invent: only those that exist are remembered.
    if (row !== undefined && row.site_no !== null) this.#callers.set(`${token} ${siteId}`, { stamp, row });
    return row;
  }

  /** The catalog where it is remembered in this version; undefined where it must be selected. */
  recallCatalog(siteNo: number, version: number): CatalogMemo | undefined {
    const known = this.#catalogs.get(siteNo);
    return known?.version === version ? known : undefined;
  }

  *selectCatalog(siteNo: number): Procedure<CatalogMemo> {
    const fresh = yield* selectCatalog(siteNo);
    if (fresh === undefined) throw new Error(`The site number ${siteNo} has no catalog`);
    const memo = { ...fresh, authors: new Map<number, AuthorRow>() };
    this.#catalogs.set(siteNo, memo);
    return memo;
  }

  /** Undefined where the cursor's position is not known any more. */
  *selectList(listQuery: ListQuery, memo: CatalogMemo, audience: Audience): Procedure<SelectedList | undefined> {
    const page = yield* selectPage(listQuery, memo, audience);
    if (page === undefined) return undefined;
    const authors = roomForAuthors(memo);
    const known = recallRelated(page.rows, authors);
    return { page, related: known ?? (yield* selectRelated(page.rows, memo.catalog.site.no, audience, authors)) };
  }

  *selectContent(
    id: string,
    languages: LanguageChoice | null,
    memo: CatalogMemo,
    audience: Audience,
  ): Procedure<SelectedContent | undefined> {
    const siteNo = memo.catalog.site.no;
    const row = yield* selectContent(siteNo, id, languages, audience);
    if (row === undefined) return undefined;
    const authors = roomForAuthors(memo);
    const known = recallRelated([row], authors);
    return { row, related: known ?? (yield* selectRelated([row], siteNo, audience, authors)) };
  }
}

function* selectPage(listQuery: ListQuery, memo: CatalogMemo, audience: Audience): Procedure<ListPage | undefined> {
  const { paging, shape } = listQuery;
  const plan = findPlan(shape, memo.catalog, audience);
  if (plan === undefined) {
    return paging.mode === 'cursor'
      ? { mode: 'cursor', rows: [], previous: null, next: null }
      : { mode: 'simple', rows: [], total: 0 };
  }
  if (paging.mode === 'cursor') {
    const page = yield* selectCursorPage(plan, paging.cursor, shape.limit);
    return page && { mode: 'cursor', ...page };
  }
  return { mode: 'simple', ...(yield* selectNumberedPage(plan, paging.page, shape.limit)) };
}

function roomForAuthors(memo: CatalogMemo): Map<number, AuthorRow> {
  if (memo.authors.size > MOST_AUTHORS_KEPT) memo.authors.clear();
  return memo.authors;
}
