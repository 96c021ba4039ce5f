// The content values that an editor can change, and their parts. Conflicts between two editors are detected and resolved part by part.

import type { ManagedContentBody } from '@galley/wire';
import { type FieldValues, isRecord, isSame } from '../fields/field-values.ts';

export interface DraftValues {
  readonly name: string;
  /** Null if the service derives the slug from the name. */
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

/** The parts, by path: `name`, `slug`, `author`, `seo`, `fields.title`. */
export function listParts({ fields, ...others }: DraftValues): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(others),
    ...Object.entries(fields).map(([handle, value]): [string, unknown] => [`${IN_FIELDS}${handle}`, value]),
  ]);
}

/** The part that a path points to, such as `fields.title` for `fields.title.text`; undefined if there is no such part. */
export function findPart(path: string): string | undefined {
  const [part] = /^(?:name|slug|author|seo|fields\.[^.[]+)(?=$|[.[])/.exec(path) ?? [];
  return part;
}

/** The value at a path such as `fields.sections.blocks[0].name`; undefined if there is none. */
export function readAt(values: DraftValues, path: string): unknown {
  let value: unknown = values;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The paths of the parts that differ. */
export function listDifferences(one: DraftValues, other: DraftValues): readonly string[] {
  const [these, those] = [listParts(one), listParts(other)];
  return [...new Set([...these.keys(), ...those.keys()])].filter((path) => !isSame(these.get(path), those.get(path)));
}

/** Replaces the given parts with those from other values. */
export function takeParts(values: DraftValues, from: DraftValues, paths: Iterable<string>): DraftValues {
  const parts = listParts(from);
  return layParts(
    values,
    Array.from(paths, (path): [string, unknown] => [path, parts.get(path)]),
  );
}

/** Replaces parts. Null or undefined removes a field's value. Unknown parts are ignored. */
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

/** Converts a value to lines of text that can be compared with those of another value. HTML is not changed. */
export function summarisePart(value: unknown): string {
  return listLines(value).join('\n');
}

function listLines(value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((item) => markFirst(listLines(item)));
  if (!isRecord(value)) return [String(value)];
  return Object.values(value).flatMap(listLines);
}

function markFirst([first, ...others]: readonly string[]): readonly string[] {
  return first === undefined ? [] : [`• ${first}`, ...others.map((line) => `  ${line}`)];
}
