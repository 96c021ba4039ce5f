// Every change to a site is announced here, in the same transaction. The table below defines what each change affects. If a public
// response would be different, the site gets a new generation; otherwise cached responses stay valid. If a public object would be
// different, a row is added to the change log.

import { type RawBuilder, sql } from 'kysely';
import type { FieldType } from '../../content/field.ts';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import type { Transaction } from '../engine.ts';
import {
  defineStatement,
  EMPTY_RESULT,
  type Procedure,
  parseStored,
  query,
  type SlotValues,
  slot,
} from '../statement.ts';
import { appendChanges, type ContentEntry, type LogEntry, restartLog } from './change-log.ts';

/** The kinds of changes, with the details needed to determine what they affect. */
interface Changes {
  readonly draft: unknown;
  readonly 'published content': { readonly entries: readonly ContentEntry[] };
  readonly author: { readonly authorNo: number };
  readonly asset: { readonly assetId: string };
  readonly 'look of a type': { readonly typeNo: number };
  readonly 'look of a block type': unknown;
  readonly option: { readonly typeNo: number; readonly fieldNo: number; readonly value: string };
  readonly 'field that requests can name': { readonly handle: string; readonly fieldType: FieldType };
  readonly 'language that requests can name': unknown;
  readonly 'address of the site': unknown;
  readonly 'default language': { readonly before: string; readonly after: string };
  readonly 'rest of the catalog': unknown;
  readonly 'site as a whole': unknown;
}

export type Change = { readonly [Kind in keyof Changes]: { readonly kind: Kind } & Changes[Kind] }[keyof Changes];

interface Dependence<Details> {
  /** Whether the changed data is cached with the catalog, or affects the ETags of previews through the catalog version. */
  readonly isOfCatalog: boolean;
  /** Whether a public response with status 200 changes. True if this is uncertain. */
  readonly isShown: (siteNo: number, details: Details) => Procedure<boolean>;
  /** The log entries for a visible change. Omitted if the change affects only lists, not the objects in them. */
  readonly log?: (details: Details) => readonly LogEntry[];
}

// The table omits changes that affect no response: a new author, asset or site; a deleted asset (only unused assets can be deleted); asset
// folders, asset tags and asset settings; and schedules, the audit log, keys, users, tokens and sign-ins.
const DEPENDENCIES: { readonly [Kind in keyof Changes]: Dependence<Changes[Kind]> } = {
  // Content was saved, created, translated, duplicated or archived without having been published, so only previews include it.
  draft: { isOfCatalog: false, isShown: never },
  // A row of a `published_*` table was added, changed or deleted.
  'published content': { isOfCatalog: false, isShown: always, log: ({ entries }) => entries },
  // An author was changed or deleted. Links do not include the author of the linked content.
  author: {
    isOfCatalog: true,
    isShown: isAuthorShown,
    log: ({ authorNo }) => [{ kind: 'author', subject: String(authorNo) }],
  },
  asset: { isOfCatalog: true, isShown: isAssetShown, log: ({ assetId }) => [{ kind: 'asset', subject: assetId }] },
  // There was a change to the type's name, or to the names, help text, order or number of its visible fields.
  'look of a type': { isOfCatalog: true, isShown: isTypeShown, log: logType },
  // No index lists the blocks in published content. To be safe, this is true if any published content may have blocks.
  'look of a block type': { isOfCatalog: true, isShown: areBlocksShown, log: logSite },
  // The label of an option has changed.
  option: { isOfCatalog: true, isShown: isOptionShown, log: logType },
  // The field was deleted or hidden. Lists sorted or filtered by it are now rejected, unless another type has a field with the same
  // handle.
  'field that requests can name': { isOfCatalog: true, isShown: isNameUnknown },
  // The language was removed. A list in that language used to be empty, and is now rejected.
  'language that requests can name': { isOfCatalog: true, isShown: always },
  'address of the site': { isOfCatalog: true, isShown: hasPublished, log: logSite },
  // The change affects fallbacks, and lists that are requested without a language.
  'default language': { isOfCatalog: true, isShown: areLanguagesShown },
  // A type or language was added, or there was a change to the site's name, URI patterns, limits, required values or hidden fields.
  'rest of the catalog': { isOfCatalog: true, isShown: never },
  // The site was deleted, or a new site has the same id.
  'site as a whole': { isOfCatalog: true, isShown: always },
};

/** Call this after the changes, in the same transaction. */
export function* announce(siteNo: number, changes: readonly Change[], now: number): Procedure<void> {
  if (changes.length === 0) return;
  let isPublic = false;
  const logged: LogEntry[] = [];
  for (const change of changes) {
    const entries = listEntries(change);
    if (isPublic && entries.length === 0) continue;
    const isShown = yield* isChangeShown(siteNo, change);
    isPublic ||= isShown;
    if (isShown) logged.push(...entries.filter((entry) => !isLogged(entry, logged)));
  }
  const isOfCatalog = changes.some(({ kind }) => DEPENDENCIES[kind].isOfCatalog);
  yield* moveGenerations(siteNo, { isPublic, isOfCatalog }, now);
  if (changes.some(({ kind }) => kind === 'site as a whole')) yield* restartLog(siteNo, now);
  yield* appendChanges(siteNo, logged, now);
}

/** Several options of a type may have changed, but one row for the type is enough. */
function isLogged(entry: LogEntry, logged: readonly LogEntry[]): boolean {
  if (!('subject' in entry)) return false;
  return logged.some((known) => 'subject' in known && known.kind === entry.kind && known.subject === entry.subject);
}

function isChangeShown<Kind extends keyof Changes>(
  siteNo: number,
  change: { readonly kind: Kind } & Changes[Kind],
): Procedure<boolean> {
  return DEPENDENCIES[change.kind].isShown(siteNo, change);
}

function listEntries<Kind extends keyof Changes>(change: { readonly kind: Kind } & Changes[Kind]): readonly LogEntry[] {
  return DEPENDENCIES[change.kind].log?.(change) ?? [];
}

function logType({ typeNo }: { readonly typeNo: number }): readonly LogEntry[] {
  return [{ kind: 'type', subject: String(typeNo) }];
}

function logSite(): readonly LogEntry[] {
  return [{ kind: 'site', subject: null }];
}

const selectLanguages = defineStatement(() => sql`select languages from sites where no = ${slot('site')}`);
const selectPublished = defineStatement(
  () => sql`select content_no from published_contents where site_no = ${slot('site')} limit 1`,
);
const selectPublishedIn = defineExistence(sql`true`);
const selectPublishedOfType = defineExistence(sql`type_no = ${slot('type')}`);
const selectPublishedOfAuthor = defineExistence(sql`author_no = ${slot('author')}`);
const selectShowing = defineStatement(
  () => sql`select content_no from content_assets
    where site_no = ${slot('site')} and asset_id = ${slot('asset')} and standing = 'published' limit 1`,
);
const selectSelected = defineStatement(
  () => sql`select content_no from published_tokens
    where field_no = ${slot('field')} and token = ${slot('token')} limit 1`,
);
const selectNamesake = defineStatement(
  () => sql`select no from fields where site_no = ${slot('site')} and handle = ${slot('handle')}
    and type = ${slot('type')} and is_hidden = 0 limit 1`,
);
const selectTypesWithBlocks = defineStatement(
  () => sql`select distinct t.no from fields as f join content_types as t on t.no = f.type_no
    where f.site_no = ${slot('site')} and f.type = 'blocks' and t.object_type <> 'block'`,
);

/** The indexes on published content start with the site and the language. */
function defineExistence(condition: RawBuilder<unknown>): BatchStatement {
  return defineBatchStatement(
    (list) => sql`select content_no from published_contents
      where site_no = ${slot('site')} and language in (${list}) and ${condition} limit 1`,
  );
}

function* always(): Procedure<boolean> {
  yield* [];
  return true;
}

function* never(): Procedure<boolean> {
  yield* [];
  return false;
}

function* isAuthorShown(site: number, { authorNo: author }: Changes['author']): Procedure<boolean> {
  return yield* existsInAnyLanguage(selectPublishedOfAuthor, { site, author });
}

function* isAssetShown(site: number, { assetId: asset }: Changes['asset']): Procedure<boolean> {
  return (yield* query(selectShowing, { site, asset })).length > 0;
}

function* isTypeShown(site: number, { typeNo: type }: Changes['look of a type']): Procedure<boolean> {
  return yield* existsInAnyLanguage(selectPublishedOfType, { site, type });
}

function* areBlocksShown(site: number): Procedure<boolean> {
  for (const { no: typeNo } of yield* query<{ no: number }>(selectTypesWithBlocks, { site })) {
    if (yield* isTypeShown(site, { typeNo })) return true;
  }
  return false;
}

function* isOptionShown(_: number, { fieldNo: field, value: token }: Changes['option']): Procedure<boolean> {
  return (yield* query(selectSelected, { field, token })).length > 0;
}

function* isNameUnknown(
  site: number,
  { handle, fieldType: type }: Changes['field that requests can name'],
): Procedure<boolean> {
  return (yield* query(selectNamesake, { site, handle, type })).length === 0;
}

function* hasPublished(site: number): Procedure<boolean> {
  return (yield* query(selectPublished, { site })).length > 0;
}

function* areLanguagesShown(site: number, { before, after }: Changes['default language']): Procedure<boolean> {
  return (yield* queryBatch(selectPublishedIn, [before, after], { site })).length > 0;
}

function* existsInAnyLanguage(statement: BatchStatement, values: SlotValues & { site: number }): Procedure<boolean> {
  const [row] = yield* query<{ languages: string }>(selectLanguages, { site: values.site });
  const languages = row === undefined ? [] : parseStored<readonly string[]>(row.languages);
  return (yield* queryBatch(statement, languages, values)).length > 0;
}

// The numbers that indicate changes to a site:
// - `generation`: anything that the public can see. It is part of the key for cached responses.
// - `preview_generation`: anything in the site, including drafts.
// - `catalog`: the site's settings, types, fields, authors and assets. It is the key for cached catalogs and authors.
// - `shown_catalog`: the value of `catalog` when the public generation last changed. It is part of public ETags. It must not lag behind
//   the generation: content that is republished unchanged may include an author who was renamed in the meantime.
// All of them are timestamps, so no other copy of the database (a restored backup, a promoted replica) has used them.

interface Move {
  readonly isPublic: boolean;
  readonly isOfCatalog: boolean;
}

const catalog = sql`case when ${slot('isOfCatalog')} = 1 then ${next('catalog')} else catalog end`;
const updateNumbers = defineStatement(
  () => sql`update sites set preview_generation = ${next('preview_generation')}, catalog = ${catalog},
    generation = case when ${slot('isPublic')} = 1 then ${next('generation')} else generation end,
    shown_catalog = case when ${slot('isPublic')} = 1 then ${catalog} else shown_catalog end
    where no = ${slot('no')}`,
);

function next(column: string): RawBuilder<unknown> {
  const number = sql.ref(column);
  return sql`case when ${number} >= ${slot('now')} then ${number} + 1 else ${slot('now')} end`;
}

function* moveGenerations(siteNo: number, { isPublic, isOfCatalog }: Move, now: number): Procedure<void> {
  yield* query(updateNumbers, { no: siteNo, now, isPublic: Number(isPublic), isOfCatalog: Number(isOfCatalog) });
}

/** Runs a transaction's work, and advances each site's numbers once, at the end, since nobody sees the intermediate states. */
export async function moveOnce<Outcome>(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<Outcome>,
): Promise<Outcome> {
  const moves = new Map<number, SlotValues>();
  const outcome = await work({
    run: (procedure) => transaction.run(collectMoves(procedure, moves)),
    fill: (mayGo, filling) => transaction.fill(mayGo, filling),
  });
  for (const values of moves.values()) await transaction.run(query(updateNumbers, values));
  return outcome;
}

function* collectMoves<Outcome>(procedure: Procedure<Outcome>, moves: Map<number, SlotValues>): Procedure<Outcome> {
  let step = procedure.next(EMPTY_RESULT);
  while (step.done !== true) {
    const { statement, values } = step.value;
    const isMove = statement === updateNumbers;
    if (isMove) addMove(moves, values);
    step = procedure.next(isMove ? EMPTY_RESULT : yield step.value);
  }
  return step.value;
}

function addMove(moves: Map<number, SlotValues>, values: SlotValues): void {
  const known = moves.get(Number(values.no));
  const either = (name: 'isPublic' | 'isOfCatalog'): number => Number(known?.[name] === 1 || values[name] === 1);
  moves.set(Number(values.no), { ...values, isPublic: either('isPublic'), isOfCatalog: either('isOfCatalog') });
}
