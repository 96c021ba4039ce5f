// A draft in a bundle names only what differs from the published version: here it is put together again.

import type { Field } from '../content/field.ts';
import type { FieldValues } from '../content/field-value.ts';
import type { Seo } from '../content/seo.ts';
import { isJsonObject } from '../content/strict-json.ts';

/** A draft names the members that differ; null takes all of it away. */
export function mergeSeo(base: Seo, raw: unknown): unknown {
  if (raw === undefined) return base;
  if (!isJsonObject(raw)) return raw;
  const { open_graph: openGraph } = raw;
  return {
    ...base,
    ...raw,
    open_graph: isJsonObject(openGraph) ? { ...base.open_graph, ...openGraph } : (openGraph ?? base.open_graph),
  };
}

/**
 * What a draft names replaces the published value; a value of null takes it away.
 * @param fields of the type, in their order
 * @param draft the values that it names, parsed from `raw`
 */
export function mergeFields(
  fields: readonly Pick<Field, 'handle'>[],
  base: FieldValues,
  draft: FieldValues,
  raw: unknown,
): FieldValues {
  const named = new Set(typeof raw === 'object' && raw !== null ? Object.keys(raw) : []);
  const values = new Map<string, FieldValues[string]>();
  for (const { handle } of fields) {
    const source = named.has(handle) ? draft : base;
    const value = Object.hasOwn(source, handle) ? source[handle] : undefined;
    if (value !== undefined) values.set(handle, value);
  }
  return Object.fromEntries(values);
}
