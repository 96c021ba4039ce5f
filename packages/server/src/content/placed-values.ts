// Finds and removes a field's values in saved content: in content of its type, or in blocks of its type at any depth. The types may have
// changed since the values were saved.

import type { ContentType, Field } from './field.ts';
import type { BlockValue, FieldValue, FieldValues } from './field-value.ts';

export interface Place {
  /** The block type that has the field; null for a field of the content itself. */
  readonly blockType: string | null;
  readonly handle: string;
}

export function buildPlace(type: ContentType, field: Field): Place {
  return { blockType: type.objectType === 'block' ? type.handle : null, handle: field.handle };
}

/** All values of the field in one object. */
export function findPlacedValues(values: FieldValues, { blockType, handle }: Place): readonly FieldValue[] {
  const holders = blockType === null ? [values] : findBlocks(values, blockType).map((block) => block.fields);
  return holders.flatMap((holder) => (Object.hasOwn(holder, handle) ? (holder[handle] ?? []) : []));
}

/** The blocks of a type, including those inside other blocks. */
export function findBlocks(values: FieldValues, blockType: string): readonly BlockValue[] {
  return Object.values(values).flatMap((value) =>
    'blocks' in value
      ? value.blocks.flatMap((block) => [
          ...(block.content_type === blockType ? [block] : []),
          ...findBlocks(block.fields, blockType),
        ])
      : [],
  );
}

/** Removes all values of the field. */
export function dropPlacedValues(values: FieldValues, { blockType, handle }: Place): FieldValues {
  if (blockType === null) return dropMember(values, handle);
  return mapBlocks(values, (block) =>
    block.content_type === blockType ? [{ ...block, fields: dropMember(block.fields, handle) }] : [block],
  );
}

/** Removes all blocks of a type. */
export function dropBlocks(values: FieldValues, blockType: string): FieldValues {
  return mapBlocks(values, (block) => (block.content_type === blockType ? [] : [block]));
}

function mapBlocks(values: FieldValues, change: (block: BlockValue) => readonly BlockValue[]): FieldValues {
  const entries = Object.entries(values).flatMap(([handle, value]): readonly (readonly [string, FieldValue])[] => {
    if (!('blocks' in value)) return [[handle, value]];
    const blocks = value.blocks.flatMap(change).map((block) => ({ ...block, fields: mapBlocks(block.fields, change) }));
    // An empty list is not a value.
    return blocks.length === 0 ? [] : [[handle, { blocks }]];
  });
  return Object.fromEntries(entries);
}

function dropMember(values: FieldValues, handle: string): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== handle));
}
