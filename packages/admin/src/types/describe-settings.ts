// The settings of a field in a few words, for the line below its name.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { FIELD_TEXTS } from '../texts/field-texts.ts';

const MOST_NAMES = 3;

export function describeSettings(field: ManagedFieldBody, types: readonly ManagedTypeBody[]): readonly string[] {
  const length = describeRange(field.min_length || undefined, field.max_length);
  const range = describeRange(field.min, field.max);
  const count = describeRange(field.min_items || undefined, field.max_items);
  const typeNames = new Map(types.map(({ handle, name }) => [handle, name]));
  return [
    ...(field.format === undefined || field.format === 'plain' ? [] : [FIELD_TEXTS.formats[field.format]]),
    ...(length === undefined ? [] : [FIELD_TEXTS.characters(length)]),
    ...(field.integer === true ? [FIELD_TEXTS.integer] : []),
    ...(range === undefined ? [] : [range]),
    ...listSome(field.options?.map(({ label }) => label)),
    ...listSome(field.allowed_kinds),
    ...listSome(field.allowed_types?.map((handle) => typeNames.get(handle) ?? handle)),
    ...(count === undefined ? [] : [FIELD_TEXTS.entries(count)]),
  ];
}

function describeRange(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined) return most === undefined ? undefined : FIELD_TEXTS.atMost(most.toLocaleString());
  if (most === undefined) return FIELD_TEXTS.atLeast(least.toLocaleString());
  if (least === most) return FIELD_TEXTS.exactly(least.toLocaleString());
  return FIELD_TEXTS.between(least.toLocaleString(), most.toLocaleString());
}

function listSome(names: readonly string[] = []): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.length > MOST_NAMES + 1 ? names.slice(0, MOST_NAMES) : names;
  const rest = names.length - shown.length;
  return [[...shown, ...(rest === 0 ? [] : [FIELD_TEXTS.more(rest)])].join(', ')];
}
