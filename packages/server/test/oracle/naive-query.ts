// A simple parser for list parameters, given as name and value pairs. It collects errors by parameter name.

import type { ContentTypeRecord, FieldType } from './bundle.ts';
import type { SortKey } from './naive-sort.ts';

export type Pair = readonly [name: string, value: string];

export interface FieldFilter {
  readonly accessor: string;
  readonly handle: string;
  /** For links, whether the value is a slug or an id. */
  readonly member: string | null;
  readonly values: readonly string[];
}

export interface NaiveQuery {
  readonly author: readonly string[];
  readonly contentType: readonly string[];
  readonly contentTypeId: readonly string[];
  readonly slug: readonly string[];
  readonly fieldFilters: readonly FieldFilter[];
  readonly matchAny: boolean;
  readonly hasFallback: boolean;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly page: number;
  /** The names of the invalid parameters. */
  readonly wrong: readonly string[];
}

const FIXED_ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'];
const FILTERED_TYPES: Readonly<Record<string, FieldType>> = {
  text: 'text',
  number: 'number',
  is_on: 'boolean',
  selected_option: 'option',
  content_links: 'content_links',
};

export function readQuery(pairs: readonly Pair[], types: readonly ContentTypeRecord[], isSimple: boolean): NaiveQuery {
  const wrong: string[] = [];
  const check = (name: string, isRight: boolean) => {
    if (!isRight) wrong.push(name);
  };

  const filterValues = (name: string) => {
    const values = valuesOf(pairs, name);
    check(name, values.length <= 100 && !values.includes(''));
    return values;
  };
  const boolean = (name: string) => {
    const value = lastOf(pairs, name);
    check(name, value === '' || isBoolean(value));
    return value === 'true' || value === '1';
  };
  const wholeNumber = (name: string, fallback: number, max: number) => {
    const value = lastOf(pairs, name);
    if (value === '') return fallback;
    check(name, /^[1-9]\d*$/.test(value) && Number(value) <= max);
    return Number(value);
  };

  const sort = sortOf(valuesOf(pairs, 'sort').filter((value) => value !== ''));
  check('sort', isSortable(sort, types));
  const match = lastOf(pairs, 'match');
  check('match', ['', 'all', 'any'].includes(match));
  const fieldFilters = fieldFiltersOf(pairs);
  for (const filter of fieldFilters) check('fields', isFilterable(filter, types));

  return {
    author: filterValues('author'),
    contentType: filterValues('content_type'),
    contentTypeId: filterValues('content_type_id'),
    slug: filterValues('slug'),
    fieldFilters,
    matchAny: match === 'any',
    hasFallback: boolean('fallback_default_language'),
    sort,
    limit: wholeNumber('limit', 20, 100),
    page: isSimple ? wholeNumber('page', 1, Number.MAX_SAFE_INTEGER) : 1,
    wrong,
  };
}

/** `p=a`, `p[]=a` and `p[0]=a` all refer to the same parameter. */
function valuesOf(pairs: readonly Pair[], name: string): readonly string[] {
  return pairs.filter(([given]) => given.replace(/\[\d*\]$/, '') === name).map(([, value]) => value);
}

function lastOf(pairs: readonly Pair[], name: string): string {
  return valuesOf(pairs, name).at(-1) ?? '';
}

function isBoolean(value: string): boolean {
  return ['true', 'false', '1', '0'].includes(value);
}

function sortOf(values: readonly string[]): readonly SortKey[] {
  if (values.length === 0) return [{ attribute: 'published_at', direction: 'desc' }];
  return values.map((value) => {
    const [attribute = '', ...direction] = value.split(':');
    return { attribute, direction: direction.length === 0 ? 'asc' : direction.join(':') };
  });
}

function isSortable(keys: readonly SortKey[], types: readonly ContentTypeRecord[]): boolean {
  const attributes = keys.map((key) => key.attribute);
  if (attributes.length > 8 || new Set(attributes).size < attributes.length) return false;
  return attributes.every(isKnown) && keys.every(({ direction }) => direction === 'asc' || direction === 'desc');

  function isKnown(attribute: string): boolean {
    const [handle, accessor, ...more] = attribute.split('.');
    if (accessor === undefined) return FIXED_ATTRIBUTES.includes(attribute);
    if ((accessor !== 'text' && accessor !== 'number') || more.length > 0) return false;
    return types.some((type) => type.fields.some((field) => field.handle === handle && field.type === accessor));
  }
}

function fieldFiltersOf(pairs: readonly Pair[]): readonly FieldFilter[] {
  const names = pairs.map(([name]) => name.replace(/\[\d*\]$/, '')).filter((name) => name.startsWith('fields['));
  return [...new Set(names)].map((name) => {
    const [accessor = '', handle = '', member = null] = [...name.matchAll(/\[([^\]]*)\]/g)].map(
      (part) => part[1] ?? '',
    );
    return { accessor, handle, member, values: valuesOf(pairs, name) };
  });
}

function isFilterable(filter: FieldFilter, types: readonly ContentTypeRecord[]): boolean {
  const { accessor, handle, member, values } = filter;
  const type = FILTERED_TYPES[accessor];
  if (values.length > 100 || values.includes('')) return false;
  if (!types.some((each) => each.fields.some((field) => field.handle === handle && field.type === type))) return false;
  if (accessor === 'content_links') return member === 'slug' || member === 'id';
  if (member !== null) return false;
  if (accessor === 'number') return values.every((value) => /^-?\d+(\.\d+)?$/.test(value));
  return accessor !== 'is_on' || values.every(isBoolean);
}
