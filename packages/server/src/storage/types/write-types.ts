// Writes content types and their fields. A type never reuses a slot, so a value that was saved in the slot of a deleted field never
// appears as the value of another field.

import { sql } from 'kysely';
import { buildReaderType } from '../../content/catalog.ts';
import { buildTypeTemplate, type FieldTemplate, type TypeTemplate } from '../../content/content-templates.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { renderOption } from '../../content/render-content.ts';
import { canBeNamed } from '../../listing/field-filter.ts';
import { hasContentOfType } from '../contents/references.ts';
import { insertNumbered } from '../named-rows.ts';
import { announce, type Change } from '../publication/announce.ts';
import { selectType } from '../sites/select-catalog.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export type TypeWrite = Pick<ContentType, 'id' | 'handle' | 'name' | 'objectType' | 'uriPattern'>;

export interface FieldWrite
  extends Pick<Field, 'id' | 'handle' | 'name' | 'helpText' | 'type' | 'isRequired' | 'settings' | 'isHidden'> {
  /** The field's position in its type, starting at 0 and without gaps. */
  readonly position: number;
}

const insertTypeRow = defineStatement(
  () => sql`insert into content_types (site_no, id, handle, name, object_type, uri_pattern, next_slot)
    values (${slot('site')}, ${slot('id')}, ${slot('handle')}, ${slot('name')}, ${slot('objectType')},
      ${slot('uriPattern')}, 0) returning no`,
);
const updateTypeRow = defineStatement(
  () => sql`update content_types set name = ${slot('name')}, object_type = ${slot('objectType')},
    uri_pattern = ${slot('uriPattern')} where no = ${slot('no')}`,
);
const deleteFieldRows = defineStatement(() => sql`delete from fields where type_no = ${slot('no')}`);
const deleteTypeRow = defineStatement(() => sql`delete from content_types where no = ${slot('no')}`);

export function* insertContentType(siteNo: number, type: TypeWrite, now: number): Procedure<number> {
  const { id, handle, name, objectType, uriPattern } = type;
  const { no } = yield* insertNumbered(insertTypeRow, { site: siteNo, id, handle, name, objectType, uriPattern });
  yield* announce(siteNo, [{ kind: 'rest of the catalog' }], now);
  return no;
}

export function* updateContentType(no: number, type: Omit<TypeWrite, 'id' | 'handle'>, now: number): Procedure<void> {
  const { name, objectType, uriPattern } = type;
  yield* changeType(no, query(updateTypeRow, { no, name, objectType, uriPattern }), now);
}

/** May be called only for a type without content. */
export function* deleteContentType(no: number, now: number): Procedure<void> {
  yield* changeType(no, deleteRows(no), now);
}

function* deleteRows(no: number): Procedure<void> {
  yield* query(deleteFieldRows, { no });
  yield* query(deleteTypeRow, { no });
}

/** Announces the changes that are visible to readers. */
function* changeType(typeNo: number, write: Procedure<unknown>, now: number): Procedure<void> {
  const before = yield* selectType(typeNo);
  if (before === undefined) throw new Error(`There is no content type with the number ${typeNo}`);
  yield* write;
  const after = yield* selectType(typeNo);
  yield* announce(before.siteNo, compareTypes(before.type, after?.type), now);
}

const takeSlot = defineStatement(
  () =>
    sql`update content_types set next_slot = next_slot + 1 where no = ${slot('type')} returning next_slot - 1 as no, object_type`,
);
const insertFieldRow = defineStatement(
  () => sql`insert into fields
      (site_no, type_no, id, handle, name, help_text, type, is_required, settings, is_hidden, slot, position, marks_missing)
    values (${slot('site')}, ${slot('typeNo')}, ${slot('id')}, ${slot('handle')}, ${slot('name')}, ${slot('helpText')},
      ${slot('type')}, ${slot('isRequired')}, ${slot('settings')}, ${slot('isHidden')}, ${slot('slot')},
      ${slot('position')}, ${slot('marksMissing')}) returning no`,
);
const updateFieldRow = defineStatement(
  () => sql`update fields set name = ${slot('name')}, help_text = ${slot('helpText')},
    is_required = ${slot('isRequired')}, settings = ${slot('settings')}, is_hidden = ${slot('isHidden')},
    position = ${slot('position')} where no = ${slot('no')}`,
);
const updatePosition = defineStatement(
  () => sql`update fields set position = ${slot('position')} where no = ${slot('no')}`,
);
const deleteFieldRow = defineStatement(() => sql`delete from fields where no = ${slot('no')}`);

export function* insertField(siteNo: number, typeNo: number, field: FieldWrite, now: number): Procedure<number> {
  // Existing content has no marks for missing values of the new field.
  const hasContent = yield* hasContentOfType(typeNo);
  const [type] = yield* query<{ no: number; object_type: ContentType['objectType'] }>(takeSlot, { type: typeNo });
  if (type === undefined) throw new Error(`There is no content type with the number ${typeNo}`);
  const inserted = yield* insertNumbered(insertFieldRow, {
    site: siteNo,
    typeNo,
    id: field.id,
    handle: field.handle,
    type: field.type,
    slot: type.no,
    marksMissing: hasContent ? 0 : 1,
    ...bindChangeable(field),
  });
  const mayBeShown = !field.isHidden && (hasContent || type.object_type === 'block');
  const look = nameLook({ no: typeNo, objectType: type.object_type });
  yield* announce(siteNo, [mayBeShown ? look : { kind: 'rest of the catalog' }], now);
  return inserted.no;
}

export interface FieldPlace {
  readonly typeNo: number;
  readonly no: number;
}

export function* updateField(
  { typeNo, no }: FieldPlace,
  field: Omit<FieldWrite, 'id' | 'handle' | 'type'>,
  now: number,
): Procedure<void> {
  yield* changeType(typeNo, query(updateFieldRow, { no, ...bindChangeable(field) }), now);
}

function bindChangeable(field: Omit<FieldWrite, 'id' | 'handle' | 'type'>) {
  return {
    name: field.name,
    helpText: field.helpText,
    isRequired: field.isRequired ? 1 : 0,
    settings: JSON.stringify(field.settings),
    isHidden: field.isHidden ? 1 : 0,
    position: field.position,
  };
}

/** @param fields all fields of a type, in their new order */
export function* orderFields(typeNo: number, fields: readonly Field[], now: number): Procedure<void> {
  yield* changeType(typeNo, updatePositions(fields), now);
}

function* updatePositions(fields: readonly Field[]): Procedure<void> {
  for (const [position, { no }] of fields.entries()) yield* query(updatePosition, { no, position });
}

/** May be called only after all values of the field have been deleted. Its slot is never reused. */
export function* deleteField({ typeNo, no }: FieldPlace, now: number): Procedure<void> {
  yield* changeType(typeNo, query(deleteFieldRow, { no }), now);
}

/**
 * The changes to a content type that are visible to readers. They are found by comparing the templates that render responses, so none can
 * be missed.
 * @param after undefined if the type was deleted
 */
function compareTypes(before: ContentType, after: ContentType | undefined): readonly Change[] {
  const shownBefore = buildReaderType(before);
  const shownAfter = after && buildReaderType(after);
  return [
    { kind: 'rest of the catalog' },
    ...listLookChanges(shownBefore, shownAfter),
    ...listLostNames(shownBefore.fields, shownAfter?.fields ?? []),
  ];
}

/** The change to announce for a type that is now rendered differently. */
function nameLook({ no: typeNo, objectType }: Pick<ContentType, 'no' | 'objectType'>): Change {
  return objectType === 'block' ? { kind: 'look of a block type' } : { kind: 'look of a type', typeNo };
}

function listLookChanges(before: ContentType, after: ContentType | undefined): readonly Change[] {
  // A type can be deleted only if no content uses it.
  if (after === undefined) return [];
  const [old, changed] = [buildTypeTemplate(before), buildTypeTemplate(after)];
  if (describeLook(old) !== describeLook(changed)) return [nameLook(before)];
  return before.fields.flatMap(({ no: fieldNo }, index) => {
    const values = listOtherOptions(old.fields[index], changed.fields[index]);
    // Values in blocks are not indexed.
    if (values.length > 0 && before.objectType === 'block') return [nameLook(before)];
    return values.map((value) => ({ kind: 'option', typeNo: before.no, fieldNo, value }) as const);
  });
}

function describeLook({ member, fields }: TypeTemplate): string {
  return JSON.stringify([member, fields.map(({ type, slot, start, empty }) => [type, slot, start, empty])]);
}

/** The options whose label has changed. */
function listOtherOptions(before: FieldTemplate | undefined, after: FieldTemplate | undefined): readonly string[] {
  const [old, changed] = [before?.options ?? NO_OPTIONS, after?.options ?? NO_OPTIONS];
  const values = new Set([...old.keys(), ...changed.keys()]);
  return [...values]
    .filter((value) => renderOption(old, value) !== renderOption(changed, value))
    .map((value) => String(JSON.parse(value)));
}

const NO_OPTIONS: FieldTemplate['options'] = new Map();

function listLostNames(before: readonly Field[], after: readonly Field[]): readonly Change[] {
  return before
    .filter(({ type, no }) => canBeNamed(type) && after.every((field) => field.no !== no))
    .map(({ handle, type }) => ({ kind: 'field that requests can name', handle, fieldType: type }) as const);
}
