// What readers notice of a change to a content type. It is held against the templates that answers are made with, so nothing
// that they show can be left out here.

import { buildReaderType } from '../../content/catalog.ts';
import {
  buildTypeTemplate,
  type FieldTemplate,
  renderOption,
  type TypeTemplate,
} from '../../content/content-templates.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { canBeNamed } from '../../listing/field-filter.ts';
import type { Change } from './dependencies.ts';

/** @param after undefined where the type was deleted */
export function compareTypes(before: ContentType, after: ContentType | undefined): readonly Change[] {
  const shownBefore = buildReaderType(before);
  const shownAfter = after && buildReaderType(after);
  return [
    { kind: 'rest of the catalog' },
    ...listLookChanges(shownBefore, shownAfter),
    ...listLostNames(shownBefore.fields, shownAfter?.fields ?? []),
  ];
}

/** How a change to what the type looks like is called. */
export function nameLook({ no: typeNo, objectType }: Pick<ContentType, 'no' | 'objectType'>): Change {
  return objectType === 'block' ? { kind: 'look of a block type' } : { kind: 'look of a type', typeNo };
}

function listLookChanges(before: ContentType, after: ContentType | undefined): readonly Change[] {
  // Only a type that no content shows can be deleted.
  if (after === undefined) return [];
  const [old, changed] = [buildTypeTemplate(before), buildTypeTemplate(after)];
  if (describeLook(old) !== describeLook(changed)) return [nameLook(before)];
  return before.fields.flatMap(({ no: fieldNo }, index) => {
    const values = listOtherOptions(old.fields[index], changed.fields[index]);
    // Values inside of blocks are in no index.
    if (values.length > 0 && before.objectType === 'block') return [nameLook(before)];
    return values.map((value) => ({ kind: 'option', fieldNo, value }) as const);
  });
}

function describeLook({ member, fields }: TypeTemplate): string {
  return JSON.stringify([member, fields.map(({ type, slot, start, empty }) => [type, slot, start, empty])]);
}

/** The values that are shown with another label. */
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
