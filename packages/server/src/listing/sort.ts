// The grammar of ?sort=: `attribute:direction`, or `handle.accessor:direction` for a custom field.
// Every sort ends with the id in ascending order, so no two objects ever compare equal.

import type { Catalog } from '../content/catalog.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { quote } from './query-parameters.ts';

export const SORT_ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'] as const;

export type SortAttribute = (typeof SORT_ATTRIBUTES)[number];
export type Direction = 'asc' | 'desc';
export type SortableAccessor = 'text' | 'number';

export interface AttributeSort {
  readonly kind: 'attribute';
  readonly attribute: SortAttribute;
  readonly direction: Direction;
}

export interface FieldSort {
  readonly kind: 'field';
  readonly handle: string;
  readonly accessor: SortableAccessor;
  readonly direction: Direction;
}

export type Sort = AttributeSort | FieldSort;

const MAX_SORTS = 8;

export const DEFAULT_SORTS: readonly Sort[] = Object.freeze([
  { kind: 'attribute', attribute: 'published_at', direction: 'desc' } as const,
]);

export function parseSorts(values: readonly string[], catalog: Catalog): Result<readonly Sort[], string> {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return ok(DEFAULT_SORTS);
  if (given.length > MAX_SORTS) {
    return fail(`The sort parameter has ${given.length} values; at most ${MAX_SORTS} are allowed.`);
  }
  const sorts: Sort[] = [];
  const seen = new Set<string>();
  for (const value of given) {
    const sort = parseSort(value, catalog);
    if (!sort.ok) return sort;
    const name = nameSort(sort.value);
    if (seen.has(name)) return fail(`The sort parameter names ${quote(name)} twice; only once is allowed.`);
    seen.add(name);
    sorts.push(sort.value);
  }
  return ok(sorts);
}

function parseSort(value: string, catalog: Catalog): Result<Sort, string> {
  const colon = value.indexOf(':');
  const key = colon === -1 ? value : value.slice(0, colon);
  const direction = colon === -1 ? 'asc' : value.slice(colon + 1);
  if (!isDirection(direction)) {
    return fail(`The sort parameter has the direction ${quote(direction)}; asc and desc are allowed.`);
  }
  if (isSortAttribute(key)) return ok({ kind: 'attribute', attribute: key, direction });
  const dot = key.lastIndexOf('.');
  if (dot === -1) {
    return fail(
      `The sort parameter does not support ${quote(key)}; the allowed values are ${SORT_ATTRIBUTES.join(', ')}, <handle>.text and <handle>.number.`,
    );
  }
  return parseFieldSort(key.slice(0, dot), key.slice(dot + 1), direction, catalog);
}

function parseFieldSort(
  handle: string,
  accessor: string,
  direction: Direction,
  catalog: Catalog,
): Result<Sort, string> {
  if (!isSortableAccessor(accessor)) {
    return fail(`The sort parameter has the accessor ${quote(accessor)}; text and number are allowed.`);
  }
  const fields = catalog.types.flatMap((type) => type.fields.filter((field) => field.handle === handle));
  if (fields.length === 0) {
    return fail(
      `The sort parameter names the field ${quote(handle)}, which does not exist in any content type in the site.`,
    );
  }
  if (!fields.some((field) => field.type === accessor)) {
    return fail(
      `The sort parameter reads the field ${quote(handle)} as ${accessor}, but its type is ${fields[0]?.type}; only text and number fields can be used for sorting.`,
    );
  }
  return ok({ kind: 'field', handle, accessor, direction });
}

function isDirection(text: string): text is Direction {
  return text === 'asc' || text === 'desc';
}

function isSortableAccessor(text: string): text is SortableAccessor {
  return text === 'text' || text === 'number';
}

function isSortAttribute(text: string): text is SortAttribute {
  return SORT_ATTRIBUTES.some((attribute) => attribute === text);
}

function nameSort(sort: Sort): string {
  return sort.kind === 'attribute' ? sort.attribute : `${sort.handle}.${sort.accessor}`;
}

/** The canonical text of a sort. Cursors are bound to it. */
export function formatSorts(sorts: readonly Sort[]): string {
  return sorts.map((sort) => `${nameSort(sort)}:${sort.direction}`).join(',');
}
