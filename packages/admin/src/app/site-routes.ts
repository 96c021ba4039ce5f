// The pages of one site, except those for a single content object.

import { createRoute } from '@tanstack/react-router';
import { assetQuery, assetsQuery, foldersQuery, tagsQuery } from '../assets/asset-queries.ts';
import { parseAssetSearch } from '../assets/asset-search.ts';
import { authorQuery, authorsQuery } from '../authors/author-queries.ts';
import { typeQuery, typesQuery } from '../content/type-queries.ts';
import { contentListsKey } from '../content-list/content-list-query.ts';
import { parseContentSearch } from '../content-list/content-search.ts';
import { overviewQuery, recentQuery, trafficQuery } from '../dashboard/dashboard-queries.ts';
import { shortenLists } from '../lists/endless-query.ts';
import { readSearchText } from '../lists/read-search-text.ts';
import { previewSettingsQuery } from '../sites/preview-queries.ts';
import { assetSettingsQuery, presetsQuery } from '../sites/site-asset-queries.ts';
import { webhooksQuery } from '../webhooks/webhook-queries.ts';
import { lazyPage } from './lazy-page.ts';
import { requireOwner, siteRoute } from './parent-routes.ts';

const dashboardRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/',
  loader: ({ context: { queryClient, user }, params: { site } }) =>
    Promise.all([
      queryClient.ensureQueryData(typesQuery(site)),
      queryClient.ensureQueryData(overviewQuery(site)),
      queryClient.ensureQueryData(recentQuery(site)),
      queryClient.ensureQueryData(trafficQuery),
      user.role === 'owner' && queryClient.ensureQueryData(webhooksQuery(site)),
    ]),
  component: lazyPage(() => import('../dashboard/dashboard-page.tsx'), 'DashboardPage'),
});

const contentRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/content',
  validateSearch: parseContentSearch,
  onEnter: ({ context: { queryClient }, params: { site } }) => shortenLists(queryClient, contentListsKey(site)),
  loader: ({ context: { queryClient }, params: { site } }) => queryClient.ensureQueryData(typesQuery(site)),
  component: lazyPage(() => import('../content-list/content-page.tsx'), 'ContentPage'),
});

const typesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/types',
  loader: ({ context: { queryClient }, params }) => queryClient.ensureQueryData(typesQuery(params.site)),
  component: lazyPage(() => import('../types/types-page.tsx'), 'TypesPage'),
});

/** Handles contain no hyphens, so no type can have this path. */
const newTypeRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/types/new-type',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('../types/new-type-page.tsx'), 'NewTypePage'),
});

const typeRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/types/$type',
  loader: ({ context: { queryClient }, params: { site, type } }) =>
    Promise.all([
      queryClient.ensureQueryData(typeQuery(site, type)),
      // Needed for the names of the types that a field allows.
      queryClient.ensureQueryData(typesQuery(site)),
    ]),
  component: lazyPage(() => import('../types/type-page.tsx'), 'TypePage'),
});

const authorsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/authors',
  validateSearch: ({ search }: Readonly<Record<string, unknown>>): { search?: string | undefined } => ({
    search: readSearchText(search),
  }),
  loader: ({ context: { queryClient }, params: { site } }) =>
    queryClient.ensureInfiniteQueryData(authorsQuery(site, '')),
  component: lazyPage(() => import('../authors/authors-page.tsx'), 'AuthorsPage'),
});

const newAuthorRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/authors/new',
  component: lazyPage(() => import('../authors/author-page.tsx'), 'NewAuthorPage'),
});

const authorRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/authors/$author',
  loader: ({ context: { queryClient }, params: { site, author } }) =>
    queryClient.ensureQueryData(authorQuery(site, author)),
  component: lazyPage(() => import('../authors/author-page.tsx'), 'AuthorPage'),
});

const assetsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets',
  validateSearch: parseAssetSearch,
  loader: ({ context: { queryClient }, params: { site } }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(assetsQuery(site, {})),
      queryClient.ensureQueryData(foldersQuery(site)),
      queryClient.ensureQueryData(tagsQuery(site)),
    ]),
  component: lazyPage(() => import('../assets/assets-page.tsx'), 'AssetsPage'),
});

const newAssetRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets/new',
  component: lazyPage(() => import('../assets/asset-page.tsx'), 'NewAssetPage'),
});

const assetRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets/$asset',
  loader: ({ context: { queryClient }, params: { site, asset } }) =>
    Promise.all([
      queryClient.ensureQueryData(assetQuery(site, asset)),
      queryClient.ensureQueryData(foldersQuery(site)),
      queryClient.ensureQueryData(tagsQuery(site)),
    ]),
  component: lazyPage(() => import('../assets/asset-page.tsx'), 'AssetPage'),
});

const assetSettingsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/assets/settings',
  loader: ({ context: { queryClient }, params: { site } }) =>
    Promise.all([
      queryClient.ensureQueryData(assetSettingsQuery(site)),
      queryClient.ensureQueryData(presetsQuery(site)),
    ]),
  component: lazyPage(() => import('../sites/asset-settings-page.tsx'), 'AssetSettingsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/settings',
  component: lazyPage(() => import('../sites/site-settings-page.tsx'), 'SiteSettingsPage'),
});

const previewSettingsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/preview',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { site } }) => queryClient.ensureQueryData(previewSettingsQuery(site)),
  component: lazyPage(() => import('../sites/preview-settings-page.tsx'), 'PreviewSettingsPage'),
});

export const siteRoutes = [
  dashboardRoute,
  contentRoute,
  typesRoute,
  newTypeRoute,
  typeRoute,
  authorsRoute,
  newAuthorRoute,
  authorRoute,
  assetsRoute,
  newAssetRoute,
  assetRoute,
  assetSettingsRoute,
  settingsRoute,
  previewSettingsRoute,
] as const;
