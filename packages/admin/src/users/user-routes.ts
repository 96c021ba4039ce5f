import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { userQuery, usersQuery } from './user-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(usersQuery),
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
});

const newRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users/new',
  beforeLoad: requireOwner,
  component: lazyRouteComponent(() => import('./new-user-page.tsx'), 'NewUserPage'),
});

const userRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users/$user',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { user } }) => queryClient.ensureQueryData(userQuery(user)),
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
});

export const userRoutes = [listRoute, newRoute, userRoute] as const;
