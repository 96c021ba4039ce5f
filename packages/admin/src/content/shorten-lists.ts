// Whoever comes back to a list sees it as they left it, while it is asked for anew, page after page. Of a very long one only
// so much is kept as can be asked for again in a moment.

import type { ContentSummaryBody, ManagementPageBody } from '@galley/wire';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { contentListsKey } from './content-queries.ts';

const MOST_KEPT_PAGES = 20;

export type LoadedList = InfiniteData<ManagementPageBody<ContentSummaryBody>>;

export function shortenLists(queryClient: QueryClient, site: string): void {
  queryClient.setQueriesData<LoadedList>({ queryKey: contentListsKey(site) }, (list) => {
    if (list === undefined || list.pages.length <= MOST_KEPT_PAGES) return list;
    return { pages: list.pages.slice(0, MOST_KEPT_PAGES), pageParams: list.pageParams.slice(0, MOST_KEPT_PAGES) };
  });
}
