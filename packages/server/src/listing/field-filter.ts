// Filters on custom fields: `fields[accessor][handle]=value`, and `fields[content_links][handle][slug|id]=value`.
// Several content types can have a field with the same handle. A filter uses only the fields whose type matches its accessor.

import type { Catalog } from '../content/catalog.ts';
import type { Field, FieldType } from '../content/field.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { isList, type ParameterTree, parseFilterValues, quote } from './query-parameters.ts';

export type Match = 'all' | 'any';

interface FilterBase {
  /** The internal numbers of the fields that the filter uses. */
  readonly fieldNos: readonly number[];
}

export interface TextFilter extends FilterBase {
  readonly kind: 'text';
  readonly values: readonly string[];
}

export interface NumberFilter extends FilterBase {
  readonly kind: 'number';
  readonly values: readonly number[];
}

export interface OptionFilter extends FilterBase {
  readonly kind: 'option';
  readonly values: readonly string[];
}

export interface SwitchFilter extends FilterBase {
  readonly kind: 'switch';
  readonly isOn: boolean;
  /** The content types that have the switch. Only their content can match. */
  readonly typeNos: readonly number[];
}

export interface LinkFilter extends FilterBase {
  readonly kind: 'link';
  readonly by: 'id' | 'slug';
  readonly values: readonly string[];
  readonly match: Match;
}

export type FieldFilter = TextFilter | NumberFilter | OptionFilter | SwitchFilter | LinkFilter;

/** Filters that must all match, or `none` if no object can match. */
export type FieldFilters = readonly FieldFilter[] | 'none';

const FILTERED_TYPES: ReadonlyMap<string, FieldType> = new Map([
  ['text', 'text'],
  ['number', 'number'],
  ['is_on', 'boolean'],
  ['selected_option', 'option'],
  ['content_links', 'content_links'],
]);

/** Whether requests can filter by fields of this type. Every type that allows sorting also allows filtering. */
export function canBeNamed(type: FieldType): boolean {
  return [...FILTERED_TYPES.values()].includes(type);
}

const SHAPE = 'fields[text|number|is_on|selected_option][<handle>] or fields[content_links][<handle>][slug|id]';

export function parseFieldFilters(tree: ParameterTree, match: Match, catalog: Catalog): Result<FieldFilters, string> {
  const accessors = entriesOf(tree);
  if (accessors === undefined) return fail(`The fields parameter must have the form ${SHAPE}.`);
  const filters: FieldFilter[] = [];
  let canMatch = true;
  for (const [accessor, handles] of accessors) {
    const type = FILTERED_TYPES.get(accessor);
    const entries = entriesOf(handles);
    if (type === undefined || entries === undefined) {
      return fail(`The fields parameter does not support ${quote(accessor)}; it must have the form ${SHAPE}.`);
    }
    for (const [handle, values] of entries) {
      const fields = findFields(handle, type, catalog);
      if (fields.length === 0) {
        return fail(
          `The fields parameter names ${quote(handle)}; no content type of the site has a field of type ${type} with this handle.`,
        );
      }
      const parsed = parseFieldFilter(`fields[${accessor}][${handle}]`, type, fields, values, match, catalog);
      if (!parsed.ok) return parsed;
      if (parsed.value === 'none') canMatch = false;
      else filters.push(...parsed.value);
    }
  }
  return ok(canMatch ? filters : 'none');
}

function entriesOf(tree: ParameterTree): readonly (readonly [string, ParameterTree])[] | undefined {
  return typeof tree === 'string' || isList(tree) ? undefined : Object.entries(tree);
}

function findFields(handle: string, type: FieldType, catalog: Catalog): readonly Field[] {
  return catalog.types.flatMap((owner) =>
    owner.fields.filter((field) => field.handle === handle && field.type === type),
  );
}

function parseFieldFilter(
  name: string,
  type: FieldType,
  fields: readonly Field[],
  tree: ParameterTree,
  match: Match,
  catalog: Catalog,
): Result<FieldFilters, string> {
  const fieldNos = fields.map((field) => field.no);
  if (type === 'content_links') return parseLinkFilters(name, fieldNos, tree, match);
  const values = parseFilterValues(name, tree);
  if (!values.ok) return values;
  const wanted = [...new Set(values.value)];
  if (type === 'number') return parseNumberFilter(name, fieldNos, wanted, match);
  if (type === 'boolean') return parseSwitchFilter(name, fieldNos, wanted, match, catalog);
  if (wanted.length > 1 && match === 'all') return ok('none');
  return ok([{ kind: type === 'option' ? 'option' : 'text', fieldNos, values: wanted }]);
}

function parseLinkFilters(
  name: string,
  fieldNos: readonly number[],
  tree: ParameterTree,
  match: Match,
): Result<FieldFilters, string> {
  const filters: LinkFilter[] = [];
  const entries = entriesOf(tree);
  if (entries === undefined) return fail(`The ${name} parameter must have the form ${name}[slug] or ${name}[id].`);
  for (const [by, values] of entries) {
    if (by !== 'slug' && by !== 'id')
      return fail(`The ${name} parameter does not support ${quote(by)}; slug and id are allowed.`);
    const parsed = parseFilterValues(`${name}[${by}]`, values);
    if (!parsed.ok) return parsed;
    filters.push({ kind: 'link', fieldNos, by, values: [...new Set(parsed.value)], match });
  }
  return ok(filters);
}

const NUMBER_PATTERN = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function parseNumberFilter(
  name: string,
  fieldNos: readonly number[],
  texts: readonly string[],
  match: Match,
): Result<FieldFilters, string> {
  const wrong = texts.find((text) => !NUMBER_PATTERN.test(text) || !Number.isFinite(Number(text)));
  if (wrong !== undefined) return fail(`The ${name} parameter is ${quote(wrong)}; a number is allowed.`);
  const values = [...new Set(texts.map(Number))];
  if (values.length > 1 && match === 'all') return ok('none');
  return ok([{ kind: 'number', fieldNos, values }]);
}

function parseSwitchFilter(
  name: string,
  fieldNos: readonly number[],
  texts: readonly string[],
  match: Match,
  catalog: Catalog,
): Result<FieldFilters, string> {
  const states = new Set<boolean>();
  for (const text of texts) {
    const state = parseBoolean(text);
    if (state === undefined) return fail(`The ${name} parameter is ${quote(text)}; true, false, 1 and 0 are allowed.`);
    states.add(state);
  }
  if (states.size > 1 && match === 'all') return ok('none');
  const typeNos = catalog.types
    .filter((type) => type.fields.some((field) => fieldNos.includes(field.no)))
    .map((type) => type.no);
  // Both states match, so all content that has the switch matches.
  if (states.size > 1) return ok([{ kind: 'switch', fieldNos: [], isOn: false, typeNos }]);
  return ok([{ kind: 'switch', fieldNos, isOn: states.has(true), typeNos }]);
}

export function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return undefined;
}
