import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { siteRoute } from '../app/site-route.ts';
import { sitesQuery } from './site-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites',
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sitesQuery),
  component: lazyPage(() => import('./sites-page.tsx'), 'SitesPage'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites/new',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('./new-site-page.tsx'), 'NewSitePage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/settings',
  component: lazyPage(() => import('./site-settings-page.tsx'), 'SiteSettingsPage'),
});

export const siteListRoutes = [listRoute, newRoute] as const;
export const siteSettingsRoutes = [settingsRoute] as const;
