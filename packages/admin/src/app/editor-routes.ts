// The routes for one content object: the frame with the status bar, and the tabs as its child routes.

import type { QueryClient } from '@tanstack/react-query';
import { createRoute } from '@tanstack/react-router';
import { typesQuery } from '../content/type-queries.ts';
import { contentQuery } from '../editor/content-calls.ts';
import { prepareDraft } from '../editor/draft/open-drafts.ts';
import { siteQuery } from '../sites/site-queries.ts';
import { backlinksQuery, deliveredQuery, versionsQuery } from '../tabs/tab-queries.ts';
import { lazyPage } from './lazy-page.ts';
import { siteRoute } from './parent-routes.ts';

interface LoaderInput {
  readonly context: { readonly queryClient: QueryClient };
  readonly params: { readonly site: string; readonly id: string };
}

const frameRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/content/$id',
  beforeLoad: async ({ context: { user }, params: { site, id }, preload }) => {
    if (!preload) await prepareDraft({ user: user.id, site, content: id });
  },
  loader: ({ context: { queryClient }, params: { site, id } }) =>
    Promise.all([queryClient.ensureQueryData(contentQuery(site, id)), queryClient.ensureQueryData(typesQuery(site))]),
  component: lazyPage(() => import('../editor/editor-frame.tsx'), 'EditorFrame'),
});

const editRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: lazyPage(() => import('../editor/edit-page.tsx'), 'EditPage'),
});

/** The preview belongs to the frame, so that it stays loaded when people open another tab. */
const previewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/preview',
  component: () => null,
});

interface LanguagesSearch {
  /** The language to compare with; by default, the first other language. */
  readonly beside?: string | undefined;
}

const languagesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/languages',
  validateSearch: ({ beside }: Record<string, unknown>): LanguagesSearch => ({
    beside: typeof beside === 'string' ? beside : undefined,
  }),
  loader: ({ context: { queryClient }, params: { site } }: LoaderInput) => queryClient.ensureQueryData(siteQuery(site)),
  component: lazyPage(() => import('../tabs/languages/languages-page.tsx'), 'LanguagesPage'),
});

const seoRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/seo',
  component: lazyPage(() => import('../tabs/seo/seo-page.tsx'), 'SeoPage'),
});

interface HistorySearch {
  /** The version to show; by default, the newest. */
  readonly version?: number | undefined;
  /** The version to compare it with; by default, the previous one. */
  readonly against?: 'newest' | undefined;
  /** Whether to show this save alone, without the other saves in its session. */
  readonly alone?: true | undefined;
}

const historyRoute = createRoute({
  getParentRoute: () => frameRoute,
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
  component: lazyPage(() => import('../tabs/history/history-page.tsx'), 'HistoryPage'),
});

const linksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/links',
  loader: async ({ context: { queryClient }, params: { site, id } }: LoaderInput) => {
    const content = await queryClient.ensureQueryData(contentQuery(site, id));
    return queryClient.ensureQueryData(backlinksQuery(site, content));
  },
  component: lazyPage(() => import('../tabs/links/links-page.tsx'), 'LinksPage'),
});

const apiRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/api',
  loader: async ({ context: { queryClient }, params: { site, id } }: LoaderInput) => {
    const content = await queryClient.ensureQueryData(contentQuery(site, id));
    return queryClient.ensureQueryData(deliveredQuery(site, content));
  },
  component: lazyPage(() => import('../tabs/api/api-page.tsx'), 'ApiPage'),
});

export const editorRoute = frameRoute.addChildren([
  editRoute,
  previewRoute,
  languagesRoute,
  seoRoute,
  historyRoute,
  linksRoute,
  apiRoute,
]);
