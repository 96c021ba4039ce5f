import type { ManagementPageBody } from '@galley/wire';
import { type InfiniteData, infiniteQueryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { PagePosition } from '../api/api.ts';

const LIMIT = '50';
const MOST_KEPT_PAGES = 20;

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

/** A reopened list is shown as it was and reloaded page by page. A very long list is shortened first to keep the reload fast. */
export function shortenLists(queryClient: QueryClient, queryKey: QueryKey): void {
  for (const [key, list] of queryClient.getQueriesData<InfiniteData<unknown>>({ queryKey })) {
    if (list === undefined || list.pages.length <= MOST_KEPT_PAGES) continue;
    const pages = list.pages.slice(0, MOST_KEPT_PAGES);
    queryClient.setQueryData(key, { pages, pageParams: list.pageParams.slice(0, MOST_KEPT_PAGES) });
    // A list whose data was set in the cache counts as just loaded and would not be reloaded.
    void queryClient.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' });
  }
}
