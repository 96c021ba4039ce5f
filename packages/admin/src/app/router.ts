// The table of all routes. Only the route files in this folder import pages, and each page is loaded when it is opened. All other
// files link to a page by its path, which TypeScript checks against this table.

import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { FailurePage, NotFoundPage, PendingPage } from '../shell/page-states.tsx';
import { accountRoutes } from './account-routes.ts';
import { editorRoute } from './editor-routes.ts';
import { rootRoute, signedInRoute, siteRoute } from './parent-routes.ts';
import { changePasswordRoute, entranceRoutes } from './session-routes.ts';
import { siteRoutes } from './site-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/sites' });
  },
});

const routeTree = rootRoute.addChildren([
  ...entranceRoutes,
  signedInRoute.addChildren([
    startRoute,
    ...accountRoutes,
    changePasswordRoute,
    siteRoute.addChildren([...siteRoutes, ...webhookRoutes, editorRoute]),
  ]),
]);

export function createPanelRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/admin',
    context: { queryClient },
    defaultPreload: 'intent',
    // The query client caches loaded data and decides when it is out of date.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: FailurePage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>;
  }
}
