import type { ManagementPageBody } from '@galley/wire';
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import type { PagePosition } from '../api/api.ts';

const LIMIT = '50';

export type EndlessQuery<Item> = ReturnType<typeof endlessQuery<Item>>;

/** A list that loads page by page while somebody scrolls. */
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

/** Shared by all lists, because a new function on each render would join long lists again. */
function joinPages<Item>({ pages }: InfiniteData<ManagementPageBody<Item>>): readonly Item[] {
  return pages.flatMap(({ data }) => data);
}
