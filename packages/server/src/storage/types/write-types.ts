// Writes content types and their fields. A slot is given once in the life of a type, so what was saved at the slot of a
// deleted field never shows as the value of another.

import { sql } from 'kysely';
import type { ContentType, Field } from '../../content/field.ts';
import { insertNumbered } from '../sites/written.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export type TypeWrite = Pick<ContentType, 'id' | 'handle' | 'name' | 'objectType' | 'uriPattern'>;

export interface FieldWrite
  extends Pick<Field, 'id' | 'handle' | 'name' | 'helpText' | 'type' | 'isRequired' | 'settings' | 'isHidden'> {
  /** Among the fields of its type, from 0 on and without gaps. */
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

export function* insertContentType(siteNo: number, type: TypeWrite): Procedure<number> {
  const { id, handle, name, objectType, uriPattern } = type;
  return (yield* insertNumbered(insertTypeRow, { site: siteNo, id, handle, name, objectType, uriPattern })).no;
}

export function* updateContentType(no: number, type: Omit<TypeWrite, 'id' | 'handle'>): Procedure<void> {
  const { name, objectType, uriPattern } = type;
  yield* query(updateTypeRow, { no, name, objectType, uriPattern });
}

/** Only for a type that no content is of. */
export function* deleteContentType(no: number): Procedure<void> {
  yield* query(deleteFieldRows, { no });
  yield* query(deleteTypeRow, { no });
}

const takeSlot = defineStatement(
  () =>
    sql`update content_types set next_slot = next_slot + 1 where no = ${slot('type')} returning next_slot - 1 as no`,
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
const selectAnyContent = defineStatement(() => sql`select no from contents where type_no = ${slot('type')} limit 1`);

export function* insertField(siteNo: number, typeNo: number, field: FieldWrite): Procedure<number> {
  // Content that is there already carries no mark where it lacks the new field.
  const hasContent = (yield* query(selectAnyContent, { type: typeNo })).length > 0;
  const { no: slotGiven } = yield* insertNumbered(takeSlot, { type: typeNo });
  const inserted = yield* insertNumbered(insertFieldRow, {
    site: siteNo,
    typeNo,
    id: field.id,
    handle: field.handle,
    type: field.type,
    slot: slotGiven,
    marksMissing: hasContent ? 0 : 1,
    ...bindChangeable(field),
  });
  return inserted.no;
}

export function* updateField(no: number, field: Omit<FieldWrite, 'id' | 'handle' | 'type'>): Procedure<void> {
  yield* query(updateFieldRow, { no, ...bindChangeable(field) });
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

/** @param fields all fields of a type, in the order that they are to have */
export function* orderFields(fields: readonly Field[]): Procedure<void> {
  for (const [position, { no }] of fields.entries()) yield* query(updatePosition, { no, position });
}

/** Only for a field whose values were dropped; its slot stays taken. */
export function* deleteField(no: number): Procedure<void> {
  yield* query(deleteFieldRow, { no });
}
