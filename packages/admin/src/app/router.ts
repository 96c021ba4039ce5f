// The table of all routes: one entry a section. A section's own routes stand in its folder, its pages load when they are opened.

import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { assetRoutes } from '../assets/asset-routes.ts';
import { auditRoutes } from '../audit/audit-routes.ts';
import { authorRoutes } from '../authors/author-routes.ts';
import { contentRoutes } from '../content/content-routes.ts';
import { editorFrameRoute, editorRoutes } from '../editor/editor-routes.ts';
import { historyRoutes } from '../history/history-routes.ts';
import { keyRoutes } from '../keys/key-routes.ts';
import { organisationRoutes } from '../organisation/organisation-routes.ts';
import { entranceRoutes, passwordRoutes } from '../session/session-routes.ts';
import { FailurePage } from '../shell/failure-page.tsx';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import { PendingPage } from '../shell/pending-page.tsx';
import { siteListRoutes, siteSettingsRoutes } from '../sites/site-routes.ts';
import { tokenRoutes } from '../tokens/token-routes.ts';
import { typeRoutes } from '../types/type-routes.ts';
import { userRoutes } from '../users/user-routes.ts';
import { rootRoute } from './root-route.ts';
import { signedInRoute } from './signed-in-route.ts';
import { siteRoute } from './site-route.ts';

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
    ...siteListRoutes,
    siteRoute.addChildren([
      ...contentRoutes,
      ...typeRoutes,
      ...authorRoutes,
      ...assetRoutes,
      ...siteSettingsRoutes,
      editorFrameRoute.addChildren([...editorRoutes, ...historyRoutes]),
    ]),
    ...keyRoutes,
    ...tokenRoutes,
    ...userRoutes,
    ...organisationRoutes,
    ...auditRoutes,
    ...passwordRoutes,
  ]),
]);

export function createPanelRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/admin',
    context: { queryClient },
    defaultPreload: 'intent',
    // What was loaded is remembered by the query client, which knows when it is out of date.
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
