import type { ContentSummaryBody, ManagedTypeBody, ManagedTypeListBody, OverviewBody, TrafficBody } from '@galley/wire';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { typesQuery } from '../types/type-queries.ts';
import { type ContentSearch, DEFAULT_SORT } from './content-search.ts';

const PAGE_ENTRIES = '100';
const RECENT_ENTRIES = '8';
const TRAFFIC_EVERY_MS = 15_000;

/** All lists of content of a site, whatever they are asked for. */
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
    // The list of before stays until the new one is there.
    placeholderData: keepPreviousData,
    // It would ask for every page that was loaded.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  };
}

/** What is not set is left out. */
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

/** The types that content can be of: blocks stand only inside of other content. */
export function contentTypesQuery(site: string) {
  return { ...typesQuery(site), select: leaveBlocksOut };
}

function leaveBlocksOut({ data }: ManagedTypeListBody): readonly ManagedTypeBody[] {
  return data.filter(({ object_type: kind }) => kind !== 'block');
}

export function overviewQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'overview'],
    queryFn: (): Promise<OverviewBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/overview', { params: { path: { site } } })),
  });
}

export function recentQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'recent'],
    queryFn: async (): Promise<readonly ContentSummaryBody[]> => {
      const query = { limit: RECENT_ENTRIES };
      return (await readAnswer(api.GET('/manage/v1/sites/{site}/content', { params: { path: { site }, query } }))).data;
    },
  });
}

export const trafficQuery = queryOptions({
  queryKey: ['traffic'],
  queryFn: (): Promise<TrafficBody> => readAnswer(api.GET('/manage/v1/traffic')),
  refetchInterval: TRAFFIC_EVERY_MS,
});
