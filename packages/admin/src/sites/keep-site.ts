import type { SiteBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { siteQuery, sitesQuery } from './site-queries.ts';

/** After a change of a site: it is known already, the list is asked for again. */
export async function keepSite(queryClient: QueryClient, site: SiteBody): Promise<void> {
  queryClient.setQueryData(siteQuery(site.id).queryKey, site);
  await queryClient.invalidateQueries({ queryKey: sitesQuery.queryKey, exact: true });
}
