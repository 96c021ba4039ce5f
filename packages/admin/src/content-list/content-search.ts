// The search, filters and sort order of the content list. They are all in the URL, so people can bookmark and share a list.

import { readSearchText } from '../lists/read-search-text.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';

export type ListStatus = keyof typeof CONTENT_TEXTS.states;
export type ListSort = keyof typeof CONTENT_TEXTS.sorts;

export interface ContentSearch {
  readonly search?: string | undefined;
  readonly content_type?: string | undefined;
  readonly status?: ListStatus | undefined;
  readonly author?: string | undefined;
  readonly language?: string | undefined;
  readonly sort?: ListSort | undefined;
}

export const DEFAULT_SORT: ListSort = 'updated_at:desc';

/** Ignores invalid values, so a URL typed by hand still shows a list. */
export function parseContentSearch(raw: Readonly<Record<string, unknown>>): ContentSearch {
  const sort = isSort(raw.sort) && raw.sort !== DEFAULT_SORT ? raw.sort : undefined;
  return {
    search: readSearchText(raw.search),
    content_type: readSearchText(raw.content_type),
    status: isStatus(raw.status) ? raw.status : undefined,
    author: readSearchText(raw.author),
    language: readSearchText(raw.language),
    sort,
  };
}

/** The number of active filters, not counting the search or the sort order. */
export function countFilters({ content_type, status, author, language }: ContentSearch): number {
  return [content_type, status, author, language].filter((value) => value !== undefined).length;
}

export function isSort(value: unknown): value is ListSort {
  return typeof value === 'string' && Object.hasOwn(CONTENT_TEXTS.sorts, value);
}

export function isStatus(value: unknown): value is ListStatus {
  return typeof value === 'string' && Object.hasOwn(CONTENT_TEXTS.states, value);
}
