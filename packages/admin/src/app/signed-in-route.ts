// Everything that needs somebody to be signed in. Who is not is asked to, and comes back to where they wanted to go.

import { createRoute, redirect } from '@tanstack/react-router';
import { isSessionLost, sessionQuery } from '../session/session-query.ts';
import { Shell } from '../shell/shell.tsx';
import { rootRoute } from './root-route.ts';

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
