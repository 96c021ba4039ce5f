// Parses the query string of a list into its parameters and their values, in any of the array syntaxes. Unknown parameters are dropped
// without being parsed.

import qs from 'qs';
import { fail, ok, type Result } from '../content/result.ts';

/** The maximum number of known parameters in one request. */
const MAX_PARAMETERS = 1000;
const MAX_VALUES = 100;

export const LIST_PARAMETERS: ReadonlySet<string> = new Set([
  'author',
  'content_type',
  'content_type_id',
  'cursor',
  'fallback_default_language',
  'fields',
  'limit',
  'match',
  'page',
  'slug',
  'sort',
]);

/** A fetch by id has no filters and no pages. */
export const OBJECT_PARAMETERS: ReadonlySet<string> = new Set(['fallback_default_language']);

export type ParameterTree = string | readonly ParameterTree[] | { readonly [name: string]: ParameterTree };

export type QueryParameters = ReadonlyMap<string, ParameterTree>;

const NO_PARAMETERS: QueryParameters = new Map();

/** The known parameters of a query string, still encoded. Those that select a page are separate from the rest. */
export interface KnownPairs {
  readonly lasting: string;
  readonly paging: string;
}

const PAGING_PARAMETERS: ReadonlySet<string> = new Set(['cursor', 'page']);

/** The text after the question mark, as sent. Fastify's `request.query` is always empty here. */
export function readRawQuery(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end);
}

/** @param known the parameters that the endpoint reads */
export function parseQueryParameters(text: string, known: ReadonlySet<string>): Result<QueryParameters, string> {
  const pairs = selectPairs(text, known);
  if (!pairs.ok) return pairs;
  const { lasting, paging } = pairs.value;
  return parsePairs(lasting === '' || paging === '' ? `${lasting}${paging}` : `${lasting}&${paging}`);
}

/** @param known the parameters that the endpoint reads */
export function selectPairs(text: string, known: ReadonlySet<string>): Result<KnownPairs, string> {
  let lasting = '';
  let paging = '';
  let count = 0;
  for (const pair of text === '' ? [] : text.split('&')) {
    const end = endOfName(pair);
    const root = findRoot(pair.slice(0, end));
    if (!known.has(root)) continue;
    const name = decodeText(pair.slice(0, end));
    const value = decodeText(pair.slice(end + 1));
    if (name === undefined || value === undefined) {
      return fail(`The ${root} parameter is not valid percent-encoded UTF-8.`);
    }
    if (name.includes('\0') || value.includes('\0')) return fail(`The ${root} parameter contains a NUL character.`);
    if (name.includes('__proto__')) return fail(`The ${root} parameter does not support ${quote(name)}.`);
    count += 1;
    // For qs, a name ends at the first `]=`, but our names end at the first `=`. So every `=` in the value is escaped.
    const kept = `${pair.slice(0, end)}=${pair.slice(end + 1).replaceAll('=', '%3D')}`;
    if (PAGING_PARAMETERS.has(root)) paging = paging === '' ? kept : `${paging}&${kept}`;
    else lasting = lasting === '' ? kept : `${lasting}&${kept}`;
  }
  if (count > MAX_PARAMETERS) {
    return fail(`The query has ${count} parameters; at most ${MAX_PARAMETERS} are allowed.`);
  }
  return ok({ lasting, paging });
}

/** Whether every parameter in the query string is known. */
export function hasOnly(text: string, known: ReadonlySet<string>): boolean {
  return text === '' || text.split('&').every((pair) => known.has(findRoot(pair.slice(0, endOfName(pair)))));
}

/** The text before the first bracket. It determines whether a parameter is known. */
function findRoot(name: string): string {
  if (!/[[%+]/.test(name)) return name;
  return decodeText(name.split(/\[|%5b/i, 1)[0] ?? '') ?? '';
}

function endOfName(pair: string): number {
  const end = pair.indexOf('=');
  return end === -1 ? pair.length : end;
}

function decodeText(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** A simple query, such as a cursor alone, needs no parser. */
const PLAIN_PAIR = /^(\w+)=([\w.:-]*)$/;

/** @param text the selected pairs */
export function parsePairs(text: string): Result<QueryParameters, string> {
  if (text === '') return ok(NO_PARAMETERS);
  const [, plainName, plainValue] = PLAIN_PAIR.exec(text) ?? [];
  if (plainName !== undefined && plainValue !== undefined) return ok(new Map([[plainName, plainValue]]));
  try {
    const tree = qs.parse(text, {
      plainObjects: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: MAX_PARAMETERS,
      depth: 5,
      strictDepth: true,
    });
    return ok(new Map(Object.entries(tree).map(([name, value]) => [name, asTree(value)])));
  } catch (error) {
    if (error instanceof RangeError) return fail('The query nests brackets too deeply; at most 5 levels are allowed.');
    throw error;
  }
}

/** The output of qs: strings, and lists and objects of strings. Gaps in a list are ignored. */
function asTree(value: unknown): ParameterTree {
  return value as ParameterTree;
}

/** The values of a parameter; undefined if it has a name in brackets that is not supported. */
export function listValues(tree: ParameterTree): readonly string[] | undefined {
  if (typeof tree === 'string') return [tree];
  const entries = isList(tree) ? tree : listOfNumberedEntries(tree);
  if (entries === undefined) return undefined;
  const values: string[] = [];
  for (const entry of entries) {
    if (typeof entry === 'string') values.push(entry);
    // Two values for one index, `p[0]=a&p[0]=b`, become a list inside the list.
    else if (isList(entry) && entry.every((inner) => typeof inner === 'string')) values.push(...entry);
    else return undefined;
  }
  return values;
}

/** If an index exceeds its limit, qs turns the list into an object with numeric keys. */
function listOfNumberedEntries(tree: { readonly [name: string]: ParameterTree }): readonly ParameterTree[] | undefined {
  const names = Object.keys(tree);
  return names.every((name) => /^\d+$/.test(name)) ? Object.values(tree) : undefined;
}

export function isList(tree: ParameterTree): tree is readonly ParameterTree[] {
  return Array.isArray(tree);
}

/** The values of a filter: at least one, none empty, and no more than the limit. */
export function parseFilterValues(name: string, tree: ParameterTree): Result<readonly string[], string> {
  const values = listValues(tree);
  if (values === undefined) return fail(`The ${name} parameter takes one value or a list of values.`);
  if (values.includes('')) return fail(`The ${name} parameter is empty; give it a value or leave it out.`);
  if (values.length > MAX_VALUES) {
    return fail(`The ${name} parameter has ${values.length} values; at most ${MAX_VALUES} are allowed.`);
  }
  return ok(values);
}

/** The value of a parameter that does not accept a list; undefined if it is absent. */
export function parseSingleValue(name: string, tree: ParameterTree | undefined): Result<string | undefined, string> {
  if (tree === undefined) return ok(undefined);
  const values = listValues(tree);
  if (values === undefined || values.length !== 1) return fail(`The ${name} parameter takes exactly one value.`);
  return ok(values[0]);
}

/** Quotes a given value for an error message. */
export function quote(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
  return JSON.stringify(shown);
}
