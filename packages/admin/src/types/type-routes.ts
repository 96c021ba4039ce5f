import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { siteRoute } from '../app/site-route.ts';
import { typeQuery, typesQuery } from './type-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/types',
  loader: ({ context: { queryClient }, params }) => queryClient.ensureQueryData(typesQuery(params.site)),
  component: lazyPage(() => import('./types-page.tsx'), 'TypesPage'),
});

/** No handle has a hyphen, so no type can stand at this address. */
const newRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/types/new-type',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('./new-type-page.tsx'), 'NewTypePage'),
});

const typeRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/types/$type',
  loader: ({ context: { queryClient }, params: { site, type } }) =>
    Promise.all([
      queryClient.ensureQueryData(typeQuery(site, type)),
      // Fields that allow other types name them.
      queryClient.ensureQueryData(typesQuery(site)),
    ]),
  component: lazyPage(() => import('./type-page.tsx'), 'TypePage'),
});

export const typeRoutes = [listRoute, newRoute, typeRoute] as const;
