import type { ContentSummaryBody, OverviewBody, TrafficBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

const RECENT_ENTRIES = '8';
const TRAFFIC_EVERY_MS = 15_000;

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
