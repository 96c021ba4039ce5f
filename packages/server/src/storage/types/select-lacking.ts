// Published content that lacks a value which its type requires, found in small steps: a site may have any amount of content.

import { sql } from 'kysely';
import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { type FieldValues, findMissingRequired, needsValue } from '../../content/field-value.ts';
import { keepKnownValues } from '../../content/known-values.ts';
import type { Uses, UsingContent } from '../contents/content-uses.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

/** The last content that was looked at. */
export interface LackingPosition {
  readonly typeNo: number;
  readonly contentNo: number;
}

export interface LackingStretch {
  readonly contents: readonly UsingContent[];
  /** Null when all was looked through. */
  readonly next: LackingPosition | null;
}

interface PublishedRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly fields: string;
}

export const FIRST_LACKING: LackingPosition = { typeNo: 0, contentNo: 0 };

/** How many are named where there are more. */
export const LACKING_SHOWN = 5;

/** A version may be a megabyte. */
const CONTENTS_AT_ONCE = 200;

const selectPublished = defineStatement(
  () => sql`select c.no, c.id, v.name, v.fields
    from contents as c join content_versions as v on v.content_no = c.no and v.number = c.published_version
    where c.type_no = ${slot('type')} and c.no > ${slot('content')} order by c.no limit ${slot('limit')} + 0`,
);

/** One step. @param catalog what it requires is what content may lack */
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

/** All steps at one go, for whoever holds up nobody. */
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

/** Blocks stand in content, at any depth. */
function mayLack({ objectType, fields }: ContentType, { types }: Catalog): boolean {
  if (objectType === 'block') return false;
  if (fields.some(needsValue)) return true;
  const hasBlocks = fields.some(({ type }) => type === 'blocks');
  return hasBlocks && types.some((type) => type.objectType === 'block' && type.fields.some(needsValue));
}
