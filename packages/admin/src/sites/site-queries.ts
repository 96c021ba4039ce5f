import type { SiteBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAllPages, readAnswer } from '../api/api.ts';

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: () =>
    readAllPages<SiteBody>((position) => readAnswer(api.GET('/manage/v1/sites', { params: { query: position } }))),
});

export function siteQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site],
    queryFn: (): Promise<SiteBody> => readAnswer(api.GET('/manage/v1/sites/{site}', { params: { path: { site } } })),
  });
}

/** Called after a change: caches the site from the API's response, and reloads the list. */
export async function keepSite(queryClient: QueryClient, site: SiteBody): Promise<void> {
  queryClient.setQueryData(siteQuery(site.id).queryKey, site);
  await queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey, exact: true });
}
