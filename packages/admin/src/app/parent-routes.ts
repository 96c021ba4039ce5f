// The parents of all other routes: the root, the pages that require sign-in, and the pages of one site.

import type { UserBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router';
import { isSessionLost, sessionQuery } from '../session/session-query.ts';
import { Shell } from '../shell/shell.tsx';
import { siteQuery } from '../sites/site-queries.ts';

interface RouterContext {
  readonly queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()();

/** Visitors who are not signed in are asked to sign in, and then continue to the page that they requested. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.user == null)
      throw redirect({
        to: '/sign-in',
        search: {
          ...(location.href === '/' ? {} : { back: location.href }),
          ...(isSessionLost(queryClient) ? { ended: true } : {}),
        },
      });
    return { user: session.user };
  },
  component: Shell,
});

export const siteRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites/$site',
  loader: ({ context: { queryClient }, params }) => queryClient.ensureQueryData(siteQuery(params.site)),
});

/** The `beforeLoad` check for pages that only owners may see. The service also rejects requests from anyone else. */
export function requireOwner({ context: { user } }: { readonly context: { readonly user: UserBody } }): void {
  if (user.role !== 'owner') throw notFound();
}
