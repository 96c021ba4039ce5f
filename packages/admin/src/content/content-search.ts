// What the list of content is asked for. All of it stands in the address, so that a list can be kept, sent and come back to.

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

/** What is not allowed is left away: an address that somebody has typed leads to a list all the same. */
export function parseContentSearch(raw: Readonly<Record<string, unknown>>): ContentSearch {
  const sort = isSort(raw.sort) && raw.sort !== DEFAULT_SORT ? raw.sort : undefined;
  return {
    search: readText(raw.search),
    content_type: readText(raw.content_type),
    status: isStatus(raw.status) ? raw.status : undefined,
    author: readText(raw.author),
    language: readText(raw.language),
    sort,
  };
}

/** How many filters are set, the search and the sort aside. */
export function countFilters({ content_type, status, author, language }: ContentSearch): number {
  return [content_type, status, author, language].filter((value) => value !== undefined).length;
}

export function isSort(value: unknown): value is ListSort {
  return typeof value === 'string' && Object.hasOwn(CONTENT_TEXTS.sorts, value);
}

export function isStatus(value: unknown): value is ListStatus {
  return typeof value === 'string' && Object.hasOwn(CONTENT_TEXTS.states, value);
}

/** The router reads digits as a number. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
