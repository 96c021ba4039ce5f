// The plan for a list, with read models, languages, types and fields resolved to numbers. The shape of the plan determines the SQL.

import type { Catalog } from '../../content/catalog.ts';
import type { ContentType, Field } from '../../content/field.ts';
import type { ListShape } from '../../listing/list-query.ts';
import type { Direction, Sort, SortAttribute, SortableAccessor } from '../../listing/sort.ts';
import type { SlotValues } from '../statement.ts';
import type { View } from '../views.ts';
import { bindFilters, type Gatherer, listGatherers, type PlannedFilters, planFilters } from './planned-filters.ts';

export interface PlannedAttribute {
  readonly kind: 'attribute';
  readonly column: string;
  readonly direction: Direction;
  readonly isNullable: boolean;
}

export interface PlannedField {
  readonly kind: 'field';
  readonly accessor: SortableAccessor;
  readonly direction: Direction;
  readonly isNullable: true;
  readonly fields: readonly { readonly typeNo: number; readonly fieldNo: number }[];
}

export type PlannedSort = PlannedAttribute | PlannedField;

/** A content type, and its field for the leading sort key. */
export interface PlannedType {
  readonly typeNo: number;
  /** The field for the leading key, if the type has it. */
  readonly field: { readonly no: number; readonly marksMissing: boolean } | null;
}

/** The filter whose matches are gathered first, or `all` for the intersection of all filters' matches. */
export type Gathering = Gatherer | 'all';

export interface ListPlan {
  readonly siteNo: number;
  readonly siteLanguages: readonly string[];
  readonly view: View;
  readonly language: string;
  readonly fallback: string | null;
  readonly filters: PlannedFilters;
  readonly fieldNosByType: ReadonlyMap<number, ReadonlySet<number>>;
  /** The filter used to gather the objects, which are then sorted (settle-plan.ts); null if the list is read in its own order. */
  readonly gathersBy: Gathering | null;
  /** Whether the list gathers so many objects that it must run where it cannot block other requests. */
  readonly gathersMany: boolean;
  /** Whether so many of the gathered objects match the other filters that only the objects on the page are checked. */
  readonly keepsMost: boolean;
  /** Whether `settlePlan` must query the database first, either to choose how to read the list or to find linked content. */
  readonly needsSettling: boolean;
  /** The number of objects on a page. */
  readonly limit: number;
  /** The values for all of this list's statements. */
  readonly values: SlotValues;
  readonly sorts: readonly PlannedSort[];
  /** The types to read separately and merge; null if all types can be read together. */
  readonly types: readonly PlannedType[] | null;
}

const SORT_COLUMNS: Readonly<Record<SortAttribute, string>> = {
  published_at: 'published_at',
  created_at: 'created_at',
  updated_at: 'updated_at',
  name: 'name_key',
  slug: 'slug_key',
  uri: 'uri_key',
};

/** Undefined if the list is always empty, regardless of the site's content. */
export function planList(shape: ListShape, catalog: Catalog, view: View): ListPlan | undefined {
  const { filters: asked } = shape;
  const filters = asked === null ? undefined : planFilters(asked, catalog);
  if (asked === null || filters === undefined) return undefined;
  const [lead] = shape.sorts;
  const types = catalog.types.filter((type) => filters.typeNos === null || filters.typeNos.includes(type.no));
  // If a list is filtered by values and not by type, the values alone are selective enough. Reading each type separately would search for
  // the first object of every type, even of types without any objects.
  const hasValues = filters.fields.some(({ kind }) => kind !== 'unmarked-off');
  const readsTypesApart = (hasValues ? asked.typeNos : filters.typeNos) !== null || lead?.kind === 'field';
  const { language, fallback } = shape.languages;
  // Only a few objects can have the same slug.
  const gathersBy = filters.slugs === null ? null : 'slugs';
  const sorts = shape.sorts.map((sort) => planSort(sort, catalog, view));
  const plannedTypes = readsTypesApart ? types.map((type) => planType(type, lead)) : null;
  const isInOrder = filters.fields.length === 0 && isAuthorsOwn({ filters, sorts, types: plannedTypes });
  const mayGather = gathersBy === null && listGatherers(filters).length > 0 && !isInOrder;
  return {
    siteNo: catalog.site.no,
    siteLanguages: catalog.site.languages,
    view,
    language,
    fallback,
    filters,
    fieldNosByType: new Map(types.map((type) => [type.no, new Set(type.fields.map((field) => field.no))])),
    gathersBy,
    gathersMany: false,
    keepsMost: false,
    needsSettling: mayGather || filters.fields.some(({ kind }) => kind === 'link'),
    limit: shape.limit,
    values: { site: catalog.site.no, language, fallback, ...bindFilters(filters) },
    sorts,
    types: plannedTypes,
  };
}

/** More ids would make a statement too long. Nobody lists that many linked objects. */
const MOST_SHARED = 1024;

/**
 * The same list, restricted to the content that a share link gives access to.
 * @param ids starts with the shared content
 */
export function sharePlan(plan: ListPlan, ids: ReadonlySet<string>): ListPlan | undefined {
  const [first] = ids;
  if (first === undefined) return undefined;
  const known = [...ids].slice(0, MOST_SHARED);
  // Lists of ids are padded to a power of two, to keep the number of statements small.
  const size = 2 ** Math.ceil(Math.log2(known.length));
  const filters = { ...plan.filters, ids: Array.from({ length: size }, (_, index) => known[index] ?? first) };
  return { ...plan, filters, gathersBy: 'ids', values: { ...plan.values, ...bindFilters(filters) } };
}

function planSort(sort: Sort, catalog: Catalog, { showsUnpublished }: View): PlannedSort {
  const { direction } = sort;
  if (sort.kind === 'field') {
    const fields = catalog.types.flatMap((type) => {
      const field = findField(type, sort);
      return field === undefined ? [] : [{ typeNo: type.no, fieldNo: field.no }];
    });
    return { kind: 'field', accessor: sort.accessor, direction, isNullable: true, fields };
  }
  const isNullable = sort.attribute === 'published_at' && showsUnpublished;
  return { kind: 'attribute', column: SORT_COLUMNS[sort.attribute], direction, isNullable };
}

function planType(type: ContentType, lead: Sort | undefined): PlannedType {
  const field = lead?.kind === 'field' ? findField(type, lead) : undefined;
  return {
    typeNo: type.no,
    field: field === undefined ? null : { no: field.no, marksMissing: field.marksMissing },
  };
}

function findField(type: ContentType, sort: { handle: string; accessor: SortableAccessor }): Field | undefined {
  return type.fields.find((field) => field.handle === sort.handle && field.type === sort.accessor);
}

/** The same filters, restricted to the content of these types. */
export function narrowFilters(
  { filters, fieldNosByType }: ListPlan,
  typeNos: readonly number[] | null,
): PlannedFilters {
  if (typeNos === null) return filters;
  const known = new Set(typeNos.flatMap((typeNo) => [...(fieldNosByType.get(typeNo) ?? [])]));
  const fields = filters.fields.map((filter) => ({
    ...filter,
    fieldNos: filter.fieldNos.filter((no) => known.has(no)),
  }));
  return { ...filters, typeNos, fields };
}

/** Whether the list's first key is in ascending order. */
export function isAscending({ sorts }: ListPlan): boolean {
  return sorts[0]?.direction === 'asc';
}

/** Whether the list is read in order and each object is checked against a filter. Even a short part of it may then take long to read. */
export function checksObjects(plan: ListPlan): boolean {
  const { filters, gathersBy } = plan;
  return gathersBy === null && (filters.fields.length > 0 || (filters.authorIds !== null && !isAuthorsOwn(plan)));
}

/** Whether the list can use the index on an author's content, which is sorted newest first. */
export function isAuthorsOwn({
  filters,
  sorts: [lead],
  types,
}: Pick<ListPlan, 'filters' | 'sorts' | 'types'>): boolean {
  const isDefaultOrder = lead?.kind === 'attribute' && lead.column === 'published_at' && lead.direction === 'desc';
  return isDefaultOrder && filters.authorIds?.length === 1 && types === null;
}
