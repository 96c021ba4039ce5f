// Leaves out values whose fields no longer exist: the service refuses them, and no input shows them.

import type { ManagedTypeBody } from '@galley/wire';
import { type FieldValues, isRecord, readBlocks } from '../fields/field-values.ts';

/**
 * @param types all content types of the site. Blocks of a deleted type stay, so that the editor can see and remove them
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
