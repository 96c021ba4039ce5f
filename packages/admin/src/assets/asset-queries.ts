import type { ManagedAssetBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';

/** The file kinds that the list can be filtered by: prefixes of media types. */
export type AssetKind = keyof typeof ASSET_TEXTS.kinds;

export function isAssetKind(value: unknown): value is AssetKind {
  return typeof value === 'string' && Object.hasOwn(ASSET_TEXTS.kinds, value);
}

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
