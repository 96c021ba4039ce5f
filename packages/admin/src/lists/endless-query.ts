import type { ManagementPageBody } from '@galley/wire';
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import type { PagePosition } from '../api/api.ts';

const LIMIT = '50';

export type EndlessQuery<Item> = ReturnType<typeof endlessQuery<Item>>;

/** A list that loads page by page as somebody scrolls. */
export function endlessQuery<Item>(
  queryKey: readonly unknown[],
  readPage: (position: PagePosition, signal: AbortSignal) => Promise<ManagementPageBody<Item>>,
  limit = LIMIT,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam === '' ? { limit } : { limit, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    select: joinPages<Item>,
  });
}

/** All lists share this function. With a new function on each render, the query would join all pages again every time. */
function joinPages<Item>({ pages }: InfiniteData<ManagementPageBody<Item>>): readonly Item[] {
  return pages.flatMap(({ data }) => data);
}
