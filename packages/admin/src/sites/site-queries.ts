import type { SiteBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { readAllPages } from '../api/read-all-pages.ts';

const PAGE_ENTRIES = '100';

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: () =>
    readAllPages<SiteBody>((cursor) =>
      readAnswer(
        api.GET('/manage/v1/sites', {
          params: { query: { limit: PAGE_ENTRIES, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ),
});

export function siteQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site],
    queryFn: (): Promise<SiteBody> => readAnswer(api.GET('/manage/v1/sites/{site}', { params: { path: { site } } })),
  });
}
