import type { ManagedAssetBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { type AssetSearch, buildListParameters } from './asset-search.ts';
import { readFiles, readFolders, readTags, readUses } from './library-calls.ts';

export function assetsKey(site: string) {
  return ['sites', site, 'assets'] as const;
}

export function assetsQuery(site: string, search: AssetSearch) {
  const query = buildListParameters(search);
  return endlessQuery<ManagedAssetBody>([...assetsKey(site), 'list', query], (position, signal) =>
    readAnswer(
      api.GET('/manage/v1/sites/{site}/assets', {
        params: { path: { site }, query: { ...query, ...position } },
        signal,
      }),
    ),
  );
}

export function assetQuery(site: string, asset: string) {
  return queryOptions({
    queryKey: [...assetsKey(site), 'one', asset],
    queryFn: (): Promise<ManagedAssetBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/assets/{asset}', { params: { path: { site, asset } } })),
  });
}

export function foldersQuery(site: string) {
  return queryOptions({
    queryKey: [...assetsKey(site), 'folders'],
    queryFn: () => readFolders(site),
    select: ({ data }) => data,
  });
}

export function tagsQuery(site: string) {
  return queryOptions({
    queryKey: [...assetsKey(site), 'tags'],
    queryFn: () => readTags(site),
    select: ({ data }) => data,
  });
}

export function filesQuery(site: string, asset: string) {
  return queryOptions({
    queryKey: [...assetsKey(site), 'files', asset],
    queryFn: () => readFiles(site, asset),
    select: ({ data }) => data,
  });
}

export function usesQuery(site: string, asset: string) {
  return queryOptions({ queryKey: [...assetsKey(site), 'uses', asset], queryFn: () => readUses(site, asset) });
}
