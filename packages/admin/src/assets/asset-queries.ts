import type { ManagedAssetBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import type { AssetKind } from './asset-kind.ts';

export function assetsKey(site: string) {
  return ['sites', site, 'assets'] as const;
}

export interface AssetSearch {
  readonly search: string;
  readonly kind: AssetKind;
}

export function assetsQuery(site: string, { search, kind }: AssetSearch) {
  const narrowing = kind === 'all' ? { search } : { search, kind };
  return endlessQuery<ManagedAssetBody>([...assetsKey(site), 'list', search, kind], (position, signal) =>
    readAnswer(
      api.GET('/manage/v1/sites/{site}/assets', {
        params: { path: { site }, query: { ...narrowing, ...position } },
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
