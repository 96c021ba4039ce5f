import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { siteRoute } from '../app/site-route.ts';
import { typesQuery } from '../types/type-queries.ts';
import { overviewQuery, recentQuery, trafficQuery } from './content-queries.ts';
import { parseContentSearch } from './content-search.ts';
import { shortenLists } from './shorten-lists.ts';

const dashboardRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/',
  loader: ({ context: { queryClient }, params: { site } }) =>
    Promise.all([
      queryClient.ensureQueryData(typesQuery(site)),
      queryClient.ensureQueryData(overviewQuery(site)),
      queryClient.ensureQueryData(recentQuery(site)),
      queryClient.ensureQueryData(trafficQuery),
    ]),
  component: lazyPage(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});

const listRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/content',
  validateSearch: parseContentSearch,
  onEnter: ({ context: { queryClient }, params: { site } }) => shortenLists(queryClient, site),
  loader: ({ context: { queryClient }, params: { site } }) => queryClient.ensureQueryData(typesQuery(site)),
  component: lazyPage(() => import('./content-page.tsx'), 'ContentPage'),
});

export const contentRoutes = [dashboardRoute, listRoute] as const;
