import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { siteRoute } from '../app/site-route.ts';
import { readSearchText } from '../lists/read-search-text.ts';
import { type AssetKind, assetQuery, assetsQuery, isAssetKind } from './asset-queries.ts';

interface Search {
  readonly search?: string | undefined;
  readonly kind?: AssetKind | undefined;
}

const listRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets',
  validateSearch: ({ search, kind }: Readonly<Record<string, unknown>>): Search => ({
    search: readSearchText(search),
    kind: isAssetKind(kind) && kind !== 'all' ? kind : undefined,
  }),
  loader: ({ context: { queryClient }, params: { site } }) =>
    queryClient.ensureInfiniteQueryData(assetsQuery(site, { search: '', kind: 'all' })),
  component: lazyPage(() => import('./assets-page.tsx'), 'AssetsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets/new',
  component: lazyPage(() => import('./asset-page.tsx'), 'NewAssetPage'),
});

const assetRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets/$asset',
  loader: ({ context: { queryClient }, params: { site, asset } }) =>
    queryClient.ensureQueryData(assetQuery(site, asset)),
  component: lazyPage(() => import('./asset-page.tsx'), 'AssetPage'),
});

export const assetRoutes = [listRoute, newRoute, assetRoute] as const;
