// Reads saved content of a type, to find the values of a field that is being deleted, or published content that lacks required values.
// The content is read in small steps, because a site can have any amount of content.

import { sql } from 'kysely';
import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { collectReferences, type FieldValues, findMissingRequired, needsValue } from '../../content/field-value.ts';
import { keepKnownValues } from '../../content/fit-values.ts';
import { keepAssetUses, type Standing, type Uses, type UsingContent } from '../contents/content-uses.ts';
import type { VersionPosition } from '../contents/content-versions.ts';
import { typesetAgain } from '../publication/rewrite-content.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

export interface SavedVersion extends VersionPosition {
  readonly fields: FieldValues;
  /** Null for a version that is neither the newest nor the published one. */
  readonly standing: Standing | null;
}

export interface SavedStretch {
  /** The versions that contain the text. */
  readonly versions: readonly SavedVersion[];
  /** The start of the next batch; null at the end. */
  readonly next: VersionPosition | null;
}

interface SavedVersionRow {
  readonly content_no: number;
  readonly number: number;
  /** Null if the fields do not contain the text. */
  readonly fields: string | null;
  readonly standing: Standing | null;
}

const countOfType = defineStatement(() => sql`select count(*) as total from contents where type_no = ${slot('type')}`);
const selectVersions = {
  all: defineStretch(sql`true`),
  current: defineStretch(sql`v.number in (c.newest_version, c.published_version)`),
} as const;
const updateFields = defineStatement(
  () => sql`update content_versions set fields = ${slot('fields')}
    where content_no = ${slot('content')} and number = ${slot('number')}`,
);
const forgetSource = defineStatement(
  () => sql`update contents set source_digest = null where no = ${slot('content')} and source_digest is not null`,
);
/** Versions without the text count towards the limit, so a step stays short even if few versions contain the text. */
function defineStretch(which: ReturnType<typeof sql>) {
  return defineStatement(
    () => sql`select v.content_no, v.number, case when v.fields like ${slot('needle')} then v.fields end as fields,
        case when v.number = c.published_version then 'published'
          when v.number = c.newest_version then 'newest' end as standing
      from contents as c join content_versions as v on v.content_no = c.no
      where c.type_no = ${slot('type')} and c.no >= ${slot('content')}
        and (c.no > ${slot('content')} or v.number > ${slot('number')}) and ${which}
      order by c.no, v.number limit ${slot('limit')} + 0`,
  );
}

export function* countContentOfType(typeNo: number): Procedure<number> {
  return (yield* query<{ total: number }>(countOfType, { type: typeNo }))[0]?.total ?? 0;
}

/**
 * Reads a batch of the versions that were saved under a type, ordered by content and then by number.
 * @param text a `like` pattern for the text that the JSON of the values must contain; case is ignored, and `_` matches any character
 */
export function* selectSavedVersions(
  typeNo: number,
  which: keyof typeof selectVersions,
  text: string,
  after: VersionPosition,
  limit: number,
): Procedure<SavedStretch> {
  const position = { content: after.contentNo, number: after.number };
  const values = { type: typeNo, needle: `%${text}%`, ...position, limit };
  const rows = yield* query<SavedVersionRow>(selectVersions[which], values);
  const versions = rows.flatMap(({ content_no: contentNo, number, fields, standing }) =>
    fields === null ? [] : [{ contentNo, number, standing, fields: parseStored<FieldValues>(fields) }],
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { versions, next: last === undefined ? null : { contentNo: last.content_no, number: last.number } };
}

/** Values of fields that no longer exist are removed from the version and from the data that readers receive. */
export function* rewriteSavedVersion(
  { contentNo, number, standing }: SavedVersion,
  fields: FieldValues,
  type: ContentType,
  catalog: Catalog,
  now: number,
): Procedure<void> {
  yield* query(updateFields, { content: contentNo, number, fields: JSON.stringify(fields) });
  // The content no longer matches the imported source.
  yield* query(forgetSource, { content: contentNo });
  if (standing === null) return;
  yield* keepAssetUses(
    { no: contentNo, siteNo: catalog.site.no },
    standing,
    collectReferences(type, fields, catalog.typesByHandle).assets,
  );
  yield* typesetAgain(standing === 'published' ? 'published' : 'preview', { contentNo, number }, catalog, now);
}

/** The last content object examined. */
export interface LackingPosition {
  readonly typeNo: number;
  readonly contentNo: number;
}

export interface LackingStretch {
  readonly contents: readonly UsingContent[];
  /** Null at the end. */
  readonly next: LackingPosition | null;
}

interface PublishedRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly fields: string;
}

export const FIRST_LACKING: LackingPosition = { typeNo: 0, contentNo: 0 };

/** The maximum number of content objects to list. */
export const LACKING_SHOWN = 5;

/** Kept small, because a version can be as large as a megabyte. */
const CONTENTS_AT_ONCE = 200;

const selectPublished = defineStatement(
  () => sql`select c.no, c.id, v.name, v.fields
    from contents as c join content_versions as v on v.content_no = c.no and v.number = c.published_version
    where c.type_no = ${slot('type')} and c.no > ${slot('content')} order by c.no limit ${slot('limit')} + 0`,
);

/**
 * Finds published content that lacks a required value, one step at a time.
 * @param catalog the catalog whose types define the required fields
 */
export function* selectLacking(catalog: Catalog, after: LackingPosition): Procedure<LackingStretch> {
  const type = catalog.types.find((each) => each.no >= after.typeNo && mayLack(each, catalog));
  if (type === undefined) return { contents: [], next: null };
  const content = type.no === after.typeNo ? after.contentNo : 0;
  const rows = yield* query<PublishedRow>(selectPublished, { type: type.no, content, limit: CONTENTS_AT_ONCE });
  const contents = rows.flatMap(({ id, name, fields }) => {
    const values = keepKnownValues(type, parseStored<FieldValues>(fields), catalog.typesByHandle);
    return findMissingRequired(type, values, catalog.typesByHandle).length === 0 ? [] : [{ id, name }];
  });
  const last = rows.length < CONTENTS_AT_ONCE ? undefined : rows.at(-1);
  const next = last === undefined ? { typeNo: type.no + 1, contentNo: 0 } : { typeNo: type.no, contentNo: last.no };
  return { contents, next };
}

/** Runs all steps without a pause, for callers whose work does not block anything else. */
export function* countLacking(catalog: Catalog): Procedure<Uses> {
  const contents: UsingContent[] = [];
  let total = 0;
  for (let after: LackingPosition | null = FIRST_LACKING; after !== null; ) {
    const stretch: LackingStretch = yield* selectLacking(catalog, after);
    contents.push(...stretch.contents.slice(0, LACKING_SHOWN - contents.length));
    total += stretch.contents.length;
    after = stretch.next;
  }
  return { total, contents };
}

/** Blocks can be nested in content at any depth. */
function mayLack({ objectType, fields }: ContentType, { types }: Catalog): boolean {
  if (objectType === 'block') return false;
  if (fields.some(needsValue)) return true;
  const hasBlocks = fields.some(({ type }) => type === 'blocks');
  return hasBlocks && types.some((type) => type.objectType === 'block' && type.fields.some(needsValue));
}
