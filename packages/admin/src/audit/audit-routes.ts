import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { sitesQuery } from '../sites/site-queries.ts';
import { tokensQuery } from '../tokens/token-queries.ts';
import { usersQuery } from '../users/user-queries.ts';
import { parseAuditSearch } from './audit-search.ts';

const logRoute = createRoute({
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
  component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
});

export const auditRoutes = [logRoute] as const;
