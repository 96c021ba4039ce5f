// Queries for the data that the tabs show about the open content object, apart from its values. Each key ends with the content's
// state, so every save, publish and restore in the panel triggers a reload.

import type {
  BacklinkListBody,
  ComparisonBody,
  DeliveredContentBody,
  ManagedContentBody,
  VersionListBody,
} from '@galley/wire';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

function keyOf(site: string, { id, version, published_version: published, state }: ManagedContentBody, noun: string) {
  return ['sites', site, 'content', noun, id, version, published, state] as const;
}

const FIRST_PAGE = 0;
/** A large page, because the history shows many saves as one entry. */
const PAGE_VERSIONS = '100';

export function versionsQuery(site: string, content: ManagedContentBody) {
  return infiniteQueryOptions({
    queryKey: keyOf(site, content, 'versions'),
    queryFn: ({ pageParam }): Promise<VersionListBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content/{content}/versions', {
          params: {
            path: { site, content: content.id },
            query: { limit: PAGE_VERSIONS, ...(pageParam === FIRST_PAGE ? {} : { before: String(pageParam) }) },
          },
        }),
      ),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next_before: before }) => before,
  });
}

/** Versions never change, so any two of them are compared only once. */
export function comparisonQuery(site: string, id: string, from: number, to: number) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'comparison', id, from, to],
    queryFn: (): Promise<ComparisonBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content/{content}/versions/{from}/compare/{to}', {
          params: { path: { site, content: id, from: String(from), to: String(to) } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function deliveredQuery(site: string, content: ManagedContentBody) {
  return queryOptions({
    queryKey: keyOf(site, content, 'delivered'),
    queryFn: (): Promise<DeliveredContentBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content/{content}/delivered', {
          params: { path: { site, content: content.id } },
        }),
      ),
  });
}

export function backlinksQuery(site: string, content: ManagedContentBody) {
  return queryOptions({
    queryKey: keyOf(site, content, 'backlinks'),
    queryFn: (): Promise<BacklinkListBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content/{content}/links', {
          params: { path: { site, content: content.id }, query: { limit: '100' } },
        }),
      ),
  });
}
