// Compares two versions, value by value. Lists and blocks are compared by position, and text values as a whole. Adding or removing a block,
// or replacing it with one of a different type, counts as a single change.

import { joinMember } from './fault.ts';
import type { BlockValue, FieldValue, FieldValues } from './field-value.ts';
import type { Seo } from './seo.ts';

/** The parts of a version that an editor can change. */
export interface ComparedVersion {
  readonly name: string;
  readonly slug: string;
  readonly uri: string | null;
  /** The author's id. */
  readonly author: string | null;
  readonly seo: Seo;
  readonly fields: FieldValues;
}

export interface Change {
  /** Such as `fields.body.blocks[0].fields.title.text`. */
  readonly path: string;
  /** Null if there was no value. */
  readonly before: unknown;
  readonly after: unknown;
}

export function compareVersions(before: ComparedVersion, after: ComparedVersion): readonly Change[] {
  return [
    ...compareValue('name', before.name, after.name),
    ...compareValue('slug', before.slug, after.slug),
    ...compareValue('uri', before.uri, after.uri),
    ...compareValue('author', before.author, after.author),
    ...compareSeo(before.seo, after.seo),
    ...compareFields('fields', before.fields, after.fields),
  ];
}

function compareValue(path: string, before: unknown, after: unknown): readonly Change[] {
  const [was, is] = [before ?? null, after ?? null];
  return was === is ? [] : [{ path, before: was, after: is }];
}

function compareSeo(before: Seo, after: Seo): readonly Change[] {
  const { open_graph: graphBefore, ...restBefore } = before;
  const { open_graph: graphAfter, ...restAfter } = after;
  return [
    ...compareMembers('seo', restBefore, restAfter, compareValue),
    ...compareMembers('seo.open_graph', { ...graphBefore }, { ...graphAfter }, compareValue),
  ];
}

function compareFields(path: string, before: FieldValues, after: FieldValues): readonly Change[] {
  return compareMembers(path, before, after, compareFieldValue);
}

type Members<Value> = Readonly<Record<string, Value>>;
type Compare<Value> = (path: string, before: Value | undefined, after: Value | undefined) => readonly Change[];

function compareMembers<Value>(
  path: string,
  before: Members<Value>,
  after: Members<Value>,
  compare: Compare<Value>,
): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    compare(joinMember(path, name), findMember(before, name), findMember(after, name)),
  );
}

/** Ignores inherited properties, because a field can be called `constructor`. */
function findMember<Value>(members: Members<Value>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function compareFieldValue(
  path: string,
  before: FieldValue | undefined,
  after: FieldValue | undefined,
): readonly Change[] {
  return compareMembers<unknown>(path, before ?? {}, after ?? {}, compareAccessor);
}

/** The value of an accessor: a single value, or a list, which may be empty. */
function compareAccessor(path: string, before: unknown, after: unknown): readonly Change[] {
  if (!Array.isArray(before) && !Array.isArray(after)) return compareValue(path, before, after);
  const was: readonly unknown[] = Array.isArray(before) ? before : [];
  const is: readonly unknown[] = Array.isArray(after) ? after : [];
  return Array.from({ length: Math.max(was.length, is.length) }, (_, index) =>
    compareItem(`${path}[${index}]`, was[index], is[index]),
  ).flat();
}

function compareItem(path: string, before: unknown, after: unknown): readonly Change[] {
  if (!isBlock(before) || !isBlock(after) || before.content_type !== after.content_type) {
    return compareValue(path, before, after);
  }
  return [
    ...compareValue(`${path}.name`, before.name, after.name),
    ...compareFields(`${path}.fields`, before.fields, after.fields),
  ];
}

/** The items of a list are text values, ids or blocks. */
function isBlock(item: unknown): item is BlockValue {
  return typeof item === 'object' && item !== null && 'content_type' in item;
}
