// Reads the change log page by page. A row may be about something that many objects include, such as an author. Readers then get one
// change for each object that currently shows it. This is enough, because the log gets a separate row when an object stops showing it.

import { sql } from 'kysely';
import type { ChangePosition, ObjectPlace, RowPlace } from '../../listing/change-position.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import {
  isLinked,
  type ShownObject,
  type Walk,
  type WalkedSite,
  walkAsset,
  walkAuthor,
  walkLinking,
  walkSite,
  walkType,
} from './select-shown.ts';

export interface FoundChange {
  readonly kind: 'present' | 'published' | 'updated' | 'moved' | 'unpublished' | 'deleted';
  readonly id: string;
  readonly type: string;
  readonly language: string;
  readonly at: number;
  /** Null if the change is not a move, or if the content has since been unpublished. */
  readonly uris: { readonly from: string; readonly to: string } | null;
  /** The position after this change. */
  readonly position: ChangePosition;
}

export interface ChangePage {
  readonly changes: readonly FoundChange[];
  readonly next: ChangePosition;
  /** Whether the log already has more changes. */
  readonly hasMore: boolean;
  /** Whether this page ends a full sync. */
  readonly endsSync: boolean;
}

export interface ChangeSelection {
  /** Null for a full sync. */
  readonly since: ChangePosition | null;
  /** Handles; null for all types. */
  readonly types: ReadonlySet<string> | null;
  readonly limit: number;
}

interface ChangeRow {
  readonly position: number;
  readonly at: number;
  readonly kind: string;
  readonly content_id: string | null;
  readonly type: string | null;
  readonly language: string | null;
  readonly old_uri: string | null;
  readonly new_uri: string | null;
  readonly subject: string | null;
  /** 1 if published content links to the content. */
  readonly is_linked: number;
}

const selectEnds = defineStatement(
  () => sql`select changes_start as start,
      coalesce((select max(position) from changes where site_no = ${slot('site')}), changes_start) as last,
      (select count(*) from changes where site_no = ${slot('site')} and position = ${slot('row')}) as known
    from sites where no = ${slot('site')}`,
);
const selectRows = defineStatement(
  () => sql`select position, at, kind, content_id, type, language, old_uri, new_uri, subject, ${isLinked('c.site_no', 'c.content_id')}
    from changes as c where site_no = ${slot('site')} and position >= ${slot('from')} order by position limit ${slot('limit')} + 0`,
);

interface Ends {
  readonly start: number;
  readonly last: number;
  readonly known: number;
}

/** The maximum number of objects to read for one page. With a type filter, most of them may not match. */
const MOST_SEEN = 2000;

/** Returns undefined if the log no longer has the position, or never had it. */
export function* selectChanges(site: WalkedSite, selection: ChangeSelection): Procedure<ChangePage | undefined> {
  const { since } = selection;
  const [ends] = yield* query<Ends>(selectEnds, { site: site.no, row: since?.row ?? 0 });
  if (ends === undefined) return undefined;
  if (since === null || since.mode === 'sync') {
    const begun = since ?? { mode: 'sync', row: ends.last, after: null };
    return yield* selectPresent(site, selection, begun, ends.last);
  }
  if (since.mode === 'now')
    return { changes: [], next: { mode: 'changes', row: ends.last, inside: null }, hasMore: false, endsSync: false };
  // A position that is not in the log may belong to a change that was lost, for example when a backup was restored. A position within a row
  // is useless once the row is deleted, even if no later row has been deleted.
  const isStart = since.row === ends.start && since.inside === null;
  const isKept = isStart || (since.row > ends.start && Number(ends.known) === 1);
  return isKept ? yield* selectSince(site, selection, since, ends.last) : undefined;
}

/**
 * A page of a full sync. Its position includes the end of the log at the start of the sync, so after the sync, readers get the changes made
 * in the meantime.
 */
function* selectPresent(
  site: WalkedSite,
  { types, limit }: ChangeSelection,
  { row, after }: ChangePosition & { readonly mode: 'sync' },
  last: number,
): Procedure<ChangePage> {
  const most = types === null ? limit : MOST_SEEN;
  const objects = yield* walkSite(site)(after, most);
  const wanted = types === null ? objects : objects.filter(({ type }) => types.has(type));
  const given = wanted.slice(0, limit);
  const changes = given.map(
    (object): FoundChange => ({
      kind: 'present',
      ...nameObject(object),
      at: object.updated_at,
      uris: null,
      position: { mode: 'sync', row, after: placeOf(object) },
    }),
  );
  const isCut = given.length < wanted.length;
  const end = isCut ? given.at(-1) : objects.at(-1);
  if (end !== undefined && (isCut || objects.length === most)) {
    return { changes, next: { mode: 'sync', row, after: placeOf(end) }, hasMore: true, endsSync: false };
  }
  return { changes, next: { mode: 'changes', row, inside: null }, hasMore: last > row, endsSync: true };
}

function nameObject({ id, type, language }: ShownObject): Pick<FoundChange, 'id' | 'type' | 'language'> {
  return { id, type, language };
}

function placeOf({ language, id, at }: ShownObject): ObjectPlace {
  return { language, id, at };
}

function* selectSince(
  site: WalkedSite,
  selection: ChangeSelection,
  since: ChangePosition & { readonly mode: 'changes' },
  last: number,
): Procedure<ChangePage> {
  // If the reader is up to date, no further query is needed.
  if (since.inside === null && since.row === last) return { changes: [], next: since, hasMore: false, endsSync: false };
  const from = since.inside === null ? since.row + 1 : since.row;
  const rows = yield* query<ChangeRow>(selectRows, { site: site.no, from, limit: selection.limit });
  const page = new PageInProgress(site, selection, since);
  for (const row of rows) {
    const inside = row.position === since.row ? since.inside : null;
    if (!(yield* page.add(row, inside))) break;
  }
  const { changes, place } = page;
  const hasMore = place.inside !== null || place.row < last;
  return { changes, next: place, hasMore, endsSync: false };
}

/** Collects changes until the page is full, or until too many objects have been read. */
class PageInProgress {
  readonly changes: FoundChange[] = [];
  /** The position after the last object that was read. */
  place: ChangePosition & { readonly mode: 'changes' };
  readonly #site: WalkedSite;
  readonly #types: ReadonlySet<string> | null;
  readonly #limit: number;
  /**
   * The objects that the page lists because a change affects them. Listing each object once is enough, because readers get its current
   * state.
   */
  readonly #shown = new Set<string>();
  #seen = 0;

  constructor(
    site: WalkedSite,
    { types, limit }: ChangeSelection,
    since: ChangePosition & { readonly mode: 'changes' },
  ) {
    this.#site = site;
    this.#types = types;
    this.#limit = limit;
    this.place = since;
  }

  get #room(): number {
    return Math.min(this.#limit - this.changes.length, MOST_SEEN - this.#seen);
  }

  /** Returns false if the page is full before the row ends. @param inside where to continue in the row */
  *add(row: ChangeRow, inside: RowPlace | null): Procedure<boolean> {
    if (this.#room <= 0) return false;
    const { position, content_id: id } = row;
    if (inside === null && id !== null) this.#addOwn(row, id);
    const shows = this.#findShowing(row);
    if (shows !== undefined && !(yield* this.#addShowing(row, shows, inside ?? NOTHING_SENT))) return false;
    this.place = { mode: 'changes', row: position, inside: null };
    return true;
  }

  #addOwn(row: ChangeRow, id: string): void {
    const { position, at, type, language, old_uri: from, new_uri: to } = row;
    this.#seen += 1;
    this.place = { mode: 'changes', row: position, inside: row.is_linked === 1 ? NOTHING_SENT : null };
    const isMove = from !== null && to !== null;
    const kind = row.kind === 'moved' && !isMove ? 'updated' : readKind(row.kind);
    this.#put({
      kind,
      id,
      type: type ?? '',
      language: language ?? '',
      at,
      uris: isMove ? { from, to } : null,
      position: this.place,
    });
  }

  #put(change: FoundChange): void {
    if (this.#types === null || this.#types.has(change.type)) this.changes.push(change);
  }

  #findShowing(row: ChangeRow): Showing | undefined {
    const { kind, content_id: id, subject } = row;
    const site = this.#site;
    if (id !== null) {
      // Inside linked content, links are the ids of published content, so they change when that content is published or unpublished.
      const reach = kind === 'updated' || kind === 'moved' ? 'objects' : 'links';
      return row.is_linked === 1 ? { walk: walkLinking(site, id), reach } : undefined;
    }
    switch (kind) {
      case 'author':
        return { walk: walkAuthor(site, Number(subject)), reach: 'objects' };
      case 'asset':
        return { walk: walkAsset(site, subject ?? ''), reach: 'links' };
      case 'type':
        return { walk: walkType(site, Number(subject)), reach: 'links' };
      case 'site':
        return { walk: walkSite(site), reach: 'objects' };
      default:
        return undefined;
    }
  }

  *#addShowing(row: ChangeRow, { walk, reach }: Showing, inside: RowPlace): Procedure<boolean> {
    let { shown } = inside;
    if (shown !== null && reach === 'links') {
      if (!(yield* this.#addLinking(row, shown, inside.linking))) return false;
    }
    for (;;) {
      const asked = this.#room;
      if (asked <= 0) return false;
      const objects = yield* walk(shown, asked);
      for (const object of objects) {
        if (this.#room <= 0) return false;
        shown = placeOf(object);
        this.#addShown(row, object, { shown, linking: null });
        const hasLinks = reach === 'links' && object.is_linked === 1;
        if (hasLinks && !(yield* this.#addLinking(row, shown, null))) return false;
      }
      if (objects.length < asked) return true;
    }
  }

  /** Adds the objects that link to an object. Returns false if the page is full before all of them are added. */
  *#addLinking(row: ChangeRow, shown: ObjectPlace, from: string | null): Procedure<boolean> {
    const walk = walkLinking(this.#site, shown.id);
    let linking = from;
    for (;;) {
      const asked = this.#room;
      if (asked <= 0) return false;
      const objects = yield* walk(linking === null ? null : { language: '', id: linking, at: null }, asked);
      for (const object of objects) {
        linking = object.id;
        this.#addShown(row, object, { shown, linking });
      }
      if (objects.length < asked) return true;
    }
  }

  #addShown({ position, at }: ChangeRow, object: ShownObject, inside: RowPlace): void {
    this.#seen += 1;
    this.place = { mode: 'changes', row: position, inside };
    if (this.#shown.has(object.id)) return;
    this.#shown.add(object.id);
    this.#put({ kind: 'updated', ...nameObject(object), at, uris: null, position: this.place });
  }
}

/** The objects that a change affects. With `links`, it also affects the objects that link to them. */
interface Showing {
  readonly walk: Walk;
  readonly reach: 'objects' | 'links';
}

const NOTHING_SENT: RowPlace = { shown: null, linking: null };

function readKind(kind: string): FoundChange['kind'] {
  switch (kind) {
    case 'published':
    case 'moved':
    case 'unpublished':
    case 'deleted':
      return kind;
    default:
      return 'updated';
  }
}
