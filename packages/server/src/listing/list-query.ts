// Parses a list request completely: the result has all defaults set and all names resolved.

import type { Catalog } from '../content/catalog.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { type Cursor, type CursorRealm, decodeCursor } from './cursor.ts';
import { type FieldFilter, type Match, parseBoolean, parseFieldFilters } from './field-filter.ts';
import {
  LIST_PARAMETERS,
  listValues,
  OBJECT_PARAMETERS,
  parseFilterValues,
  parsePairs,
  parseQueryParameters,
  parseSingleValue,
  type QueryParameters,
  quote,
  selectPairs,
} from './query-parameters.ts';
import { parseSorts, type Sort } from './sort.ts';

export interface LanguageChoice {
  readonly language: string;
  /** The language for content that does not exist in the requested one. */
  readonly fallback: string | null;
}

export interface ListFilters {
  /** Internal numbers of content types; null means all types. */
  readonly typeNos: readonly number[] | null;
  readonly authorIds: readonly string[] | null;
  readonly slugs: readonly string[] | null;
  readonly fields: readonly FieldFilter[];
}

export type Paging =
  | { readonly mode: 'cursor'; readonly cursor: Cursor | null }
  | { readonly mode: 'simple'; readonly page: number };

/** The part of a list request that does not depend on the requested page. All requests for the same list share one object. */
export interface ListShape {
  readonly languages: LanguageChoice;
  /** Null if no object can match, for example if two different slugs are required. */
  readonly filters: ListFilters | null;
  readonly hasSlugFilter: boolean;
  readonly sorts: readonly Sort[];
  readonly limit: number;
}

export interface ListQuery {
  readonly shape: ListShape;
  readonly paging: Paging;
}

export interface ListRequest {
  /** The query string as sent, without the question mark. */
  readonly queryString: string;
  readonly isSimple: boolean;
  /** The value of the language header, if there is one. */
  readonly language: string | undefined;
  /** How several values of one parameter are combined by default. */
  readonly defaultMatch: Match;
  /** The site and audience that cursors must belong to. */
  readonly realm: CursorRealm;
}

export const INVALID_CURSOR = 'The cursor is invalid.';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Lists that were already parsed, for one version of the catalog. Front ends request the same few lists again and again. */
export interface ShapeMemo {
  get(name: string): ListShape | undefined;
  set(name: string, shape: ListShape): unknown;
}

export function parseListQuery(request: ListRequest, catalog: Catalog, memo: ShapeMemo): Result<ListQuery, string> {
  const pairs = selectPairs(request.queryString, LIST_PARAMETERS);
  if (!pairs.ok) return pairs;
  const shape = findShape(request, pairs.value.lasting, catalog, memo);
  if (!shape.ok) return shape;
  const parameters = parsePairs(pairs.value.paging);
  if (!parameters.ok) return parameters;
  const paging = parsePaging(request, parameters.value, shape.value.sorts);
  return paging.ok ? ok(Object.freeze({ shape: shape.value, paging: paging.value })) : paging;
}

const LONGEST_NAME_KEPT = 500;

function findShape(request: ListRequest, text: string, catalog: Catalog, memo: ShapeMemo): Result<ListShape, string> {
  const name = `${request.defaultMatch} ${request.language ?? ''} ${text}`;
  const known = memo.get(name);
  if (known !== undefined) return ok(known);
  const shape = parseShape(request, text, catalog);
  if (shape.ok && name.length <= LONGEST_NAME_KEPT) memo.set(name, shape.value);
  return shape;
}

function parseShape(request: ListRequest, text: string, catalog: Catalog): Result<ListShape, string> {
  const parameters = parsePairs(text);
  if (!parameters.ok) return parameters;
  const languages = parseLanguages(request.language, parameters.value, catalog);
  if (!languages.ok) return languages;
  const match = parseMatch(parameters.value, request.defaultMatch);
  if (!match.ok) return match;
  const filters = parseFilters(parameters.value, match.value, catalog);
  if (!filters.ok) return filters;
  const sorts = parseSortParameter(parameters.value, catalog);
  if (!sorts.ok) return sorts;
  const limit = parseInteger('limit', parameters.value, DEFAULT_LIMIT, MAX_LIMIT);
  if (!limit.ok) return limit;
  return ok(
    Object.freeze({
      languages: languages.value,
      filters: filters.value,
      hasSlugFilter: parameters.value.has('slug'),
      sorts: sorts.value,
      limit: limit.value,
    }),
  );
}

export interface ObjectRequest {
  readonly queryString: string;
  readonly language: string | undefined;
}

/** Parses the language requested in a fetch by id; null means the record that the id itself refers to. */
export function parseObjectQuery(request: ObjectRequest, catalog: Catalog): Result<LanguageChoice | null, string> {
  // Most requests have no such parameter, and a quick check is cheaper than parsing.
  if (request.language === undefined && !/[%f]/.test(request.queryString)) return ok(null);
  const parameters = parseQueryParameters(request.queryString, OBJECT_PARAMETERS);
  if (!parameters.ok) return parameters;
  const languages = parseLanguages(request.language, parameters.value, catalog);
  if (!languages.ok) return languages;
  return ok(request.language === undefined ? null : languages.value);
}

function parseLanguages(
  header: string | undefined,
  parameters: QueryParameters,
  { site }: Catalog,
): Result<LanguageChoice, string> {
  const wantsFallback = parseBooleanParameter('fallback_default_language', parameters);
  if (!wantsFallback.ok) return wantsFallback;
  const language = header ?? site.defaultLanguage;
  if (!site.languages.includes(language)) {
    return fail(`The site does not have the language ${quote(language)}; it has ${site.languages.join(', ')}.`);
  }
  const hasFallback = wantsFallback.value && language !== site.defaultLanguage;
  return ok({ language, fallback: hasFallback ? site.defaultLanguage : null });
}

function parseBooleanParameter(name: string, parameters: QueryParameters): Result<boolean, string> {
  const text = parseSingleValue(name, parameters.get(name));
  if (!text.ok) return text;
  if (text.value === undefined) return ok(false);
  const value = parseBoolean(text.value);
  if (value === undefined) {
    return fail(`The ${name} parameter is ${quote(text.value)}; true, false, 1 and 0 are allowed.`);
  }
  return ok(value);
}

function parseMatch(parameters: QueryParameters, defaultMatch: Match): Result<Match, string> {
  const text = parseSingleValue('match', parameters.get('match'));
  if (!text.ok) return text;
  if (text.value === undefined) return ok(defaultMatch);
  if (text.value === 'all' || text.value === 'any') return ok(text.value);
  return fail(`The match parameter is ${quote(text.value)}; all and any are allowed.`);
}

function parseFilters(parameters: QueryParameters, match: Match, catalog: Catalog): Result<ListFilters | null, string> {
  const handles = parseFilter('content_type', parameters, match);
  if (!handles.ok) return handles;
  const typeIds = parseFilter('content_type_id', parameters, match);
  if (!typeIds.ok) return typeIds;
  const authorIds = parseFilter('author', parameters, match);
  if (!authorIds.ok) return authorIds;
  const slugs = parseFilter('slug', parameters, match);
  if (!slugs.ok) return slugs;
  const tree = parameters.get('fields');
  const fields = tree === undefined ? ok([]) : parseFieldFilters(tree, match, catalog);
  if (!fields.ok) return fields;
  const typeNos = resolveTypes(handles.value, typeIds.value, catalog);
  const isImpossible = authorIds.value === 'none' || slugs.value === 'none' || fields.value === 'none';
  if (isImpossible || typeNos?.length === 0) return ok(null);
  return ok({
    typeNos,
    authorIds: authorIds.value,
    slugs: slugs.value,
    fields: fields.value,
  } as const satisfies ListFilters);
}

/** The values of a filter; null if it is absent, `none` if no object can match all of its values. */
function parseFilter(
  name: string,
  parameters: QueryParameters,
  match: Match,
): Result<readonly string[] | 'none' | null, string> {
  const tree = parameters.get(name);
  if (tree === undefined) return ok(null);
  const values = parseFilterValues(name, tree);
  if (!values.ok) return values;
  const wanted = [...new Set(values.value)];
  return ok(wanted.length > 1 && match === 'all' ? 'none' : wanted);
}

function resolveTypes(
  handles: readonly string[] | 'none' | null,
  ids: readonly string[] | 'none' | null,
  catalog: Catalog,
): readonly number[] | null {
  if (handles === 'none' || ids === 'none') return [];
  if (handles === null && ids === null) return null;
  return catalog.types
    .filter((type) => handles === null || handles.includes(type.handle))
    .filter((type) => ids === null || ids.includes(type.id))
    .map((type) => type.no);
}

function parseSortParameter(parameters: QueryParameters, catalog: Catalog): Result<readonly Sort[], string> {
  const tree = parameters.get('sort');
  const values = tree === undefined ? [] : listValues(tree);
  if (values === undefined) return fail('The sort parameter takes one value or a list of values.');
  return parseSorts(values, catalog);
}

/** Parses an integer of 1 or more. Returns the default if the parameter is absent or empty. */
export function parseInteger(
  name: string,
  parameters: QueryParameters,
  byDefault: number,
  most: number,
): Result<number, string> {
  const text = parseSingleValue(name, parameters.get(name));
  if (!text.ok) return text;
  if (text.value === undefined || text.value === '') return ok(byDefault);
  const value = /^\d{1,16}$/.test(text.value) ? Number(text.value) : 0;
  if (value >= 1 && value <= most) return ok(value);
  const allowed = most === Number.MAX_SAFE_INTEGER ? 'an integer of 1 or more' : `an integer from 1 to ${most}`;
  return fail(`The ${name} parameter is ${quote(text.value)}; ${allowed} is allowed.`);
}

function parsePaging(
  { isSimple, realm }: ListRequest,
  parameters: QueryParameters,
  sorts: readonly Sort[],
): Result<Paging, string> {
  if (isSimple) {
    const page = parseInteger('page', parameters, 1, Number.MAX_SAFE_INTEGER);
    return page.ok ? ok({ mode: 'simple', page: page.value }) : page;
  }
  const text = parseSingleValue('cursor', parameters.get('cursor'));
  if (!text.ok) return text;
  if (text.value === undefined || text.value === '') return ok({ mode: 'cursor', cursor: null });
  const cursor = decodeCursor(text.value, sorts, realm);
  return cursor.ok ? ok({ mode: 'cursor', cursor: cursor.value }) : fail(INVALID_CURSOR);
}
