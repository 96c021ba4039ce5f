// One content object: the frame with its tabs and its status bar, and the tab with the form. Other tabs are routes below
// the frame's.

import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { siteRoute } from '../app/site-route.ts';
import { typesQuery } from '../types/type-queries.ts';
import { contentQuery } from './content-queries.ts';
import { prepareDraft } from './draft/open-drafts.ts';

export const editorFrameRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/content/$id',
  beforeLoad: async ({ context: { user }, params: { site, id }, preload }) => {
    if (!preload) await prepareDraft({ user: user.id, site, content: id });
  },
  loader: ({ context: { queryClient }, params: { site, id } }) =>
    Promise.all([queryClient.ensureQueryData(contentQuery(site, id)), queryClient.ensureQueryData(typesQuery(site))]),
  component: lazyPage(() => import('./editor-frame.tsx'), 'EditorFrame'),
});

const editRoute = createRoute({
  getParentRoute: () => editorFrameRoute,
  path: '/',
  component: lazyPage(() => import('./edit-page.tsx'), 'EditPage'),
});

export const editorRoutes = [editRoute] as const;
