// Field values in the management API's format: keyed by handle, each an object with the one property that its type uses. A value in any
// other format counts as no value.

import type { ManagedTypeBody } from '@galley/wire';

export type FieldValues = Readonly<Record<string, unknown>>;

export interface BlockValue {
  /** The handle of its content type. */
  readonly content_type: string;
  readonly name: string | null;
  readonly fields: FieldValues;
}

export function isRecord(value: unknown): value is FieldValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares two JSON values, ignoring the order of properties. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function readMember(value: unknown, accessor: string): unknown {
  return isRecord(value) && Object.hasOwn(value, accessor) ? value[accessor] : undefined;
}

export function readText(value: unknown): string {
  const text = readMember(value, 'text');
  return typeof text === 'string' ? text : '';
}

/** Empty text counts as no value. */
export function buildText(text: string): { readonly text: string } | undefined {
  return text === '' ? undefined : { text };
}

export function readNumber(value: unknown): number | undefined {
  const number = readMember(value, 'number');
  return typeof number === 'number' ? number : undefined;
}

export function readSwitch(value: unknown): boolean | undefined {
  const isOn = readMember(value, 'is_on');
  return typeof isOn === 'boolean' ? isOn : undefined;
}

export function readDate(value: unknown): string | undefined {
  const date = readMember(value, 'date');
  return typeof date === 'string' ? date : undefined;
}

export function readOption(value: unknown): string | undefined {
  const option = readMember(value, 'selected_option');
  return typeof option === 'string' ? option : undefined;
}

export function readItems(value: unknown, accessor: 'list' | 'assets' | 'content_links'): readonly string[] {
  const items = readMember(value, accessor);
  return Array.isArray(items) ? items.filter((item) => typeof item === 'string') : [];
}

export function readBlocks(value: unknown): readonly BlockValue[] {
  const blocks = readMember(value, 'blocks');
  return Array.isArray(blocks) ? blocks.filter(isRecord).map(readBlock) : [];
}

const readBefore = new WeakMap<object, BlockValue>();

/** Returns the same object for the same value, so that React can tell which blocks have changed. */
function readBlock(value: FieldValues): BlockValue {
  const known = readBefore.get(value);
  if (known !== undefined) return known;
  const { content_type, name, fields } = value;
  const block: BlockValue = {
    content_type: typeof content_type === 'string' ? content_type : '',
    name: typeof name === 'string' ? name : null,
    fields: isRecord(fields) ? fields : {},
  };
  // The form stores the blocks that it has read, and reads them again.
  for (const each of [value, block]) readBefore.set(each, block);
  return block;
}

/** Replaces one value; undefined removes it. */
export function withValue(values: FieldValues, handle: string, value: unknown): FieldValues {
  if (value !== undefined) return { ...values, [handle]: value };
  const { [handle]: _, ...others } = values;
  return others;
}

/**
 * Omits values whose fields no longer exist, because the service refuses them and no input shows them.
 * @param types all of the site's content types. Blocks of a deleted type are kept, so the editor can see and remove them
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
