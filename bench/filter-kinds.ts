// The filters that are measured: every kind with rare, occasional and common values, pairs of kinds, and two deliberately hard cases.

import { buildSlug, findCategory, NUMBERS, RARITIES, type Rarity, TYPES } from './filtered-content.ts';

export interface FilterKind {
  readonly name: string;
  /** The filter's parameter for each rarity that the kind supports. */
  readonly queries: Readonly<Partial<Record<Rarity, string>>>;
}

/** Cases in which no index can limit the number of rows that are read. */
export interface HardCase {
  readonly name: string;
  readonly query: string;
}

/** The index of an object whose slug the filters look up. */
const SOUGHT = 777;

export const FILTER_KINDS: readonly FilterKind[] = [
  { name: 'author', queries: buildQueries((rarity) => `author=u_${rarity}`) },
  { name: 'slug', queries: { rare: `slug=${buildSlug(SOUGHT)}`, none: 'slug=nobody-has-this' } },
  { name: 'content type', queries: buildQueries((rarity) => `content_type=${TYPES[rarity]}`) },
  { name: 'text', queries: buildQueries((rarity) => `fields[text][topic]=${rarity}`) },
  { name: 'number', queries: buildQueries((rarity) => `fields[number][pages]=${NUMBERS[rarity]}`) },
  { name: 'option', queries: buildQueries((rarity) => `fields[selected_option][format]=${rarity}`) },
  {
    name: 'switch on',
    queries: {
      rare: 'fields[is_on][rarely_on]=true',
      occasional: 'fields[is_on][sometimes_on]=true',
      common: 'fields[is_on][half]=true',
      none: 'fields[is_on][never_on]=true',
    },
  },
  {
    name: 'switch off',
    queries: {
      rare: 'fields[is_on][rarely_off]=false',
      occasional: 'fields[is_on][sometimes_off]=false',
      common: 'fields[is_on][half]=false',
      none: 'fields[is_on][never_off]=false',
    },
  },
  {
    name: 'link by id',
    queries: buildQueries((rarity) => `fields[content_links][category][id]=${findCategory(rarity).id}`),
  },
  { name: 'link by slug', queries: buildQueries((rarity) => `fields[content_links][category][slug]=${rarity}`) },
];

/** Two filters at once: a common value of the first kind, and any value of the second. */
export const FILTER_PAIRS: readonly FilterKind[] = [
  pairFilters('content type', 'author'),
  pairFilters('author', 'link by id'),
  pairFilters('link by id', 'option'),
];

export const HARD_CASES: readonly HardCase[] = [
  {
    name: 'all objects at the far end of the order',
    query: 'fields[text][mark]=lowest&sort=priority.number:desc',
  },
  {
    name: 'two common filters that match no object in common',
    query: 'fields[text][mark]=apart&fields[is_on][half]=true&sort=name:asc',
  },
];

function buildQueries(build: (rarity: Rarity) => string): FilterKind['queries'] {
  return Object.fromEntries(RARITIES.map((rarity) => [rarity, build(rarity)]));
}

function pairFilters(first: string, second: string): FilterKind {
  const [common, any] = [first, second].map((name) => FILTER_KINDS.find((kind) => kind.name === name)?.queries);
  return { name: `${first} and ${second}`, queries: buildQueries((rarity) => `${common?.common}&${any?.[rarity]}`) };
}
