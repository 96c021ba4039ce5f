// Checks values against the settings of their fields before an editor publishes content. Drafts may violate these settings. Imported
// content may too, but causes a warning. A missing value is never a fault here.

import { addFaults, buildFault, type Fault, listNames, notAllowed, showGiven } from './fault.ts';
import type { ContentType, FieldSettings } from './field.ts';
import { type FieldValue, type FieldValues, type TypesByHandle, walkFieldValues } from './field-value.ts';
import { countCharacters } from './text-rules.ts';

/** Looks up other records. Returns undefined for an id that does not exist, because readers do not see references to it. */
export interface ReferenceLookup {
  readonly findContentTypeHandle: (contentId: string, allowed: readonly string[]) => string | undefined;
  readonly findMimeType: (assetId: string, allowed: readonly string[]) => string | undefined;
  /** The name of an image that has no description but needs one. */
  readonly findUndescribed?: (assetId: string) => string | undefined;
}

const NO_FAULTS: readonly Fault[] = Object.freeze([]);

export function findSettingFaults(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
  lookup: ReferenceLookup,
): readonly Fault[] {
  const faults: Fault[] = [];
  for (const { field, value, path } of walkFieldValues(type, values, typesByHandle)) {
    if (value !== undefined) addFaults(faults, findValueFaults(field.settings, value, path, lookup));
  }
  return faults;
}

function findValueFaults(
  settings: FieldSettings,
  value: FieldValue,
  path: string,
  lookup: ReferenceLookup,
): readonly Fault[] {
  if ('text' in value) return findLengthFaults(settings, value.text, `${path}.text`);
  if ('number' in value) return findNumberFaults(settings, value.number, `${path}.number`);
  if ('list' in value) return findCountFaults(settings, value.list, `${path}.list`);
  if ('assets' in value) return findAssetFaults(settings, value.assets, `${path}.assets`, lookup);
  if ('content_links' in value) return findLinkFaults(settings, value.content_links, `${path}.content_links`, lookup);
  if ('blocks' in value) {
    const handles = value.blocks.map((block) => block.content_type);
    return [
      ...findCountFaults(settings, value.blocks, `${path}.blocks`),
      ...findBlockFaults(settings, handles, `${path}.blocks`),
    ];
  }
  return [];
}

function findLengthFaults(settings: FieldSettings, text: string, path: string): readonly Fault[] {
  const { min_length: least = 0, max_length: most = Number.POSITIVE_INFINITY } = settings;
  // Counting characters is slow in long text. A character has one or two code units, so the length is usually enough to decide.
  if (text.length <= most && text.length >= 2 * least) return NO_FAULTS;
  const length = countCharacters(text);
  if (length < least) {
    const message = `must have at least ${least} characters, has ${length}`;
    return [{ path, message, code: 'too_short', values: { min: least, length } }];
  }
  if (length > most) {
    const message = `must have at most ${most} characters, has ${length}`;
    return [{ path, message, code: 'too_long', values: { max: most, length } }];
  }
  return [];
}

function findNumberFaults(settings: FieldSettings, number: number, path: string): readonly Fault[] {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer = false } = settings;
  const faults: Fault[] = [];
  if (integer && !Number.isSafeInteger(number)) {
    faults.push(buildFault(path, `must be a whole number of at most ${Number.MAX_SAFE_INTEGER}`, number));
  }
  if (number < min) {
    faults.push(buildFault(path, `must be at least ${min}`, number, { code: 'too_small', values: { min } }));
  }
  if (number > max) {
    faults.push(buildFault(path, `must be at most ${max}`, number, { code: 'too_large', values: { max } }));
  }
  return faults;
}

function findCountFaults(settings: FieldSettings, items: readonly unknown[], path: string): readonly Fault[] {
  const { min_items: least = 0, max_items: most = Number.POSITIVE_INFINITY } = settings;
  const count = items.length;
  if (count < least) {
    const message = `must have at least ${least} items, has ${count}`;
    return [{ path, message, code: 'too_few', values: { min: least, count } }];
  }
  if (count > most) {
    const message = `must have at most ${most} items, has ${count}`;
    return [{ path, message, code: 'too_many', values: { max: most, count } }];
  }
  return NO_FAULTS;
}

function findBlockFaults(settings: FieldSettings, handles: readonly string[], path: string): readonly Fault[] {
  const allowed = settings.allowed_types;
  if (allowed === undefined) return [];
  return handles.flatMap((handle, index) => {
    if (allowed.includes(handle)) return [];
    const rule = `must be one of ${listNames(allowed)}`;
    return [buildFault(`${path}[${index}].content_type`, rule, handle, notAllowed(handle))];
  });
}

function findLinkFaults(
  settings: FieldSettings,
  ids: readonly string[],
  path: string,
  lookup: ReferenceLookup,
): readonly Fault[] {
  const allowed = settings.allowed_types;
  const faults = [...findCountFaults(settings, ids, path)];
  if (allowed === undefined) return faults;
  for (const [index, id] of ids.entries()) {
    const handle = lookup.findContentTypeHandle(id, allowed);
    if (handle === undefined || allowed.includes(handle)) continue;
    const message = `must be content of type ${allowed.join(' or ')}; ${showGiven(id)} is of type ${handle}`;
    faults.push({ path: `${path}[${index}]`, message, ...notAllowed(handle) });
  }
  return faults;
}

function findAssetFaults(
  settings: FieldSettings,
  ids: readonly string[],
  path: string,
  lookup: ReferenceLookup,
): readonly Fault[] {
  const allowed = settings.allowed_kinds;
  const faults = [...findCountFaults(settings, ids, path)];
  for (const [index, id] of ids.entries()) {
    const name = lookup.findUndescribed?.(id);
    if (name === undefined) continue;
    const message = `must have a description; the image ${showGiven(name)} has none`;
    faults.push({ path: `${path}[${index}]`, message, code: 'description_missing', values: { name } });
  }
  if (allowed === undefined) return faults;
  for (const [index, id] of ids.entries()) {
    const mimeType = lookup.findMimeType(id, allowed);
    if (mimeType === undefined || allowed.some((kind) => mimeType.startsWith(kind))) continue;
    const message = `must be an asset of kind ${allowed.join(' or ')}; ${showGiven(id)} is ${mimeType}`;
    faults.push({ path: `${path}[${index}]`, message, ...notAllowed(mimeType) });
  }
  return faults;
}
