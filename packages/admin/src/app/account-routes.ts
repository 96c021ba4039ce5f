// The account pages: sites, keys, tokens, users, organisation and audit log.

import { createRoute } from '@tanstack/react-router';
import { parseAuditSearch } from '../audit/audit-search.ts';
import { keyQuery, keysQuery } from '../keys/key-queries.ts';
import { organisationQuery } from '../organisation/organisation-query.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { tokensQuery } from '../tokens/token-queries.ts';
import { userQuery, usersQuery } from '../users/user-queries.ts';
import { lazyPage } from './lazy-page.ts';
import { requireOwner, signedInRoute } from './parent-routes.ts';

const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites',
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sitesQuery),
  component: lazyPage(() => import('../sites/sites-page.tsx'), 'SitesPage'),
});

const newSiteRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites/new',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('../sites/new-site-page.tsx'), 'NewSitePage'),
});

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(keysQuery), queryClient.ensureQueryData(sitesQuery)]),
  component: lazyPage(() => import('../keys/keys-page.tsx'), 'KeysPage'),
});

const newKeyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys/new',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(sitesQuery),
  component: lazyPage(() => import('../keys/new-key-page.tsx'), 'NewKeyPage'),
});

const keyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/keys/$key',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { key } }) =>
    Promise.all([queryClient.ensureQueryData(keyQuery(key)), queryClient.ensureQueryData(sitesQuery)]),
  component: lazyPage(() => import('../keys/key-page.tsx'), 'KeyPage'),
});

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/tokens',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(tokensQuery),
  component: lazyPage(() => import('../tokens/tokens-page.tsx'), 'TokensPage'),
});

const newTokenRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/tokens/new',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('../tokens/new-token-page.tsx'), 'NewTokenPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(usersQuery),
  component: lazyPage(() => import('../users/users-page.tsx'), 'UsersPage'),
});

const newUserRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users/new',
  beforeLoad: requireOwner,
  component: lazyPage(() => import('../users/new-user-page.tsx'), 'NewUserPage'),
});

const userRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/users/$user',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { user } }) =>
    Promise.all([
      queryClient.ensureQueryData(userQuery(user)),
      queryClient.ensureQueryData(tokensQuery),
      queryClient.ensureQueryData(sitesQuery),
    ]),
  component: lazyPage(() => import('../users/user-page.tsx'), 'UserPage'),
});

const organisationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/organisation',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(organisationQuery),
  component: lazyPage(() => import('../organisation/organisation-page.tsx'), 'OrganisationPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/audit',
  validateSearch: parseAuditSearch,
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(usersQuery),
      queryClient.ensureQueryData(tokensQuery),
      queryClient.ensureQueryData(sitesQuery),
    ]),
  component: lazyPage(() => import('../audit/audit-page.tsx'), 'AuditPage'),
});

export const accountRoutes = [
  sitesRoute,
  newSiteRoute,
  keysRoute,
  newKeyRoute,
  keyRoute,
  tokensRoute,
  newTokenRoute,
  usersRoute,
  newUserRoute,
  userRoute,
  organisationRoute,
  auditRoute,
] as const;
