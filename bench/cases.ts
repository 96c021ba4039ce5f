// What is asked of the service, as groups whose cases are measured side by side against one yardstick.

import { identifyArticle } from './content.ts';
import type { Site } from './open-site.ts';
import { findHeader, type Reader, recordAnswer } from './recorded-answer.ts';

export interface Case {
  readonly site: Site;
  /** Where in the site the requests go. */
  readonly place: 'any object' | 'first page' | 'last page' | 'any page';
  /** Asked in turn, each with a number behind it. */
  readonly paths: readonly string[];
}

export interface Group {
  readonly what: string;
  /** The least part of the yardstick's requests a second. */
  readonly bar: number;
  readonly cases: readonly Case[];
}

const LIST = '/api/v1/content';
const PAGE = 20;
const LONGEST_PAGE = 100;
const MOST_IDS = 20_000;
/** Neighbours in the order of asking are far from each other in the site. */
const STRIDE = 7919;

const SORTS = [
  { what: 'list of 20, newest first', query: '' },
  { what: 'list of 20, by name', query: 'sort=name:asc&' },
  { what: 'list of 20, by a text field', query: 'sort=summary.text:asc&' },
  { what: 'list of 20, by a number field', query: 'sort=priority.number:desc&' },
] as const;

export async function buildGroups(small: Site, large: Site): Promise<readonly Group[]> {
  const groups: Group[] = [
    { what: 'object by id', bar: 0.6, cases: [small, large].map((site) => buildObjectCase(site)) },
  ];
  for (const { what, query } of SORTS) {
    const cases = [...(await buildPageCases(small, query)).slice(0, 2), ...(await buildPageCases(large, query))];
    groups.push({ what, bar: 0.25, cases });
  }
  return groups;
}

function buildObjectCase(site: Site): Case {
  const count = Math.min(site.size, MOST_IDS);
  const ids = Array.from({ length: count }, (_, index) => identifyArticle((index * STRIDE) % site.size).id);
  return { site, place: 'any object', paths: ids.map((id) => `${LIST}/${id}?n=`) };
}

async function buildPageCases(site: Site, query: string): Promise<readonly Case[]> {
  const cursors = await walkList(site.reader, query);
  const pathAt = (cursor: string): string => `${LIST}?${query}cursor=${cursor}&n=`;
  const [last] = cursors.slice(-1);
  if (last === undefined) throw new Error('A list with a single page has no last one to compare');
  // A full page; what is left over would be less work than a first page.
  const inner = cursors.slice(0, -LONGEST_PAGE / PAGE);
  const spread = inner.map((_, index) => inner[(index * STRIDE) % inner.length] ?? last);
  return [
    { site, place: 'first page', paths: [`${LIST}?${query}n=`] },
    { site, place: 'last page', paths: [pathAt(last)] },
    { site, place: 'any page', paths: spread.map(pathAt) },
  ];
}

/** Cursors all over the list, in its order; the last one leads to the last page. */
async function walkList(reader: Reader, query: string): Promise<readonly string[]> {
  const far = await follow(reader, query, LONGEST_PAGE, undefined);
  const near = await follow(reader, query, PAGE, far.at(-1));
  return [...far, ...near];
}

async function follow(
  reader: Reader,
  query: string,
  limit: number,
  start: string | undefined,
): Promise<readonly string[]> {
  const cursors: string[] = [];
  for (let cursor = start; ; ) {
    const position = cursor === undefined ? '' : `&cursor=${cursor}`;
    const answer = await recordAnswer(reader, `${LIST}?${query}limit=${limit}${position}`);
    cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(findHeader(answer, 'link') ?? '')?.[1];
    if (cursor === undefined) return cursors;
    cursors.push(cursor);
  }
}
