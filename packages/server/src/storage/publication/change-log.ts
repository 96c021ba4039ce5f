// The log of all changes that readers can see. Each row is written in the same transaction as its change. Only one transaction writes at
// a time across all nodes, so positions increase in commit order, and no position becomes visible to readers before a lower one does. The
// log contains nothing from drafts. For content that is no longer published, it contains only the id, type and language.

import { sql } from 'kysely';
import { defineBatchStatement, defineInsertMany, queryBatch } from '../batch.ts';
import { type Cells, defineStatement, type Procedure, query, slot } from '../statement.ts';

/** A content object that was added to the published read model, changed in it, or removed from it. */
export interface ContentEntry {
  readonly kind: 'published' | 'updated' | 'moved' | 'unpublished' | 'deleted';
  readonly id: string;
  readonly typeNo: number;
  readonly language: string;
  /** Only for `moved`. */
  readonly uris?: { readonly from: string; readonly to: string };
}

/** A change that may affect many objects. Its row names only the changed record; the objects are looked up when the row is read. */
export interface SharedEntry {
  readonly kind: 'author' | 'asset' | 'type' | 'site' | 'erased';
  /** The number of the author or the type, or the id of the asset; null for the site, and for erased data. */
  readonly subject: string | null;
}

export type LogEntry = ContentEntry | SharedEntry;

const insertChanges = defineInsertMany('changes', [
  'site_no',
  'position',
  'at',
  'kind',
  'content_id',
  'type',
  'language',
  'old_uri',
  'new_uri',
  'subject',
]);

const lastPosition = sql`coalesce((select max(position) from changes where site_no = ${slot('site')}), s.changes_start)`;
/** A site that is being deleted has no readers, and its log is deleted too. */
const selectEnd = defineBatchStatement(
  (types) => sql`select ${lastPosition} as last, t.no, t.handle
    from sites as s left join content_types as t on t.site_no = s.no and t.no in (${types})
    where s.no = ${slot('site')} and s.deletion is null`,
);

interface EndRow {
  readonly last: number;
  readonly no: number | null;
  readonly handle: string | null;
}

/** Call this after the changes, in the same transaction. */
export function* appendChanges(siteNo: number, entries: readonly LogEntry[], now: number): Procedure<void> {
  if (entries.length === 0) return;
  const contents = entries.filter(isOfContent);
  yield* forgetUris(
    siteNo,
    contents.filter(({ kind }) => kind === 'unpublished').map(({ id }) => id),
  );
  yield* eraseContents(
    siteNo,
    contents.filter(({ kind }) => kind === 'deleted').map(({ id }) => id),
  );
  const typeNos = new Set(contents.map(({ typeNo }) => typeNo));
  const rows = yield* queryBatch<EndRow>(selectEnd, typeNos.size === 0 ? [0] : [...typeNos], { site: siteNo });
  const [end] = rows;
  if (end === undefined) return;
  const handles = new Map(rows.map(({ no, handle }) => [no, handle]));
  const first = nextPosition(end.last, now);
  yield* insertChanges(entries.map((entry, index) => buildCells(siteNo, first + index, entry, handles, now)));
}

function isOfContent(entry: LogEntry): entry is ContentEntry {
  return 'id' in entry;
}

function nextPosition(last: number, now: number): number {
  return last >= now ? last + 1 : now;
}

function buildCells(
  siteNo: number,
  position: number,
  entry: LogEntry,
  handles: ReadonlyMap<number | null, string | null>,
  now: number,
): Cells {
  const head = [siteNo, position, now, entry.kind];
  if (!isOfContent(entry)) return [...head, null, null, null, null, null, entry.subject];
  const { id, typeNo, language, uris } = entry;
  return [...head, id, handles.get(typeNo) ?? null, language, uris?.from ?? null, uris?.to ?? null, null];
}

const deleteUris = defineBatchStatement(
  (list) => sql`update changes set old_uri = null, new_uri = null
    where site_no = ${slot('site')} and content_id in (${list}) and kind = 'moved'`,
);
/** Empties the rows instead of deleting them, because readers may have stored their positions. */
const eraseRows = defineBatchStatement(
  (
    list,
  ) => sql`update changes set kind = 'erased', content_id = null, type = null, language = null, old_uri = null, new_uri = null
    where site_no = ${slot('site')} and content_id in (${list})`,
);

/** Readers must not learn the former paths of unpublished content. */
function* forgetUris(siteNo: number, ids: readonly string[]): Procedure<void> {
  yield* queryBatch(deleteUris, ids, { site: siteNo });
}

function* eraseContents(siteNo: number, ids: readonly string[]): Procedure<void> {
  yield* queryBatch(eraseRows, ids, { site: siteNo });
}

const selectLogged = defineBatchStatement(
  (list) => sql`select c.id, c.type_no, c.language from contents as c where c.no in (${list}) and (
      exists (select 1 from published_contents as p where p.content_no = c.no)
      or exists (select 1 from changes as l where l.site_no = c.site_no and l.content_id = c.id))`,
);

interface LoggedRow {
  readonly id: string;
  readonly type_no: number;
  readonly language: string;
}

/** The entries for content that is about to be permanently deleted, except content that readers have not seen since the log began. */
export function* listDeleted(contentNos: readonly number[]): Procedure<readonly ContentEntry[]> {
  const rows = yield* queryBatch<LoggedRow>(selectLogged, contentNos);
  return rows.map(({ id, type_no: typeNo, language }) => ({ kind: 'deleted', id, typeNo, language }));
}

const restart = defineStatement(
  () => sql`update sites as s set changes_start =
      case when ${lastPosition} >= ${slot('now')} then ${lastPosition} + 1 else ${slot('now')} end
    where no = ${slot('site')}`,
);

/** Invalidates all positions that readers of the site have received so far. */
export function* restartLog(siteNo: number, now: number): Procedure<void> {
  yield* query(restart, { site: siteNo, now });
}
