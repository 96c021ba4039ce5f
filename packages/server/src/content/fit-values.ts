// Adapts values saved under an earlier version of their content type to the current version.

import { type Fault, joinMember } from './fault.ts';
import { type ContentType, FIELD_ACCESSORS } from './field.ts';
import {
  type BlockValue,
  type FieldValue,
  type FieldValues,
  parseFieldValues,
  type TypesByHandle,
} from './field-value.ts';

/**
 * The values whose fields and block types still exist, in the order of the type's fields. A version keeps the other values too, but
 * editors do not see them and do not send them back.
 */
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

/** Undefined if no block is left, because an empty list is not a value. */
function keepKnownBlocks(blocks: readonly BlockValue[], typesByHandle: TypesByHandle): FieldValue | undefined {
  const kept = blocks.flatMap(({ content_type: handle, name, fields }) => {
    const type = typesByHandle.get(handle);
    if (type === undefined) return [];
    return [{ content_type: handle, name, fields: keepKnownValues(type, fields, typesByHandle) }];
  });
  return kept.length === 0 ? undefined : { blocks: kept };
}

/**
 * The values, except those with a fault.
 * @param faults each has the path of a field, or of the value in it; the path `fields` means all values
 */
export function leaveOutFaulty(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  faults: readonly Fault[],
): FieldValues {
  const faulty = new Set(faults.map(({ path }) => path));
  if (faulty.size === 0) return values;
  return faulty.has('fields') ? {} : keepFaultless(type, values, typesByHandle, faulty, 'fields');
}

function keepFaultless(
  { fields }: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  faulty: ReadonlySet<string>,
  path: string,
): FieldValues {
  const kept: [handle: string, value: FieldValue][] = [];
  for (const { handle, type } of fields) {
    const value = Object.hasOwn(values, handle) ? values[handle] : undefined;
    const place = `${path}.${handle}`;
    if (value === undefined || faulty.has(place) || faulty.has(`${place}.${FIELD_ACCESSORS[type]}`)) continue;
    const keepBlock = (block: BlockValue, index: number): BlockValue => {
      const owner = typesByHandle.get(block.content_type);
      if (owner === undefined) return block;
      const inBlock = `${place}.blocks[${index}].fields`;
      return { ...block, fields: keepFaultless(owner, block.fields, typesByHandle, faulty, inBlock) };
    };
    kept.push([handle, 'blocks' in value ? { blocks: value.blocks.map(keepBlock) } : value]);
  }
  return Object.fromEntries(kept);
}

export interface FittedValues {
  readonly fields: FieldValues;
  readonly leftOut: readonly Fault[];
}

export interface GoneReferences {
  readonly links: ReadonlySet<string>;
  readonly assets: ReadonlySet<string>;
}

/** The state shared while one version's values are being fitted. */
interface Fitting {
  readonly typesByHandle: TypesByHandle;
  readonly gone: GoneReferences;
  readonly leftOut: Fault[];
}

/**
 * Leaves out values that are no longer valid, and lists them. Keeps the rest.
 * @param gone the ids of content and assets that do not exist in the site
 */
export function fitValues(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  gone: GoneReferences,
): FittedValues {
  const fitting: Fitting = { typesByHandle, gone, leftOut: [] };
  const fields = fitFields(fitting, type, values, 'fields');
  return { fields, leftOut: fitting.leftOut };
}

function fitFields(fitting: Fitting, type: ContentType, values: FieldValues, path: string): FieldValues {
  const known = new Set(type.fields.map((field) => field.handle));
  for (const handle of Object.keys(values)) {
    if (!known.has(handle)) leaveOut(fitting, joinMember(path, handle), `is no longer a field of ${type.handle}`);
  }
  const fitted: [handle: string, value: FieldValue][] = [];
  for (const { handle } of type.fields) {
    const value = Object.hasOwn(values, handle) ? values[handle] : undefined;
    if (value === undefined) continue;
    const candidate = fitReferences(fitting, value, joinMember(path, handle));
    const parsed = parseFieldValues(type, { [handle]: candidate }, fitting.typesByHandle);
    if (!parsed.ok) leaveOut(fitting, joinMember(path, handle), 'is no longer valid for its field');
    // An empty list is not a value.
    else if (Object.hasOwn(parsed.value, handle)) fitted.push([handle, candidate]);
  }
  return Object.fromEntries(fitted);
}

function fitReferences(fitting: Fitting, value: FieldValue, path: string): FieldValue {
  const { links, assets } = fitting.gone;
  if ('content_links' in value) {
    const kept = keepItems(fitting, value.content_links, `${path}.content_links`, (id) =>
      links.has(id) ? `refers to content ${id}, which does not exist in the site` : undefined,
    );
    return { content_links: kept };
  }
  if ('assets' in value) {
    const kept = keepItems(fitting, value.assets, `${path}.assets`, (id) =>
      assets.has(id) ? `refers to the asset ${id}, which does not exist in the site` : undefined,
    );
    return { assets: kept };
  }
  return 'blocks' in value ? { blocks: fitBlocks(fitting, value.blocks, `${path}.blocks`) } : value;
}

function fitBlocks(fitting: Fitting, blocks: readonly BlockValue[], path: string): readonly BlockValue[] {
  return blocks.flatMap((block, index) => {
    const type = fitting.typesByHandle.get(block.content_type);
    if (type === undefined || type.objectType !== 'block') {
      leaveOut(fitting, `${path}[${index}]`, `is a block of type ${block.content_type}, which no longer exists`);
      return [];
    }
    return [{ ...block, fields: fitFields(fitting, type, block.fields, `${path}[${index}].fields`) }];
  });
}

function keepItems<Item>(
  fitting: Fitting,
  items: readonly Item[],
  path: string,
  findReason: (item: Item) => string | undefined,
): readonly Item[] {
  return items.filter((item, index) => {
    const reason = findReason(item);
    if (reason !== undefined) leaveOut(fitting, `${path}[${index}]`, reason);
    return reason === undefined;
  });
}

function leaveOut(fitting: Fitting, path: string, message: string): void {
  fitting.leftOut.push({ path, message });
}
