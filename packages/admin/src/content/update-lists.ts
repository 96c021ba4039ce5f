// After something was done to content: the lists show it at once, where it stands, and are asked for anew when they are next
// opened. What went into the archive, or came out of it, leaves the list.

import type { ContentSummaryBody, ManagedContentBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { contentListsKey, overviewQuery, recentQuery } from './content-queries.ts';
import type { LoadedList } from './shorten-lists.ts';

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
    queryClient.invalidateQueries({ queryKey: ['sites', site, 'content', 'object'] }),
    queryClient.invalidateQueries({ queryKey: overviewQuery(site).queryKey }),
    queryClient.invalidateQueries({ queryKey: recentQuery(site).queryKey }),
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
