// What an editor can change of content, and its parts: a part is what two editors can contest.

import type { ManagedContentBody } from '@galley/wire';
import { type FieldValues, isRecord } from '../fields/field-values.ts';

export interface DraftValues {
  readonly name: string;
  readonly slug: string;
  readonly author: string | null;
  readonly seo: FieldValues;
  readonly fields: FieldValues;
}

export function readDraftValues({ name, slug, author, seo, fields }: ManagedContentBody): DraftValues {
  return { name, slug, author, seo, fields };
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
    ...Object.entries(fields).map(([handle, value]): [string, unknown] => [`fields.${handle}`, value]),
  ]);
}

/** The values with the named parts as others have them. */
export function takeParts(values: DraftValues, from: DraftValues, paths: Iterable<string>): DraftValues {
  let taken = values;
  const fields = new Map(Object.entries(values.fields));
  for (const path of paths) {
    if (path === 'name' || path === 'slug') taken = { ...taken, [path]: from[path] };
    else if (path === 'author') taken = { ...taken, author: from.author };
    else if (path === 'seo') taken = { ...taken, seo: from.seo };
    else {
      const handle = path.slice('fields.'.length);
      if (Object.hasOwn(from.fields, handle)) fields.set(handle, from.fields[handle]);
      else fields.delete(handle);
    }
  }
  return { ...taken, fields: Object.fromEntries(fields) };
}
