import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { tokensQuery } from '../tokens/token-queries.ts';
import { userQuery, usersQuery } from './user-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(usersQuery),
  component: lazyPage(() => import('./users-page.tsx'), 'UsersPage'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users/new',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('./new-user-page.tsx'), 'NewUserPage'),
});

const userRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users/$user',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { user } }) =>
    Promise.all([queryClient.ensureQueryData(userQuery(user)), queryClient.ensureQueryData(tokensQuery)]),
  component: lazyPage(() => import('./user-page.tsx'), 'UserPage'),
});

export const userRoutes = [listRoute, newRoute, userRoute] as const;
