// What depends on what. Every change to a site is announced here, in its transaction, and the table below decides who has to
// know of it. A public answer that would differ must find another generation; one that would not keeps its place in the cache.

import { type RawBuilder, sql } from 'kysely';
import type { FieldType } from '../../content/field.ts';
import { type BatchStatement, defineBatchStatement, queryBatch } from '../batch.ts';
import { defineStatement, type Procedure, parseStored, query, type SlotValues, slot } from '../statement.ts';
import { moveGenerations } from './generations.ts';

/** What may change, and what has to be known of it. */
interface Changes {
  readonly draft: unknown;
  readonly 'published content': unknown;
  readonly author: { readonly authorNo: number };
  readonly asset: { readonly assetId: string };
  readonly 'look of a type': { readonly typeNo: number };
  readonly 'look of a block type': unknown;
  readonly option: { readonly fieldNo: number; readonly value: string };
  readonly 'field that requests can name': { readonly handle: string; readonly fieldType: FieldType };
  readonly 'language that requests can name': unknown;
  readonly 'address of the site': unknown;
  readonly 'default language': { readonly before: string; readonly after: string };
  readonly 'rest of the catalog': unknown;
  readonly 'site as a whole': unknown;
}

export type Change = { readonly [Kind in keyof Changes]: { readonly kind: Kind } & Changes[Kind] }[keyof Changes];

interface Dependence<Details> {
  /** Whether readers remember it with the catalog, or previews have it in their ETags by the version of the catalog. */
  readonly isOfCatalog: boolean;
  /** Whether a public answer with status 200 differs. Where that is not certain, it does. */
  readonly isShown: (siteNo: number, details: Details) => Procedure<boolean>;
}

// Not in the table, since nobody sees them: a new author, asset or site, an asset that is deleted (nothing may show it then),
// a schedule, an entry of the audit log, keys, users, tokens and sign-ins.
const DEPENDENCIES: { readonly [Kind in keyof Changes]: Dependence<Changes[Kind]> } = {
  // Saved, created, translated, duplicated or archived without having been published: only previews show it.
  draft: { isOfCatalog: false, isShown: never },
  // A row of a `published_*` table is there, gone, or another one.
  'published content': { isOfCatalog: false, isShown: always },
  // Changed or deleted. Links do not show the author of what they link to.
  author: { isOfCatalog: true, isShown: isAuthorShown },
  asset: { isOfCatalog: true, isShown: isAssetShown },
  // Its name, and the names, help texts, order or number of its visible fields.
  'look of a type': { isOfCatalog: true, isShown: isTypeShown },
  // Cautious: no index knows which blocks stand in published content. Shown where any published content may have blocks.
  'look of a block type': { isOfCatalog: true, isShown: areBlocksShown },
  // The label that a value of an option field is shown with.
  option: { isOfCatalog: true, isShown: isOptionShown },
  // Gone or hidden. A list that is sorted or filtered by it is refused now, unless another type has such a field.
  'field that requests can name': { isOfCatalog: true, isShown: isNameUnknown },
  // Removed: a list in it was empty, and is refused now.
  'language that requests can name': { isOfCatalog: true, isShown: always },
  'address of the site': { isOfCatalog: true, isShown: hasPublished },
  // Lists without a language, and fallbacks.
  'default language': { isOfCatalog: true, isShown: areLanguagesShown },
  // A new type, a new language, the name of the site, patterns of addresses, limits and required values, hidden fields.
  'rest of the catalog': { isOfCatalog: true, isShown: never },
  // Deleted, or another site with the same id.
  'site as a whole': { isOfCatalog: true, isShown: always },
};

/** To be called in the transaction of the changes, when they are made. */
export function* announce(siteNo: number, changes: readonly Change[], now: number): Procedure<void> {
  if (changes.length === 0) return;
  let isPublic = false;
  for (const change of changes) isPublic ||= yield* isChangeShown(siteNo, change);
  const isOfCatalog = changes.some(({ kind }) => DEPENDENCIES[kind].isOfCatalog);
  yield* moveGenerations(siteNo, { isPublic, isOfCatalog }, now);
}

function isChangeShown<Kind extends keyof Changes>(
  siteNo: number,
  change: { readonly kind: Kind } & Changes[Kind],
): Procedure<boolean> {
  return DEPENDENCIES[change.kind].isShown(siteNo, change);
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

/** The indexes of published content begin with the site and the language. */
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
