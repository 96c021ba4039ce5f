// Loads a site's content lists into the cache, shortens them, and updates them after content has changed.

import type { ContentSummaryBody, ManagedContentBody, ManagementPageBody } from '@galley/wire';
import { type InfiniteData, keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { type ContentSearch, DEFAULT_SORT } from './content-search.ts';

const PAGE_ENTRIES = '100';
const MOST_KEPT_PAGES = 20;

type LoadedList = InfiniteData<ManagementPageBody<ContentSummaryBody>>;

/** The common prefix of the query keys for all of a site's content lists. */
function listsKey(site: string) {
  return ['sites', site, 'content', 'list'] as const;
}

export function contentListQuery(site: string, search: ContentSearch) {
  const list = endlessQuery<ContentSummaryBody>(
    [...listsKey(site), search],
    (position, signal) =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content', {
          params: { path: { site }, query: { ...buildQuery(search), ...position } },
          signal,
        }),
      ),
    PAGE_ENTRIES,
  );
  return {
    ...list,
    // The previous list stays visible until the new one arrives.
    placeholderData: keepPreviousData,
    // A refetch would load every page again.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}

function buildQuery({ search, content_type, status, author, language, sort = DEFAULT_SORT }: ContentSearch) {
  return {
    ...(search === undefined ? {} : { search }),
    ...(content_type === undefined ? {} : { content_type }),
    ...(status === undefined ? {} : { status }),
    ...(author === undefined ? {} : { author }),
    ...(language === undefined ? {} : { language }),
    sort,
  };
}

/** A reopened list is shown as it was and reloaded page by page. A very long list is shortened first to keep the reload fast. */
export function shortenLists(queryClient: QueryClient, site: string): void {
  queryClient.setQueriesData<LoadedList>({ queryKey: listsKey(site) }, (list) => {
    if (list === undefined || list.pages.length <= MOST_KEPT_PAGES) return list;
    return { pages: list.pages.slice(0, MOST_KEPT_PAGES), pageParams: list.pageParams.slice(0, MOST_KEPT_PAGES) };
  });
}

/**
 * Shows changed content in the lists immediately, in its old position. The lists are reloaded when they are next opened. Archived or
 * restored content is removed from the list.
 */
export async function updateLists(
  queryClient: QueryClient,
  site: string,
  changed: ReadonlyMap<string, ManagedContentBody>,
): Promise<void> {
  queryClient.setQueriesData<LoadedList>({ queryKey: listsKey(site) }, (list) =>
    list === undefined ? undefined : { ...list, pages: list.pages.map((page) => updatePage(page, changed)) },
  );
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listsKey(site), refetchType: 'none' }),
    // All other queries about the site's content.
    queryClient.invalidateQueries({
      queryKey: ['sites', site, 'content'],
      predicate: ({ queryKey }) => queryKey[3] !== 'list',
    }),
  ]);
}

function updatePage(
  page: LoadedList['pages'][number],
  changed: ReadonlyMap<string, ManagedContentBody>,
): LoadedList['pages'][number] {
  if (!page.data.some(({ id }) => changed.has(id))) return page;
  return { ...page, data: page.data.flatMap((row) => updateRow(row, changed.get(row.id))) };
}

function updateRow(row: ContentSummaryBody, now: ManagedContentBody | undefined): readonly ContentSummaryBody[] {
  if (now === undefined) return [row];
  if ((now.state === 'archived') !== (row.state === 'archived')) return [];
  const { state, slug, version, published_version, published_at, updated_at } = now;
  const { publish_at, unpublish_at, failed_schedule } = now;
  const schedule = { publish_at, unpublish_at, failed_schedule };
  return [{ ...row, state, slug, version, published_version, published_at, ...schedule, updated_at }];
}
