// Finds values outside the limits of their fields. Editors cannot publish such values, but an import only warns about them. The types
// of linked content and assets can be checked only once all of them have been written.

import type { Fault } from '../content/fault.ts';
import type { ContentType, Field, FieldSettings } from '../content/field.ts';
import type { FieldValues, TypesByHandle } from '../content/field-value.ts';
import { findSettingFaults } from '../content/find-setting-faults.ts';

/** Ids in fields that allow only certain content types or kinds of assets. */
export interface LimitedReferences {
  readonly kind: 'content' | 'asset';
  readonly allowed: readonly string[];
  readonly ids: readonly string[];
}

export interface LimitFindings {
  readonly faults: readonly Fault[];
  readonly references: readonly LimitedReferences[];
}

const LIMITS = [
  'min_length',
  'max_length',
  'min',
  'max',
  'integer',
  'allowed_kinds',
  'allowed_types',
  'min_items',
  'max_items',
] as const satisfies readonly (keyof FieldSettings)[];

/** Returns undefined if there is nothing to report. */
export function findLimitFaults(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
): LimitFindings | undefined {
  const limited = keepLimitedFields(type, typesByHandle);
  if (limited.fields.length === 0) return undefined;
  const references: { readonly kind: 'content' | 'asset'; readonly allowed: readonly string[]; ids: string[] }[] = [];
  const note = (kind: 'content' | 'asset', id: string, allowed: readonly string[]): undefined => {
    const last = references.at(-1);
    if (last?.allowed === allowed) last.ids.push(id);
    else references.push({ kind, allowed, ids: [id] });
  };
  const faults = findSettingFaults(limited, values, typesByHandle, {
    findContentTypeHandle: (id, allowed) => note('content', id, allowed),
    findMimeType: (id, allowed) => note('asset', id, allowed),
  });
  return faults.length === 0 && references.length === 0 ? undefined : { faults, references };
}

const limitedTypes = new WeakMap<ContentType, ContentType>();

/** Most fields have no limits, and there is a lot of content, so the fields with limits are determined once per type. */
function keepLimitedFields(type: ContentType, typesByHandle: TypesByHandle): ContentType {
  const known = limitedTypes.get(type);
  if (known !== undefined) return known;
  const blockTypes = [...typesByHandle.values()].filter(({ objectType }) => objectType === 'block');
  const haveBlocksLimits = blockTypes.some(({ fields }) => fields.some(hasLimit));
  const fields = type.fields.filter((field) => hasLimit(field) || (field.type === 'blocks' && haveBlocksLimits));
  const limited = { ...type, fields };
  limitedTypes.set(type, limited);
  return limited;
}

function hasLimit({ settings }: Field): boolean {
  return LIMITS.some((limit) => settings[limit] !== undefined);
}
