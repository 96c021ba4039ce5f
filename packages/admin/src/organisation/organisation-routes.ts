import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { requireOwner } from '../app/owner-only.ts';
import { signedInRoute } from '../app/signed-in-route.ts';
import { organisationQuery } from './organisation-query.ts';

const pageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/organisation',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(organisationQuery),
  component: lazyPage(() => import('./organisation-page.tsx'), 'OrganisationPage'),
});

export const organisationRoutes = [pageRoute] as const;
