// Field values in their plain form, as used in storage and bundles. Parsing reports all faults together. Required values are checked
// separately, because drafts may lack them.

import { buildFault, type Fault, joinMember, listNames, notAllowed } from './fault.ts';
import { type ContentType, FIELD_ACCESSORS, type Field, MAX_BLOCK_DEPTH } from './field.ts';
import { ID_RULE, isId } from './ids.ts';
import { fail, ok, type Result } from './result.ts';
import { isJsonObject } from './strict-json.ts';
import { hasAtMostCharacters, isPlainText, PLAIN_TEXT_RULE } from './text-rules.ts';
import { formatTimestamp, parseTimestamp, TIMESTAMP_RULE } from './timestamp.ts';

export type { Fault } from './fault.ts';

export interface BlockValue {
  readonly content_type: string;
  readonly name: string | null;
  readonly fields: FieldValues;
}

export type FieldValue =
  | { readonly text: string }
  | { readonly number: number }
  | { readonly is_on: boolean }
  /** Normalised to `YYYY-MM-DDTHH:MM:SS+00:00`. */
  | { readonly date: string }
  | { readonly list: readonly string[] }
  | { readonly selected_option: string }
  | { readonly assets: readonly string[] }
  | { readonly blocks: readonly BlockValue[] }
  | { readonly content_links: readonly string[] };

/** Keyed by handle, in the order of the type's fields. Fields without a value, such as an empty list, are omitted. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

export type TypesByHandle = ReadonlyMap<string, ContentType>;

export interface References {
  readonly links: readonly string[];
  readonly assets: readonly string[];
  /** The number of links, assets and blocks, counting each one every time it appears. */
  readonly shown: number;
}

const BLOCK_MEMBERS: readonly string[] = ['content_type', 'name', 'fields'];
const MAX_BLOCK_NAME = 255;

/** The state shared while one object's values are being read. */
interface Reading {
  readonly typesByHandle: TypesByHandle;
  readonly faults: Fault[];
}

export function parseFieldValues(
  type: ContentType,
  raw: unknown,
  typesByHandle: TypesByHandle,
): Result<FieldValues, readonly Fault[]> {
  const { values, faults } = readFieldValues(type, raw, typesByHandle);
  return faults.length === 0 ? ok(values) : fail(faults);
}

/** Reads everything that is valid. Invalid values are left out; in a list of text values, an invalid item becomes an empty string. */
export function readFieldValues(
  type: ContentType,
  raw: unknown,
  typesByHandle: TypesByHandle,
): { readonly values: FieldValues; readonly faults: readonly Fault[] } {
  const reading: Reading = { typesByHandle, faults: [] };
  const values = readFields(reading, type, raw, 'fields', 0);
  return { values, faults: reading.faults };
}

function readFields(reading: Reading, type: ContentType, raw: unknown, path: string, depth: number): FieldValues {
  // This object has no prototype, so a field called `constructor` does not inherit a value.
  const values: Record<string, FieldValue> = Object.create(null);
  if (raw === undefined || raw === null) return Object.freeze(values);
  if (!isJsonObject(raw)) {
    reading.faults.push(buildFault(path, 'must be an object with field values keyed by handle', raw));
    return Object.freeze(values);
  }
  let known = 0;
  for (const field of type.fields) {
    if (!Object.hasOwn(raw, field.handle)) continue;
    known += 1;
    const value = readField(reading, field, raw[field.handle], joinMember(path, field.handle), depth);
    if (value !== undefined) values[field.handle] = Object.freeze(value);
  }
  if (Object.keys(raw).length > known) findUnknownFields(reading, type, raw, path);
  return Object.freeze(values);
}

function findUnknownFields(reading: Reading, type: ContentType, raw: object, path: string): void {
  const handles = new Set(type.fields.map((field) => field.handle));
  const message = `is not a field of ${type.handle}; its fields: ${listNames([...handles])}`;
  for (const name of Object.keys(raw)) {
    if (!handles.has(name)) reading.faults.push({ path: joinMember(path, name), message, code: 'unknown' });
  }
}

function readField(reading: Reading, field: Field, raw: unknown, path: string, depth: number): FieldValue | undefined {
  if (raw === null || raw === undefined) return undefined;
  const accessor = FIELD_ACCESSORS[field.type];
  if (!isJsonObject(raw)) {
    reading.faults.push(buildFault(path, `must be an object with the property ${accessor}`, raw));
    return undefined;
  }
  for (const name of Object.keys(raw)) {
    if (name === accessor) continue;
    const message = `is unknown; the value of a field of type ${field.type} has the property ${accessor}`;
    reading.faults.push({ path: joinMember(path, name), message, code: 'unknown' });
  }
  const given = Object.hasOwn(raw, accessor) ? raw[accessor] : undefined;
  if (given === null || given === undefined) return undefined;
  return readValue(reading, field, given, `${path}.${accessor}`, depth);
}

function readValue(
  reading: Reading,
  field: Field,
  given: unknown,
  path: string,
  depth: number,
): FieldValue | undefined {
  switch (field.type) {
    case 'text': {
      const text = readText(reading, given, path);
      return text === undefined ? undefined : { text };
    }
    case 'number': {
      // Adding zero turns -0 into 0, as JSON and sort keys do.
      if (typeof given === 'number' && Number.isFinite(given)) return { number: given + 0 };
      return refuse(reading, path, 'must be a finite number', given);
    }
    case 'boolean': {
      if (typeof given === 'boolean') return { is_on: given };
      return refuse(reading, path, 'must be true or false', given);
    }
    case 'date': {
      const time = typeof given === 'string' ? parseTimestamp(given) : undefined;
      if (time !== undefined) return { date: formatTimestamp(time) };
      return refuse(reading, path, `must be ${TIMESTAMP_RULE}`, given);
    }
    case 'option': {
      const options = field.settings.options ?? [];
      if (typeof given === 'string' && options.some((option) => option.value === given)) {
        return { selected_option: given };
      }
      const rule = `must be one of ${listNames(options.map((option) => option.value))}`;
      return refuse(reading, path, rule, given, notAllowed(given));
    }
    case 'list': {
      const list = readItems(reading, given, path, (item, itemPath) => readText(reading, item, itemPath) ?? '');
      return list.length === 0 ? undefined : { list };
    }
    case 'assets': {
      const assets = readIds(reading, given, path);
      return assets.length === 0 ? undefined : { assets };
    }
    case 'content_links': {
      const links = readIds(reading, given, path);
      return links.length === 0 ? undefined : { content_links: links };
    }
    case 'blocks': {
      const blocks = readBlocks(reading, given, path, depth + 1);
      return blocks.length === 0 ? undefined : { blocks };
    }
  }
}

function refuse(
  reading: Reading,
  path: string,
  rule: string,
  given: unknown,
  more?: Pick<Fault, 'code' | 'values'>,
): undefined {
  reading.faults.push(buildFault(path, rule, given, more));
}

function readText(reading: Reading, given: unknown, path: string): string | undefined {
  if (typeof given !== 'string') return refuse(reading, path, 'must be text', given);
  if (!isPlainText(given)) return refuse(reading, path, `must be ${PLAIN_TEXT_RULE}`, given);
  return given;
}

function readItems<Item>(
  reading: Reading,
  given: unknown,
  path: string,
  readItem: (item: unknown, itemPath: string) => Item | undefined,
): readonly Item[] {
  const items: Item[] = [];
  if (!Array.isArray(given)) {
    refuse(reading, path, 'must be an array', given);
    return items;
  }
  for (const [index, each] of given.entries()) {
    const item = readItem(each, `${path}[${index}]`);
    if (item !== undefined) items.push(item);
  }
  return Object.freeze(items);
}

function readIds(reading: Reading, given: unknown, path: string): readonly string[] {
  const seen = new Set<string>();
  return readItems(reading, given, path, (item, itemPath) => {
    if (typeof item !== 'string' || !isId(item)) {
      return refuse(reading, itemPath, `must be an id of ${ID_RULE}`, item);
    }
    if (seen.has(item)) {
      return refuse(reading, itemPath, 'must not repeat an id in the same list', item, { code: 'duplicate' });
    }
    seen.add(item);
    return item;
  });
}

function readBlocks(reading: Reading, given: unknown, path: string, depth: number): readonly BlockValue[] {
  if (depth > MAX_BLOCK_DEPTH && Array.isArray(given) && given.length > 0) {
    const message = `nests blocks ${depth} levels deep; at most ${MAX_BLOCK_DEPTH} levels are allowed`;
    reading.faults.push({ path, message });
    return [];
  }
  return readItems(reading, given, path, (item, itemPath) => readBlock(reading, item, itemPath, depth));
}

function readBlock(reading: Reading, raw: unknown, path: string, depth: number): BlockValue | undefined {
  if (!isJsonObject(raw)) return refuse(reading, path, `must be an object with ${listNames(BLOCK_MEMBERS)}`, raw);
  for (const name of Object.keys(raw)) {
    if (BLOCK_MEMBERS.includes(name)) continue;
    const message = `is unknown; a block has ${listNames(BLOCK_MEMBERS)}`;
    reading.faults.push({ path: joinMember(path, name), message, code: 'unknown' });
  }
  const name = readBlockName(reading, Object.hasOwn(raw, 'name') ? raw.name : null, `${path}.name`);
  const handle = Object.hasOwn(raw, 'content_type') ? raw.content_type : undefined;
  const type = typeof handle === 'string' ? reading.typesByHandle.get(handle) : undefined;
  if (type === undefined || type.objectType !== 'block') {
    const handles = [...reading.typesByHandle.values()].filter(isBlockType).map((each) => each.handle);
    const rule = `must be one of the block types: ${listNames(handles)}`;
    return refuse(reading, `${path}.content_type`, rule, handle, notAllowed(handle));
  }
  const fields = readFields(reading, type, Object.hasOwn(raw, 'fields') ? raw.fields : {}, `${path}.fields`, depth);
  return Object.freeze({ content_type: type.handle, name, fields });
}

function isBlockType(type: ContentType): boolean {
  return type.objectType === 'block';
}

function readBlockName(reading: Reading, given: unknown, path: string): string | null {
  if (given === null || given === undefined || given === '') return null;
  const name = readText(reading, given, path);
  if (name === undefined) return null;
  if (!hasAtMostCharacters(name, MAX_BLOCK_NAME)) {
    const values = { max: MAX_BLOCK_NAME };
    refuse(reading, path, `must be at most ${MAX_BLOCK_NAME} characters`, name, { code: 'too_long', values });
    return null;
  }
  return name;
}

export interface FieldVisit {
  readonly field: Field;
  readonly value: FieldValue | undefined;
  readonly path: string;
}

/** Yields every field of the type, with or without a value. A block's fields come after the field that contains the block. */
export function* walkFieldValues(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  path = 'fields',
): Generator<FieldVisit, void, undefined> {
  for (const field of type.fields) {
    const value = Object.hasOwn(values, field.handle) ? values[field.handle] : undefined;
    const valuePath = `${path}.${field.handle}`;
    yield { field, value, path: valuePath };
    if (value === undefined || !('blocks' in value)) continue;
    for (const [index, block] of value.blocks.entries()) {
      const blockType = typesByHandle.get(block.content_type);
      // The type may have been deleted since the content was saved.
      if (blockType === undefined) continue;
      yield* walkFieldValues(blockType, block.fields, typesByHandle, `${valuePath}.blocks[${index}].fields`);
    }
  }
}

/** Blank text is a value, but it does not satisfy a required field. */
function isMissing(value: FieldValue | undefined): boolean {
  return value === undefined || ('text' in value && value.text.trim() === '');
}

/** Whether published content must have a value for the field. Hidden fields are never required. */
export function needsValue({ isRequired, isHidden }: Pick<Field, 'isRequired' | 'isHidden'>): boolean {
  return isRequired && !isHidden;
}

/** Missing values that prevent publishing. The same rules apply to editors, schedules, imports and changes to types. */
export function findMissingRequired(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
): readonly Fault[] {
  const faults: Fault[] = [];
  for (const { field, value, path } of walkFieldValues(type, values, typesByHandle)) {
    if (!needsValue(field) || !isMissing(value)) continue;
    faults.push({ path, message: 'is required and has no value', code: 'required' });
  }
  return faults;
}

const NO_REFERENCES: References = Object.freeze({ links: Object.freeze([]), assets: Object.freeze([]), shown: 0 });

/** Without duplicates, in order of first appearance. */
export function collectReferences(type: ContentType, values: FieldValues, typesByHandle: TypesByHandle): References {
  // Most content has a type that cannot have references.
  if (!type.fields.some(mayRefer)) return NO_REFERENCES;
  const links = new Set<string>();
  const assets = new Set<string>();
  let shown = 0;
  for (const { value } of walkFieldValues(type, values, typesByHandle)) {
    if (value === undefined) continue;
    if ('content_links' in value) for (const id of value.content_links) links.add(id);
    if ('assets' in value) for (const id of value.assets) assets.add(id);
    shown += countShown(value);
  }
  return { links: [...links], assets: [...assets], shown };
}

function countShown(value: FieldValue): number {
  if ('content_links' in value) return value.content_links.length;
  if ('assets' in value) return value.assets.length;
  return 'blocks' in value ? value.blocks.length : 0;
}

/** Whether the values of the field, or of blocks in it, may refer to assets or other content. */
export function mayRefer({ type }: Field): boolean {
  return type === 'content_links' || type === 'assets' || type === 'blocks';
}
