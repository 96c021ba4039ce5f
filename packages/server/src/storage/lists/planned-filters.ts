// The filters of a list as the database knows them. A switch and an option are tokens like links; a filter looks only at the fields of
// types that can meet all filters, and the list only at those types.

import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { IS_OFF_TOKEN, IS_ON_TOKEN } from '../../content/typeset.ts';
import type { FieldFilter, LinkFilter, NumberFilter, TextFilter } from '../../listing/field-filter.ts';
import type { ListFilters } from '../../listing/list-query.ts';

export interface TokenFilter {
  readonly kind: 'token';
  readonly fieldNos: readonly number[];
  readonly values: readonly string[];
}

/** Content whose switch is not on, where none is marked as off: no index leads to it. */
export interface UnmarkedOffFilter {
  readonly kind: 'unmarked-off';
  readonly fieldNos: readonly number[];
}

/** Content that links to any of these, if readers can see them. Which ids that are is looked up before the list is read. */
export type PlannedLinkFilter = Omit<LinkFilter, 'match'>;

export type PlannedFilter = TextFilter | NumberFilter | TokenFilter | UnmarkedOffFilter | PlannedLinkFilter;

export interface PlannedFilters {
  /** Null means the content of all types. */
  readonly typeNos: readonly number[] | null;
  readonly authorIds: readonly string[] | null;
  readonly slugs: readonly string[] | null;
  readonly fields: readonly PlannedFilter[];
}

/** Undefined where no content type can meet all of them. */
export function planFilters(asked: ListFilters, catalog: Catalog): PlannedFilters | undefined {
  const { typeNos, authorIds, slugs, fields } = asked;
  if (fields.length === 0) return { typeNos, authorIds, slugs, fields: [] };
  const types = catalog.types.filter(
    (type) => (typeNos === null || typeNos.includes(type.no)) && fields.every((filter) => canMeet(type, filter)),
  );
  if (types.length === 0) return undefined;
  const known = new Set(types.flatMap((type) => type.fields.map((field) => field.no)));
  const narrow = (fieldNos: readonly number[]): readonly number[] => fieldNos.filter((no) => known.has(no));
  return {
    typeNos: types.map((type) => type.no),
    authorIds,
    slugs,
    fields: fields.flatMap((filter) => planFilter({ ...filter, fieldNos: narrow(filter.fieldNos) })),
  };
}

function canMeet(type: ContentType, filter: FieldFilter): boolean {
  if (filter.kind === 'switch') return filter.typeNos.includes(type.no);
  return type.fields.some((field) => filter.fieldNos.includes(field.no));
}

function planFilter(filter: FieldFilter): readonly PlannedFilter[] {
  const { fieldNos } = filter;
  switch (filter.kind) {
    case 'text':
    case 'number':
      return [filter];
    case 'option':
      return [{ kind: 'token', fieldNos, values: filter.values }];
    case 'switch':
      // Either state will do.
      if (fieldNos.length === 0) return [];
      if (filter.isOn) return [{ kind: 'token', fieldNos, values: [IS_ON_TOKEN] }];
      return [
        filter.marksOff ? { kind: 'token', fieldNos, values: [IS_OFF_TOKEN] } : { kind: 'unmarked-off', fieldNos },
      ];
    case 'link': {
      const { by, values, match } = filter;
      const groups = match === 'all' ? values.map((value) => [value]) : [values];
      return groups.map((group) => ({ kind: 'link', fieldNos, by, values: group }));
    }
  }
}
