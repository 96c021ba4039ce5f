// A list's filters, prepared for the database. Switches, options and links are all stored as tokens. A filter uses only the fields of
// types that can match all filters, and the list contains only those types.

import { buildTextDigest } from '../../content/body.ts';
import type { Catalog } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { buildTextKey } from '../../content/text-key.ts';
import { IS_OFF_TOKEN, IS_ON_TOKEN } from '../../content/typeset.ts';
import type { FieldFilter, LinkFilter, NumberFilter, TextFilter } from '../../listing/field-filter.ts';
import type { ListFilters } from '../../listing/list-query.ts';
import type { SqlValue } from '../statement.ts';

export interface TokenFilter {
  readonly kind: 'token';
  readonly fieldNos: readonly number[];
  readonly values: readonly string[];
}

/** Matches content whose switch is off, for fields that store no token for that state. No index lists such content. */
export interface UnmarkedOffFilter {
  readonly kind: 'unmarked-off';
  readonly fieldNos: readonly number[];
}

/** Matches links to any of the given content objects that readers can see. The linked ids are looked up before the list is read. */
export type PlannedLinkFilter = Omit<LinkFilter, 'match'>;

export type PlannedFilter = TextFilter | NumberFilter | TokenFilter | UnmarkedOffFilter | PlannedLinkFilter;

/**
 * A filter whose matches can be read from an index: the ids that a share link gives access to, the slug filter, the author filter, or the
 * field filter at this position.
 */
export type Gatherer = 'ids' | 'slugs' | 'authors' | number;

export interface PlannedFilters {
  /** Null means the content of all types. */
  readonly typeNos: readonly number[] | null;
  readonly authorIds: readonly string[] | null;
  readonly slugs: readonly string[] | null;
  readonly fields: readonly PlannedFilter[];
  /** Only set for a share link. Its lists are always gathered by these ids. */
  readonly ids?: readonly string[];
}

/** Undefined if no content type can match all filters. */
export function planFilters(asked: ListFilters, catalog: Catalog): PlannedFilters | undefined {
  const { typeNos, authorIds, slugs, fields } = asked;
  if (fields.length === 0) return { typeNos, authorIds, slugs, fields: [] };
  const types = catalog.types.filter(
    (type) =>
      type.objectType !== 'block' &&
      (typeNos === null || typeNos.includes(type.no)) &&
      fields.every((filter) => canMeet(type, filter)),
  );
  if (types.length === 0) return undefined;
  const known = new Map(types.flatMap((type) => type.fields.map((field) => [field.no, field] as const)));
  return {
    typeNos: types.map((type) => type.no),
    authorIds,
    slugs,
    fields: fields.flatMap((filter) =>
      planFilter(
        filter,
        filter.fieldNos.flatMap((no) => known.get(no) ?? []),
      ),
    ),
  };
}

function canMeet(type: ContentType, filter: FieldFilter): boolean {
  if (filter.kind === 'switch') return filter.typeNos.includes(type.no);
  return type.fields.some((field) => filter.fieldNos.includes(field.no));
}

function planFilter(filter: FieldFilter, fields: readonly Field[]): readonly PlannedFilter[] {
  const fieldNos = fields.map((field) => field.no);
  switch (filter.kind) {
    case 'text':
    case 'number':
      return [{ ...filter, fieldNos }];
    case 'option':
      return [{ kind: 'token', fieldNos, values: filter.values }];
    case 'switch': {
      // If no type has the field, the filter matches everything.
      if (fieldNos.length === 0) return [];
      if (filter.isOn) return [{ kind: 'token', fieldNos, values: [IS_ON_TOKEN] }];
      const isMarked = fields.every((field) => field.marksMissing);
      return [isMarked ? { kind: 'token', fieldNos, values: [IS_OFF_TOKEN] } : { kind: 'unmarked-off', fieldNos }];
    }
    case 'link': {
      const { by, values, match } = filter;
      const groups = match === 'all' ? values.map((value) => [value]) : [values];
      return groups.map((group) => ({ kind: 'link', fieldNos, by, values: group }));
    }
  }
}

/** The values of the filters, keyed by the slot names in the conditions. Requests of the same shape differ only in these values. */
export function bindFilters(filters: PlannedFilters): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  const bind = (name: string, list: readonly SqlValue[]): void => {
    for (const [index, value] of list.entries()) values[`${name}${index}`] = value;
  };
  bind('shared', filters.ids ?? []);
  bind('slug', filters.slugs ?? []);
  bind('author', filters.authorIds ?? []);
  for (const [index, filter] of filters.fields.entries()) {
    if (filter.kind === 'unmarked-off') continue;
    if (filter.kind !== 'text') {
      bind(`field${index}_`, filter.values);
      continue;
    }
    bind(`field${index}_key`, filter.values.map(buildTextKey));
    bind(`field${index}_digest`, filter.values.map(buildTextDigest));
  }
  return values;
}

/** The filters that can be used to gather objects. */
export function listGatherers({ slugs, authorIds, fields }: PlannedFilters): readonly Gatherer[] {
  return [
    ...(slugs === null ? [] : (['slugs'] as const)),
    ...(authorIds === null ? [] : (['authors'] as const)),
    ...fields.flatMap((filter, index) => (filter.kind === 'unmarked-off' ? [] : [index])),
  ];
}

/** Everything that determines the SQL of the filters. It is used to name the statement. */
export function describeFilters({ typeNos, slugs, authorIds, fields, ids }: PlannedFilters): readonly unknown[] {
  return [
    typeNos,
    slugs?.length,
    authorIds?.length,
    ids?.length,
    fields.map((filter) => [filter.kind, filter.fieldNos, 'values' in filter ? filter.values.length : 0]),
  ];
}
