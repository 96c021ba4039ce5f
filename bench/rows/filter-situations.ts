// Who reads the filtered lists, and how. A public reader uses every kind of filter in every order. A preview, a fallback language and
// pairs of filters are measured with a few kinds and orders, because they differ only in how many tables each list reads.

import { FILTER_KINDS, FILTER_PAIRS, type FilterKind } from '../filter-kinds.ts';
import { TRANSLATED } from '../filtered-content.ts';

export interface Situation {
  /** Appended to the name of each kind of filter. */
  readonly suffix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of every list, with or without a filter. */
  readonly query: string;
  readonly sorts: readonly ListOrder[];
  readonly kinds: readonly FilterKind[];
  /** The kinds whose pages are also requested by number. */
  readonly numberedKinds: readonly FilterKind[];
}

export interface ListOrder {
  readonly name: string;
  readonly query: string;
}

const NEWEST = { name: 'newest first', query: '' } as const;
const BY_NAME = { name: 'by name', query: 'sort=name:asc&' } as const;
const BY_TEXT = { name: 'by a text field', query: 'sort=summary.text:asc&' } as const;
const BY_NUMBER = { name: 'by a number field', query: 'sort=priority.number:desc&' } as const;
const BY_TWO_KEYS = { name: 'by two keys', query: 'sort[0]=priority.number:desc&sort[1]=name:asc&' } as const;

export const FEW_SORTS: readonly ListOrder[] = [NEWEST, BY_NAME, BY_NUMBER];
const FEW_KINDS = FILTER_KINDS.filter(({ name }) => ['author', 'option', 'link by id'].includes(name));

export const SITUATIONS: readonly Situation[] = [
  {
    suffix: '',
    headers: {},
    query: '',
    sorts: [NEWEST, BY_NAME, BY_TEXT, BY_NUMBER, BY_TWO_KEYS],
    kinds: FILTER_KINDS,
    numberedKinds: FEW_KINDS,
  },
  { suffix: '', headers: {}, query: '', sorts: FEW_SORTS, kinds: FILTER_PAIRS, numberedKinds: FILTER_PAIRS },
  {
    suffix: ' in preview',
    headers: { 'x-service-preview': 'true' },
    query: '',
    sorts: FEW_SORTS,
    kinds: FEW_KINDS,
    numberedKinds: FEW_KINDS,
  },
  {
    suffix: ' with fallback',
    headers: { 'x-service-language': TRANSLATED },
    query: 'fallback_default_language=true&',
    sorts: FEW_SORTS,
    kinds: FEW_KINDS,
    numberedKinds: FEW_KINDS,
  },
];
