// Values without those of fields that their content type no longer has: the service refuses them, and no input shows them.

import type { ManagedTypeBody } from '@galley/wire';
import { type FieldValues, isRecord, readBlocks } from '../fields/field-values.ts';

/**
 * @param types all content types of the site. A block whose type is gone stays, as the form shows it to be removed
 */
export function fitToType(values: FieldValues, type: ManagedTypeBody, types: readonly ManagedTypeBody[]): FieldValues {
  return Object.fromEntries(
    type.fields
      .filter(({ handle }) => Object.hasOwn(values, handle))
      .map((field) => [
        field.handle,
        field.type === 'blocks' ? fitBlocks(values[field.handle], types) : values[field.handle],
      ]),
  );
}

function fitBlocks(value: unknown, types: readonly ManagedTypeBody[]): unknown {
  if (!isRecord(value)) return value;
  const blocks = readBlocks(value).map((block) => {
    const type = types.find(({ handle }) => handle === block.content_type);
    return type === undefined ? block : { ...block, fields: fitToType(block.fields, type, types) };
  });
  return { ...value, blocks };
}
