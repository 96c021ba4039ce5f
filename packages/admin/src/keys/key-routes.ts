import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { keyQuery, keysQuery } from './key-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(keysQuery), queryClient.ensureQueryData(sitesQuery)]),
  component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys/new',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sitesQuery),
  component: lazyPage(() => import('./new-key-page.tsx'), 'NewKeyPage'),
});

const keyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys/$key',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { key } }) =>
    Promise.all([queryClient.ensureQueryData(keyQuery(key)), queryClient.ensureQueryData(sitesQuery)]),
  component: lazyPage(() => import('./key-page.tsx'), 'KeyPage'),
});

export const keyRoutes = [listRoute, newRoute, keyRoute] as const;
