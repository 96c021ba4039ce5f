// The requests that generate the load. All cases in a group are measured side by side, against the same baseline.

import { identifyArticle } from './content.ts';
import { listCursors } from './list-cursors.ts';
import type { Site } from './open-site.ts';
import { findHeader, recordAnswer } from './recorded-answer.ts';
import type { RowName } from './rows/row-names.ts';

export interface Case {
  readonly site: Site;
  /** The part of the site that the requests read. */
  readonly place: 'any object' | 'first page' | 'last page' | 'any page';
  /**
   * Responses to `first-time` requests are not in the cache, responses to `repeated` requests are, and `unchanged`
   * requests get a 304.
   */
  readonly kind: 'first-time' | 'repeated' | 'unchanged';
  /** Requested one after another, in a loop. In first-time cases, a number is appended to each path. */
  readonly paths: readonly string[];
  /** Sent in addition to the headers that identify the site's reader. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Group {
  readonly row: RowName;
  readonly what: string;
  /** True for groups with many cases that are compared only with each other. Such groups need less time per case. */
  readonly isBrief: boolean;
  readonly cases: readonly Case[];
}

export interface RepeatedGroup extends Group {
  readonly cases: readonly [Case, ...Case[]];
}

export const LIST = '/api/v1/content';
const MOST_IDS = 20_000;
/** The responses for this many objects fit into the cache. Requesting only one object would give unrealistically good results. */
const REPEATED_IDS = 1000;
/** Consecutive requests read objects that are far apart on the site. */
export const STRIDE = 7919;

const SORTS = [
  { row: 'list', what: 'list of 20, newest first', query: '' },
  { row: 'list-by-name', what: 'list of 20, by name', query: 'sort=name:asc&' },
  { row: 'list-by-text', what: 'list of 20, by a text field', query: 'sort=summary.text:asc&' },
  { row: 'list-by-number', what: 'list of 20, by a number field', query: 'sort=priority.number:desc&' },
] as const;

/** @param isWanted whether to measure the row */
export async function buildGroups(
  small: Site,
  large: Site,
  isWanted: (row: RowName) => boolean,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  if (isWanted('repeated') || isWanted('unchanged')) {
    const [objects, lists] = await buildRepeatedGroups(large);
    groups.push(...(isWanted('repeated') ? [objects, lists] : [lists]));
  }
  if (isWanted('object')) {
    const cases = [small, large].map((site) => buildObjectCase(site));
    groups.push({ row: 'object', what: 'object by id', isBrief: false, cases });
  }
  for (const { row, what, query } of SORTS) {
    if (!isWanted(row)) continue;
    const isBrief = row !== 'list';
    const pages = [...(await buildPageCases(small, query)), ...(await buildPageCases(large, query))];
    const cases = pages.filter(({ site, place }) => place !== 'any page' || (!isBrief && site === large));
    groups.push({ row, what, isBrief, cases });
  }
  return groups;
}

export async function buildRepeatedGroups(site: Site): Promise<readonly [RepeatedGroup, RepeatedGroup]> {
  const list = { site, place: 'first page', kind: 'repeated', paths: [LIST] } as const;
  const etag = findHeader(await recordAnswer(site.reader, LIST), 'etag');
  if (etag === undefined) throw new Error('A list without an ETag cannot be revalidated');
  const headers = { 'if-none-match': etag };
  await recordAnswer({ ...site.reader, headers: { ...site.reader.headers, ...headers } }, LIST, 304);
  const ids = listIds(site, REPEATED_IDS);
  const objects = { site, place: 'any object', kind: 'repeated', paths: ids.map((id) => `${LIST}/${id}`) } as const;
  const common = { row: 'repeated', isBrief: false } as const;
  return [
    { ...common, what: 'object by id', cases: [objects] },
    { ...common, what: 'list of 20, newest first', cases: [list, { ...list, kind: 'unchanged', headers }] },
  ];
}

function buildObjectCase(site: Site): Case {
  const paths = listIds(site, MOST_IDS).map((id) => `${LIST}/${id}?n=`);
  return { site, place: 'any object', kind: 'first-time', paths };
}

/** The IDs of at most `most` articles, spread across the site. */
export function listIds({ size }: Site, most: number): readonly string[] {
  return Array.from({ length: Math.min(size, most) }, (_, index) => identifyArticle((index * STRIDE) % size).id);
}

async function buildPageCases(site: Site, query: string): Promise<readonly Case[]> {
  const { inner, last } = await listCursors(site.reader, `${LIST}?${query}`);
  const pathAt = (cursor: string): string => `${LIST}?${query}cursor=${cursor}&n=`;
  const spread = inner.map((_, index) => inner[(index * STRIDE) % inner.length] ?? last);
  const kind = 'first-time';
  return [
    { site, place: 'first page', kind, paths: [`${LIST}?${query}n=`] },
    { site, place: 'last page', kind, paths: [pathAt(last)] },
    { site, place: 'any page', kind, paths: spread.map(pathAt) },
  ];
}
