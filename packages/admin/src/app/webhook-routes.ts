// A site's webhook pages, for owners.

import { createRoute } from '@tanstack/react-router';
import { typesQuery } from '../content/type-queries.ts';
import { CALL_STATES, type CallState, callQuery, callsQuery } from '../webhooks/call-queries.ts';
import { webhookQuery, webhooksQuery } from '../webhooks/webhook-queries.ts';
import { lazyPage } from './lazy-page.ts';
import { requireOwner, siteRoute } from './parent-routes.ts';

const webhooksRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/webhooks',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { site } }) => queryClient.ensureQueryData(webhooksQuery(site)),
  component: lazyPage(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

/** IDs start with `wh_`, so no webhook can have this path. */
const newWebhookRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/webhooks/new',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { site } }) => queryClient.ensureQueryData(typesQuery(site)),
  component: lazyPage(() => import('../webhooks/new-webhook-page.tsx'), 'NewWebhookPage'),
});

interface CallSearch {
  /** If set, only calls in this state are shown. */
  readonly state?: CallState | undefined;
}

const webhookRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/webhooks/$webhook',
  validateSearch: ({ state }: Readonly<Record<string, unknown>>): CallSearch => ({
    state: CALL_STATES.find((known) => known === state),
  }),
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { site, webhook } }) =>
    Promise.all([
      queryClient.ensureQueryData(webhookQuery(site, webhook)),
      queryClient.ensureInfiniteQueryData(callsQuery({ site, webhook }, undefined)),
    ]),
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/webhooks/$webhook/settings',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { site, webhook } }) =>
    Promise.all([
      queryClient.ensureQueryData(webhookQuery(site, webhook)),
      queryClient.ensureQueryData(typesQuery(site)),
    ]),
  component: lazyPage(() => import('../webhooks/webhook-settings-page.tsx'), 'WebhookSettingsPage'),
});

const callRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: '/webhooks/$webhook/calls/$call',
  beforeLoad: requireOwner,
  loader: ({ context: { queryClient }, params: { site, webhook, call } }) =>
    Promise.all([
      queryClient.ensureQueryData(webhookQuery(site, webhook)),
      queryClient.ensureQueryData(callQuery({ site, webhook }, call)),
    ]),
  component: lazyPage(() => import('../webhooks/call-page.tsx'), 'CallPage'),
});

export const webhookRoutes = [webhooksRoute, newWebhookRoute, webhookRoute, settingsRoute, callRoute] as const;
