// The tabs beside the editor's form.

import type { QueryClient } from '@tanstack/react-query';
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { contentQuery } from '../editor/content-queries.ts';
import { editorFrameRoute } from '../editor/editor-routes.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { backlinksQuery, deliveredQuery, versionsQuery } from './history-queries.ts';

interface LoaderInput {
  readonly context: { readonly queryClient: QueryClient };
  readonly params: { readonly site: string; readonly id: string };
}

interface HistorySearch {
  /** The version that is looked at; without it the newest. */
  readonly version?: number | undefined;
  /** What it is compared with; without it the version before. */
  readonly against?: 'newest' | undefined;
  /** The one save, where others are shown as one with it. */
  readonly alone?: true | undefined;
}

const historyRoute = createRoute({
  getParentRoute: () => editorFrameRoute,
  path: '/history',
  validateSearch: ({ version, against, alone }: Record<string, unknown>): HistorySearch => ({
    version: typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? version : undefined,
    against: against === 'newest' ? against : undefined,
    alone: alone === true ? alone : undefined,
  }),
  loader: async ({ context: { queryClient }, params: { site, id } }: LoaderInput) => {
    const content = await queryClient.ensureQueryData(contentQuery(site, id));
    return queryClient.ensureInfiniteQueryData(versionsQuery(site, content));
  },
  component: lazyPage(() => import('./history-page.tsx'), 'HistoryPage'),
});

interface LanguagesSearch {
  /** The language that stands beside this one; without it the first other. */
  readonly beside?: string | undefined;
}

const languagesRoute = createRoute({
  getParentRoute: () => editorFrameRoute,
  path: '/languages',
  validateSearch: ({ beside }: Record<string, unknown>): LanguagesSearch => ({
    beside: typeof beside === 'string' ? beside : undefined,
  }),
  loader: ({ context: { queryClient }, params: { site } }: LoaderInput) => queryClient.ensureQueryData(siteQuery(site)),
  component: lazyPage(() => import('./languages-page.tsx'), 'LanguagesPage'),
});

const seoRoute = createRoute({
  getParentRoute: () => editorFrameRoute,
  path: '/seo',
  component: lazyPage(() => import('./seo-page.tsx'), 'SeoPage'),
});

const linksRoute = createRoute({
  getParentRoute: () => editorFrameRoute,
  path: '/links',
  loader: async ({ context: { queryClient }, params: { site, id } }: LoaderInput) => {
    const content = await queryClient.ensureQueryData(contentQuery(site, id));
    return queryClient.ensureQueryData(backlinksQuery(site, content));
  },
  component: lazyPage(() => import('./links-page.tsx'), 'LinksPage'),
});

const apiRoute = createRoute({
  getParentRoute: () => editorFrameRoute,
  path: '/api',
  loader: async ({ context: { queryClient }, params: { site, id } }: LoaderInput) => {
    const content = await queryClient.ensureQueryData(contentQuery(site, id));
    return queryClient.ensureQueryData(deliveredQuery(site, content));
  },
  component: lazyPage(() => import('./api-page.tsx'), 'ApiPage'),
});

export const historyRoutes = [historyRoute, languagesRoute, seoRoute, linksRoute, apiRoute] as const;
