// What can be chosen for a field, and what was chosen.

import type { ContentSummaryBody, ManagedAssetBody, ManagedFieldBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../../api/api.ts';
import type { PickerSearch } from './picker-dialog.tsx';

const PAGE_ENTRIES = '30';

export function assetSearch(
  site: string,
  { allowed_kinds }: ManagedFieldBody,
  search: string,
): PickerSearch<ManagedAssetBody> {
  const kind = allowed_kinds?.length === 1 ? allowed_kinds[0] : undefined;
  return {
    key: ['sites', site, 'assets', 'picker', kind, search],
    readPage: (cursor) =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/assets', {
          params: { path: { site }, query: { ...buildQuery(search, cursor), ...(kind === undefined ? {} : { kind }) } },
        }),
      ),
  };
}

export function contentSearch(
  site: string,
  { allowed_types }: ManagedFieldBody,
  search: string,
): PickerSearch<ContentSummaryBody> {
  const type = allowed_types?.length === 1 ? allowed_types[0] : undefined;
  return {
    key: ['sites', site, 'content', 'picker', type, search],
    readPage: (cursor) =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/content', {
          params: {
            path: { site },
            query: { ...buildQuery(search, cursor), ...(type === undefined ? {} : { content_type: type }) },
          },
        }),
      ),
  };
}

export function assetQuery(site: string, asset: string) {
  return queryOptions({
    queryKey: ['sites', site, 'assets', 'object', asset],
    queryFn: (): Promise<ManagedAssetBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/assets/{asset}', { params: { path: { site, asset } } })),
  });
}

/** The head of content that a field links to. */
export function linkedContentQuery(site: string, content: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'linked', content],
    queryFn: (): Promise<ContentSummaryBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/content/{content}', { params: { path: { site, content } } })),
  });
}

function buildQuery(search: string, cursor: string | null) {
  return { limit: PAGE_ENTRIES, ...(search === '' ? {} : { search }), ...(cursor === null ? {} : { cursor }) };
}
