// Queries for the assets and content that an editor can choose for a field, and for content that was chosen.

import type { ContentSummaryBody, ManagedAssetBody, ManagedFieldBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../../api/api.ts';
import { assetsKey } from '../../assets/asset-queries.ts';
import { type EndlessQuery, endlessQuery } from '../../lists/endless-query.ts';

export function assetSearch(
  site: string,
  { allowed_kinds }: ManagedFieldBody,
  search: string,
): EndlessQuery<ManagedAssetBody> {
  const kind = allowed_kinds?.length === 1 ? allowed_kinds[0] : undefined;
  const query = {
    ...(search === '' ? {} : { search }),
    ...(kind === undefined ? {} : { kind }),
    sort: '-created_at' as const,
  };
  return endlessQuery<ManagedAssetBody>([...assetsKey(site), 'picker', query], (position, signal) =>
    readAnswer(
      api.GET('/manage/v1/sites/{site}/assets', {
        params: { path: { site }, query: { ...query, ...position } },
        signal,
      }),
    ),
  );
}

export function contentSearch(
  site: string,
  { allowed_types }: ManagedFieldBody,
  search: string,
): EndlessQuery<ContentSummaryBody> {
  const type = allowed_types?.length === 1 ? allowed_types[0] : undefined;
  const query = { ...(search === '' ? {} : { search }), ...(type === undefined ? {} : { content_type: type }) };
  return endlessQuery<ContentSummaryBody>(['sites', site, 'content', 'picker', query], (position, signal) =>
    readAnswer(
      api.GET('/manage/v1/sites/{site}/content', {
        params: { path: { site }, query: { ...query, ...position } },
        signal,
      }),
    ),
  );
}

/** A summary of content that a field links to. */
export function linkedContentQuery(site: string, content: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'linked', content],
    queryFn: (): Promise<ContentSummaryBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/content/{content}', { params: { path: { site, content } } })),
  });
}
