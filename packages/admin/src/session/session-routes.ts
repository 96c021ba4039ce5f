import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { rootRoute } from '../app/root-route.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { sessionQuery, setupQuery } from './session-query.ts';

interface SignInSearch {
  readonly back?: string | undefined;
  /** Whether a session ended while somebody was at work. */
  readonly ended?: true | undefined;
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ back, ended }: Readonly<Record<string, unknown>>): SignInSearch => ({
    // Written out even where it is refused: what is left out would be taken from the address as it stands.
    back: isOwnPath(back) ? back : undefined,
    ended: ended === true ? true : undefined,
  }),
  beforeLoad: async ({ context: { queryClient } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session?.user != null) throw redirect({ to: '/' });
    const { is_needed: isNeeded } = await queryClient.fetchQuery(setupQuery);
    if (isNeeded) throw redirect({ to: '/set-up' });
  },
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { is_needed: isNeeded } = await queryClient.fetchQuery(setupQuery);
    if (!isNeeded) throw redirect({ to: '/' });
  },
  component: lazyPage(() => import('./set-up-page.tsx'), 'SetUpPage'),
});

const changePasswordRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/password',
  component: lazyPage(() => import('./change-password-page.tsx'), 'ChangePasswordPage'),
});

export const entranceRoutes = [signInRoute, setUpRoute] as const;
export const passwordRoutes = [changePasswordRoute] as const;

/** Nobody can be sent to another site from here. */
function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}
