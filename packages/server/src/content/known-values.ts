// The values of a version as far as its content type knows them. A version keeps what it was saved with, also when a
// field or a block type was deleted since; editors see nothing of that, and need not send it back.

import { type ContentType, FIELD_ACCESSORS } from './field.ts';
import type { BlockValue, FieldValue, FieldValues, TypesByHandle } from './field-value.ts';

/** In the order of the type's fields, blocks included. */
export function keepKnownValues(type: ContentType, values: FieldValues, typesByHandle: TypesByHandle): FieldValues {
  const known = new Map<string, FieldValue>();
  for (const field of type.fields) {
    const value = Object.hasOwn(values, field.handle) ? values[field.handle] : undefined;
    if (value === undefined || !Object.hasOwn(value, FIELD_ACCESSORS[field.type])) continue;
    const kept = 'blocks' in value ? keepKnownBlocks(value.blocks, typesByHandle) : value;
    if (kept !== undefined) known.set(field.handle, kept);
  }
  return Object.fromEntries(known);
}

/** Undefined where no block is left: an empty list is no value. */
function keepKnownBlocks(blocks: readonly BlockValue[], typesByHandle: TypesByHandle): FieldValue | undefined {
  const kept = blocks.flatMap(({ content_type: handle, name, fields }) => {
    const type = typesByHandle.get(handle);
    if (type === undefined) return [];
    return [{ content_type: handle, name, fields: keepKnownValues(type, fields, typesByHandle) }];
  });
  return kept.length === 0 ? undefined : { blocks: kept };
}
