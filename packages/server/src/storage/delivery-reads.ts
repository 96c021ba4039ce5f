// Reads data for the delivery API. Each request sees the database at a single point in time, from the key to the last linked object. Data
// about keys and sites is remembered and reused until something is written to the database.

import { LRUCache } from 'lru-cache';
import type { AnswerRoom } from '../content/answer-limit.ts';
import { buildReaderCatalog, type Catalog } from '../content/catalog.ts';
import { buildTemplates, type ContentTemplates } from '../content/content-templates.ts';
import type { Related } from '../content/render-content.ts';
import { listShownLinks } from '../content/shown-links.ts';
import type { LanguageChoice, ListQuery, ListShape, Paging } from '../listing/list-query.ts';
import { type LogEnds, selectLogEnds } from './changes/select-log-ends.ts';
import { type ObjectPage, selectObject } from './contents/select-content.ts';
import { recallRelated, selectRelated, selectRowsById } from './contents/select-related.ts';
import type { Engine } from './engine.ts';
import { type AccessRow, selectAccess } from './keys/select-access.ts';
import {
  CheckedBodies,
  type ContentRow,
  lacksBody,
  type OversizedPage,
  openLargeRows,
  openRow,
} from './lists/content-rows.ts';
import { type ListPlan, planList, sharePlan } from './lists/list-plan.ts';
import { type CursorPage, selectCursorPage } from './lists/select-cursor-page.ts';
import { ListMemory, selectNumberedPage } from './lists/select-numbered-page.ts';
import { settlePlan } from './lists/settle-plan.ts';
import type { AuthorRow } from './sites/authors.ts';
import { selectCatalog, selectCatalogVersion } from './sites/select-catalog.ts';
import type { Procedure } from './statement.ts';
import type { Audience, View } from './views.ts';

/** A site's catalog and the authors read so far. Both are valid until the catalog changes. */
export interface CatalogMemo {
  readonly version: number;
  readonly catalog: Catalog;
  readonly templates: ContentTemplates;
  readonly authors: Map<number, AuthorRow>;
}

/** @param whole the catalog including hidden fields */
export function buildCatalogMemo(whole: Catalog, version: number): CatalogMemo {
  const catalog = buildReaderCatalog(whole);
  return { version, catalog, templates: buildTemplates(catalog), authors: new Map() };
}

export interface NumberedPage {
  readonly mode: 'simple';
  readonly rows: readonly ContentRow[];
  readonly total: number;
}

export type ListPage = CursorPage | NumberedPage;

const EMPTY_SET: ListPage = { mode: 'cursor', rows: [], previous: null, next: null };
const EMPTY_PAGE: ListPage = { mode: 'simple', rows: [], total: 0 };

/** A site at one point in time, as one audience sees it. */
export interface Reading {
  readonly memo: CatalogMemo;
  /** Changes whenever anything that this audience can see on the site changes. */
  readonly generation: number;
  /** Changes with the data that rendering adds to saved bodies for this audience, except for links. */
  readonly version: number;
  readonly view: View;
  /** The maximum size of a response on this thread. */
  readonly room: AnswerRoom;
  /** If set, only this object and the content that it links to can be read. */
  readonly sharedId: string | null;
}

/** The data to read for a response. */
export type Selection = ObjectSelection | ListSelection;

export interface ObjectSelection {
  readonly kind: 'object';
  readonly id: string;
  /** Null to read the record itself, regardless of its language. */
  readonly languages: LanguageChoice | null;
  readonly reading: Reading;
}

export interface ListSelection {
  readonly kind: 'list';
  readonly query: ListQuery;
  readonly reading: Reading;
}

/** The data that was read for a response. */
export interface Found<Asked extends Selection> {
  readonly asked: Asked;
  /** Undefined if there is no such object, or if the cursor's position is no longer known. */
  readonly page: ObjectPage | ListPage | OversizedPage | undefined;
  /** The other records that the rows embed; undefined if they are too large. */
  readonly related: Related | undefined;
}

/** Objects that were read by their ids, with the other records that they embed. */
export interface FoundContents {
  readonly rows: readonly ContentRow[];
  readonly related: Related;
}

/** The caller and the requested site. */
export interface ReadCaller {
  readonly token: string;
  readonly siteId: string;
  /** Whether to read from the primary, so that editors see their latest changes on every node. */
  readonly wantsNewest: boolean;
}

/** The data needed when a key is used on a site: the key's rights there, and the site's catalog. */
export interface Visit {
  readonly access: AccessRow;
  /** Null if there is no such site, or if the key is not allowed to read it. */
  readonly memo: CatalogMemo | null;
}

/** A visit stays valid as long as the database has the same stamp. */
interface RememberedVisit {
  readonly stamp: number;
  readonly token: string;
  readonly siteId: string;
  readonly visit: Visit | undefined;
}

const NO_VISIT: RememberedVisit = { stamp: Number.NaN, token: '', siteId: '', visit: undefined };

const MOST_VISITS_KEPT = 10_000;
const MOST_CATALOGS_KEPT = 1000;
const MOST_AUTHORS_KEPT = 10_000;

export class DeliveryReads {
  readonly #engine: Engine;
  readonly #visits = new LRUCache<string, RememberedVisit>({ max: MOST_VISITS_KEPT });
  readonly #catalogs = new LRUCache<number, CatalogMemo>({ max: MOST_CATALOGS_KEPT });
  /** The newest generation seen for each site. */
  readonly #generations = new LRUCache<number, number>({ max: MOST_CATALOGS_KEPT });
  readonly #lists = new ListMemory();
  readonly #checked = new CheckedBodies();
  /** Most requests use the same key and site as the previous request. */
  #lastVisit = NO_VISIT;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Reads the caller, and then the selection that `choose` returns for that caller, both from the same snapshot.
   * @param choose returns a selection, or any other value, which is passed on unchanged. It may be called again with a newer snapshot.
   */
  read<Asked extends Selection, Decided extends object>(
    caller: ReadCaller,
    choose: (visit: Visit | undefined) => Asked | Decided,
  ): Found<Asked> | Decided | Promise<Found<Asked> | Decided> {
    return this.#readAt(caller, (stamp) => {
      const visit = this.#recallVisit(stamp, caller.token, caller.siteId);
      return visit === undefined
        ? this.#meetAndSelect<Asked, Decided>(stamp, caller, choose)
        : this.#selectChosen<Asked, Decided>(choose(visit));
    });
  }

  /**
   * Reads the caller, and then everything that `select` reads, both from the same snapshot of the primary.
   * @param select may be called again with a newer snapshot
   */
  readNewest<Outcome>(
    caller: Pick<ReadCaller, 'token' | 'siteId'>,
    select: (visit: Visit | undefined) => Procedure<Outcome>,
  ): Outcome | Promise<Outcome> {
    return this.#readAt({ ...caller, wantsNewest: true }, (stamp) => this.#meetAnd(stamp, caller, select));
  }

  *#meetAnd<Outcome>(
    stamp: number,
    caller: Pick<ReadCaller, 'token' | 'siteId'>,
    select: (visit: Visit | undefined) => Procedure<Outcome>,
  ): Procedure<Outcome> {
    const known = this.#recallVisit(stamp, caller.token, caller.siteId);
    return yield* select(known ?? (yield* this.#selectVisit(stamp, caller)));
  }

  /** Reads only the caller. */
  readVisit(caller: ReadCaller): Visit | undefined | Promise<Visit | undefined> {
    return this.#readAt(caller, (stamp) => {
      const visit = this.#recallVisit(stamp, caller.token, caller.siteId);
      return visit === undefined ? this.#selectVisit(stamp, caller) : selectNothing(visit);
    });
  }

  /** Reads the end positions of these sites' change logs from the primary. */
  readLogEnds(siteIds: readonly string[]): ReadonlyMap<string, LogEnds> | Promise<ReadonlyMap<string, LogEnds>> {
    return this.#engine.readNewestForRequest(() => selectLogEnds(siteIds), 'changes');
  }

  #readAt<Read>({ token, wantsNewest }: ReadCaller, build: (stamp: number) => Procedure<Read>): Read | Promise<Read> {
    return wantsNewest ? this.#engine.readNewestForRequest(build, token) : this.#engine.readForRequest(build, token);
  }

  *#meetAndSelect<Asked extends Selection, Decided extends object>(
    stamp: number,
    caller: ReadCaller,
    choose: (visit: Visit | undefined) => Asked | Decided,
  ): Procedure<Found<Asked> | Decided> {
    return yield* this.#selectChosen<Asked, Decided>(choose(yield* this.#selectVisit(stamp, caller)));
  }

  #selectChosen<Asked extends Selection, Decided extends object>(
    chosen: Asked | Decided,
  ): Procedure<Found<Asked> | Decided> {
    return isSelection<Asked, Decided>(chosen) ? this.select(chosen) : selectNothing(chosen);
  }

  /** A number that changes with every write; undefined if it cannot be determined without a database read. */
  peekStamp(): number | undefined {
    return this.#engine.peekStamp();
  }

  /** Whether the latest stamp is known without reading from the database. */
  isMomentKnown(): boolean {
    return this.#engine.peekStamp() !== undefined;
  }

  /** While the database is unreachable, the number of milliseconds since it was last reached. */
  outageMs(): number | undefined {
    return this.#engine.outageMs();
  }

  /** The visit, if it is remembered under the latest stamp. */
  recallVisit(token: string, siteId: string): Visit | undefined {
    const stamp = this.#engine.peekStamp();
    return stamp === undefined ? undefined : this.#recallVisit(stamp, token, siteId);
  }

  #recallVisit(stamp: number, token: string, siteId: string): Visit | undefined {
    const last = this.#lastVisit;
    if (last.stamp === stamp && last.token === token && last.siteId === siteId) return last.visit;
    const known = this.#visits.get(`${token} ${siteId}`);
    if (known?.stamp !== stamp) return undefined;
    this.#lastVisit = known;
    return known.visit;
  }

  /**
   * The visit as it was last read, but with the newest generation seen for its site, because no client may get an older state than
   * another client has already seen.
   */
  recallLastVisit(token: string, siteId: string): Visit | undefined {
    const visit = this.#visits.get(`${token} ${siteId}`)?.visit;
    if (visit === undefined || visit.access.site_no === null) return undefined;
    const generation = this.#generations.get(visit.access.site_no) ?? visit.access.generation;
    return { ...visit, access: { ...visit.access, generation } };
  }

  *#selectVisit(stamp: number, { token, siteId }: Pick<ReadCaller, 'token' | 'siteId'>): Procedure<Visit | undefined> {
    const access = yield* selectAccess(token, siteId);
    // During an outage, nothing may be served from a deleted site or to a client with a deleted key.
    if (access?.site_no == null) this.#visits.delete(`${token} ${siteId}`);
    if (access === undefined) return undefined;
    const { site_no, catalog, generation, may_read_site } = access;
    const isReader = site_no !== null && catalog !== null && may_read_site === 1;
    const memo = isReader ? (this.#recallCatalog(site_no, catalog) ?? (yield* this.#selectCatalog(site_no))) : null;
    const visit = { access, memo };
    // Clients can send arbitrary site ids, so only existing ones are remembered.
    if (site_no !== null) this.#visits.set(`${token} ${siteId}`, { stamp, token, siteId, visit });
    if (site_no !== null && generation !== null) this.#noteGeneration(site_no, generation);
    return visit;
  }

  #noteGeneration(siteNo: number, generation: number): void {
    this.#generations.set(siteNo, Math.max(generation, this.#generations.get(siteNo) ?? generation));
  }

  /** A site as readers see it, for work that is not part of a request. Returns undefined if the site was deleted. */
  *openSite(siteNo: number): Procedure<CatalogMemo | undefined> {
    const version = yield* selectCatalogVersion(siteNo);
    if (version === undefined) return undefined;
    return this.#recallCatalog(siteNo, version) ?? (yield* this.#selectCatalog(siteNo));
  }

  /** The catalog, if this version of it is remembered. */
  #recallCatalog(siteNo: number, version: number): CatalogMemo | undefined {
    const known = this.#catalogs.get(siteNo);
    return known?.version === version ? known : undefined;
  }

  *#selectCatalog(siteNo: number): Procedure<CatalogMemo> {
    const fresh = yield* selectCatalog(siteNo);
    if (fresh === undefined) throw new Error(`Site number ${siteNo} has no catalog`);
    const memo = buildCatalogMemo(fresh.catalog, fresh.version);
    this.#catalogs.set(siteNo, memo);
    return memo;
  }

  /** Reads a selection and all data that its rows embed from other records. */
  *select<Asked extends Selection>(asked: Asked): Procedure<Found<Asked>> {
    const { reading } = asked;
    const shared = reading.sharedId === null ? null : yield* selectSharedIds(reading.sharedId, reading);
    if (shared === undefined) return { asked, page: { mode: 'oversized', objects: 1 }, related: undefined };
    const page = yield* asked.kind === 'list'
      ? this.#selectPage(asked.query, reading, shared)
      : selectObject(asked.id, asked.languages, shared === null ? reading : { ...reading, shared });
    if (page === undefined || page.mode === 'oversized') return { asked, page, related: undefined };
    // The check comes first, because it throws `DamagedContent` if a body is damaged.
    this.#checked.check(page.rows);
    const { memo, room } = reading;
    const related =
      recallRelated(page.rows, memo.authors, room) ?? (yield* this.#selectRelated(page.rows, reading, shared));
    return { asked, page, related };
  }

  /** Reads the data that an unsaved object would embed if it were saved. */
  *selectUnsaved<Asked extends ObjectSelection>(asked: Asked, unsaved: ContentRow): Procedure<Found<Asked>> {
    const { memo, view, room } = asked.reading;
    const memory = { authors: boundAuthors(memo), checked: this.#checked, room, unsaved };
    const related = yield* selectRelated([unsaved], memo.catalog.site.no, view, memory);
    return { asked, page: { mode: 'object', rows: [unsaved] }, related };
  }

  /** Reads the objects with these ids that the audience may see, and all data that they embed. Returns undefined if they are too large. */
  *selectContents(ids: readonly string[], reading: Reading): Procedure<FoundContents | undefined> {
    const { memo, view, room } = reading;
    const rows = yield* selectRowsById(ids, memo.catalog.site.no, view, room);
    if (rows === undefined) return undefined;
    this.#checked.check(rows);
    const related = recallRelated(rows, memo.authors, room) ?? (yield* this.#selectRelated(rows, reading));
    return related && { rows, related };
  }

  #selectPage(
    { paging, shape }: ListQuery,
    reading: Reading,
    shared: SharedIds | null,
  ): Procedure<ListPage | OversizedPage | undefined> {
    const whole = findPlan(shape, reading);
    const plan = whole === undefined || shared === null ? whole : sharePlan(whole, shared);
    if (plan === undefined) return selectNothing(paging.mode === 'cursor' ? EMPTY_SET : EMPTY_PAGE);
    return plan.needsSettling ? this.#settleAndSelect(plan, paging, reading) : this.#select(plan, paging, reading);
  }

  *#settleAndSelect(plan: ListPlan, paging: Paging, reading: Reading): Procedure<ListPage | OversizedPage | undefined> {
    return yield* this.#select(yield* settlePlan(plan, reading.generation), paging, reading);
  }

  #select(plan: ListPlan, paging: Paging, reading: Reading): Procedure<ListPage | OversizedPage | undefined> {
    return paging.mode === 'cursor'
      ? selectCursorPage(plan, paging.cursor, reading.room)
      : this.#selectNumberedPage(plan, paging.page, reading);
  }

  *#selectNumberedPage(
    plan: ListPlan,
    page: number,
    { generation, room }: Reading,
  ): Procedure<NumberedPage | OversizedPage> {
    const list = yield* this.#lists.find(plan, generation);
    const found = yield* selectNumberedPage(plan, page, list);
    const rows = found.some(lacksBody)
      ? yield* openLargeRows(found, plan.siteNo, plan.view.selectBodies, room)
      : found.map(openRow);
    if (rows === undefined) return { mode: 'oversized', objects: found.length };
    return { mode: 'simple', rows, total: list.total };
  }

  #selectRelated(
    rows: readonly ContentRow[],
    { memo, view, room }: Reading,
    shared: SharedIds | null = null,
  ): Procedure<Related | undefined> {
    const memory = { authors: boundAuthors(memo), checked: this.#checked, room, shared };
    return selectRelated(rows, memo.catalog.site.no, view, memory);
  }
}

/** The ids that a share link gives access to: the shared content, and everything that it links to. */
type SharedIds = ReadonlySet<string>;

/** Empty if the shared content has no preview; undefined if it is too large for this thread. */
function* selectSharedIds(id: string, { memo, view, room }: Reading): Procedure<SharedIds | undefined> {
  const rows = yield* selectRowsById([id], memo.catalog.site.no, view, room);
  return rows && new Set(rows.flatMap(({ body }) => [id, ...listShownLinks(body, memo.templates)]));
}

function isSelection<Asked extends Selection, Decided extends object>(chosen: Asked | Decided): chosen is Asked {
  return 'kind' in chosen;
}

/** A shape belongs to one catalog. All requests with this shape share the same object, so their list is planned only once per view. */
const plansByShape: Readonly<Record<Audience, WeakMap<ListShape, ListPlan>>> = {
  public: new WeakMap(),
  preview: new WeakMap(),
};

/** Undefined if the list is always empty, regardless of the site's content. */
function findPlan(shape: ListShape, { memo, view }: Reading): ListPlan | undefined {
  const plans = plansByShape[view.audience];
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const plan = planList(shape, memo.catalog, view);
  if (plan !== undefined) plans.set(shape, plan);
  return plan;
}

/** Returns a result that needs no database read. */
function* selectNothing<Known>(known: Known): Procedure<Known> {
  yield* [];
  return known;
}

function boundAuthors(memo: CatalogMemo): Map<number, AuthorRow> {
  if (memo.authors.size > MOST_AUTHORS_KEPT) memo.authors.clear();
  return memo.authors;
}
