// Loads a site's content lists into the cache, and updates them after content has changed.

import type { ContentSummaryBody, ManagedContentBody, ManagementPageBody } from '@galley/wire';
import { type InfiniteData, keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { type ContentSearch, DEFAULT_SORT } from './content-search.ts';

const PAGE_ENTRIES = '100';

type LoadedList = InfiniteData<ManagementPageBody<ContentSummaryBody>>;

/** The common prefix of the query keys for all of a site's content lists. */
export function contentListsKey(site: string) {
  return ['sites', site, 'content', 'list'] as const;
}

export function contentListQuery(site: string, search: ContentSearch) {
  const list = endlessQuery<ContentSummaryBody>(
    [...contentListsKey(site), search],
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

/**
 * Shows changed content in the lists immediately, in its old position. The lists are reloaded when they are next opened. Archived or
 * restored content is removed from the list.
 */
export async function updateLists(
  queryClient: QueryClient,
  site: string,
  changed: ReadonlyMap<string, ManagedContentBody>,
): Promise<void> {
  queryClient.setQueriesData<LoadedList>({ queryKey: contentListsKey(site) }, (list) =>
    list === undefined ? undefined : { ...list, pages: list.pages.map((page) => updatePage(page, changed)) },
  );
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: contentListsKey(site), refetchType: 'none' }),
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
