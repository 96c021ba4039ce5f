// The pages for signing in, setting up Galley, and changing the password.

import { createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery, setupQuery } from '../session/session-query.ts';
import { lazyPage } from './lazy-page.ts';
import { rootRoute, signedInRoute } from './parent-routes.ts';

interface SignInSearch {
  readonly back?: string | undefined;
  /** Whether a session ended while somebody was working. */
  readonly ended?: true | undefined;
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ back, ended }: Readonly<Record<string, unknown>>): SignInSearch => ({
    // A rejected value is set to undefined. If the property were omitted, the router would keep the value from the URL.
    back: isOwnPath(back) ? back : undefined,
    ended: ended === true ? true : undefined,
  }),
  beforeLoad: async ({ context: { queryClient } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.user != null) throw redirect({ to: '/' });
    const { is_needed: isNeeded } = await queryClient.fetchQuery(setupQuery);
    if (isNeeded) throw redirect({ to: '/set-up' });
  },
  component: lazyPage(() => import('../session/sign-in-page.tsx'), 'SignInPage'),
});

/** A link to the panel must not redirect to another site. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { is_needed: isNeeded } = await queryClient.fetchQuery(setupQuery);
    if (!isNeeded) throw redirect({ to: '/' });
  },
  component: lazyPage(() => import('../session/set-up-page.tsx'), 'SetUpPage'),
});

export const entranceRoutes = [signInRoute, setUpRoute] as const;

export const changePasswordRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/password',
  component: lazyPage(() => import('../session/change-password-page.tsx'), 'ChangePasswordPage'),
});
