import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { tokensQuery } from './token-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/tokens',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(tokensQuery),
  component: lazyPage(() => import('./tokens-page.tsx'), 'TokensPage'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/tokens/new',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('./new-token-page.tsx'), 'NewTokenPage'),
});

export const tokenRoutes = [listRoute, newRoute] as const;
