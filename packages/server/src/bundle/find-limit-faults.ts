// The limits of fields are for editors: a bundle may bring values from outside of them, and is told so. Whether linked content
// and assets are of an allowed kind shows only when all of them are written.

import type { Fault } from '../content/fault.ts';
import type { ContentType, Field, FieldSettings } from '../content/field.ts';
import type { FieldValues, TypesByHandle } from '../content/field-value.ts';
import { findSettingFaults } from '../content/find-setting-faults.ts';

/** Ids in fields that take only some types of content, or some kinds of assets. */
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

/** Undefined where there is nothing to tell. */
export function findLimitFaults(
  type: ContentType,
  values: FieldValues,
  typesByHandle: TypesByHandle,
): LimitFindings | undefined {
  if (!mayHaveLimits(type, typesByHandle)) return undefined;
  const idsByLimit = new Map<readonly string[], { readonly kind: 'content' | 'asset'; readonly ids: string[] }>();
  const note =
    (kind: 'content' | 'asset') =>
    (id: string, allowed: readonly string[]): undefined => {
      const limited = idsByLimit.get(allowed);
      if (limited === undefined) idsByLimit.set(allowed, { kind, ids: [id] });
      else limited.ids.push(id);
    };
  const faults = findSettingFaults(type, values, typesByHandle, {
    findContentTypeHandle: note('content'),
    findMimeType: note('asset'),
  });
  if (faults.length === 0 && idsByLimit.size === 0) return undefined;
  return { faults, references: Array.from(idsByLimit, ([allowed, { kind, ids }]) => ({ kind, allowed, ids })) };
}

const known = new WeakMap<ContentType, boolean>();

/** Most content is of a type without any limit, and there is very much of it. */
function mayHaveLimits(type: ContentType, typesByHandle: TypesByHandle): boolean {
  const before = known.get(type);
  if (before !== undefined) return before;
  const blockTypes = [...typesByHandle.values()].filter(({ objectType }) => objectType === 'block');
  const mayHold = type.fields.some((field) => field.type === 'blocks');
  const hasLimits = [type, ...(mayHold ? blockTypes : [])].some(({ fields }) => fields.some(hasLimit));
  known.set(type, hasLimits);
  return hasLimits;
}

function hasLimit({ settings }: Field): boolean {
  return LIMITS.some((limit) => settings[limit] !== undefined);
}
