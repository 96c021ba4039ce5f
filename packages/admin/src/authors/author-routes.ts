import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { siteRoute } from '../app/site-route.ts';
import { readSearchText } from '../lists/read-search-text.ts';
import { authorQuery, authorsQuery } from './author-queries.ts';

const listRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/authors',
  validateSearch: ({ search }: Readonly<Record<string, unknown>>): { search?: string | undefined } => ({
    search: readSearchText(search),
  }),
  loader: ({ context: { queryClient }, params: { site } }) =>
    queryClient.ensureInfiniteQueryData(authorsQuery(site, '')),
  component: lazyPage(() => import('./authors-page.tsx'), 'AuthorsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/authors/new',
  component: lazyPage(() => import('./author-page.tsx'), 'NewAuthorPage'),
});

const authorRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/authors/$author',
  loader: ({ context: { queryClient }, params: { site, author } }) =>
    queryClient.ensureQueryData(authorQuery(site, author)),
  component: lazyPage(() => import('./author-page.tsx'), 'AuthorPage'),
});

export const authorRoutes = [listRoute, newRoute, authorRoute] as const;
