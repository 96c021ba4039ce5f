import type { ManagementPageBody } from '@galley/wire';
import { infiniteQueryOptions } from '@tanstack/react-query';

export const PAGE_ENTRIES = '50';

/** A list that is read page by page, as far as somebody scrolls. */
export function endlessQuery<Item>(
  queryKey: readonly unknown[],
  readPage: (position: { readonly cursor?: string }) => Promise<ManagementPageBody<Item>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
}
