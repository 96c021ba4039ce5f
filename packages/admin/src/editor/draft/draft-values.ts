// What an editor can change of content, and its parts: a part is what two editors can contest.

import type { ManagedContentBody } from '@galley/wire';
import { type FieldValues, isRecord } from '../fields/field-values.ts';

export interface DraftValues {
  readonly name: string;
  /** Null where it follows the name. */
  readonly slug: string | null;
  readonly author: string | null;
  readonly seo: FieldValues;
  readonly fields: FieldValues;
}

const IN_FIELDS = 'fields.';

export function readDraftValues(content: ManagedContentBody): DraftValues {
  const { name, slug, author, seo, fields } = content;
  return { name, slug: content.slug_follows_name ? null : slug, author, seo, fields };
}

export function isSameDraft(one: DraftValues, other: DraftValues): boolean {
  return one === other || isSame(one, other);
}

/** Whether two JSON values say the same; the order of members does not count. */
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

/** The parts by their paths: `name`, `slug`, `author`, `seo`, `fields.title`. */
export function listParts({ fields, ...others }: DraftValues): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(others),
    ...Object.entries(fields).map(([handle, value]): [string, unknown] => [`${IN_FIELDS}${handle}`, value]),
  ]);
}

/** The part that a path leads into, such as `fields.title` of `fields.title.text`; undefined where it leads into none. */
export function findPart(path: string): string | undefined {
  const [part] = /^(?:name|slug|author|seo|fields\.[^.[]+)(?=$|[.[])/.exec(path) ?? [];
  return part;
}

/** The value at a place, such as `fields.sections.blocks[0].name`; undefined where there is none. */
export function readAt(values: DraftValues, path: string): unknown {
  let value: unknown = values;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The paths of the parts that are not alike. */
export function listDifferences(one: DraftValues, other: DraftValues): readonly string[] {
  const [these, those] = [listParts(one), listParts(other)];
  return [...new Set([...these.keys(), ...those.keys()])].filter((path) => !isSame(these.get(path), those.get(path)));
}

/** The values with the named parts as others have them. */
export function takeParts(values: DraftValues, from: DraftValues, paths: Iterable<string>): DraftValues {
  const parts = listParts(from);
  return layParts(
    values,
    Array.from(paths, (path): [string, unknown] => [path, parts.get(path)]),
  );
}

/** The values with other parts laid over them. Nothing takes a field's value out; what is no such part is left away. */
export function layParts(values: DraftValues, parts: Iterable<readonly [string, unknown]>): DraftValues {
  let { name, slug, author, seo } = values;
  const fields = new Map(Object.entries(values.fields));
  for (const [path, value] of parts) {
    if (path === 'name' && typeof value === 'string') name = value;
    else if (path === 'slug' && (value === null || typeof value === 'string')) slug = value;
    else if (path === 'author' && (value === null || typeof value === 'string')) author = value;
    else if (path === 'seo' && isRecord(value)) seo = value;
    else if (path.startsWith(IN_FIELDS)) {
      const handle = path.slice(IN_FIELDS.length);
      if (value === null || value === undefined) fields.delete(handle);
      else fields.set(handle, value);
    }
  }
  return { name, slug, author, seo, fields: Object.fromEntries(fields) };
}
