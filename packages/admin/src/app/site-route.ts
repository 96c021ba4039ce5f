// Everything about one site lies below its ID.

import { createRoute } from '@tanstack/react-router';
import { siteQuery } from '../sites/site-queries.ts';
import { signedInRoute } from './signed-in-route.ts';

export const siteRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites/$site',
  loader: ({ context: { queryClient }, params }) => queryClient.ensureQueryData(siteQuery(params.site)),
});
