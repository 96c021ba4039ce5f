// A site's webhooks. Galley can send calls at any time, so the pages that show calls reload every few seconds.

import type { WebhookBody, WebhookListBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

export const RELOAD_MS = 3_000;

export function webhooksQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'webhooks'],
    queryFn: (): Promise<WebhookListBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/webhooks', { params: { path: { site } } })),
    select: ({ data }) => data,
  });
}

export function webhookQuery(site: string, webhook: string) {
  return queryOptions({
    queryKey: ['sites', site, 'webhooks', webhook],
    queryFn: (): Promise<WebhookBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/webhooks/{webhook}', { params: { path: { site, webhook } } })),
  });
}

/** Called after a change: updates every copy of the webhook with the API's response. */
export async function keepWebhook(queryClient: QueryClient, site: string, webhook: WebhookBody): Promise<void> {
  queryClient.setQueryData(webhookQuery(site, webhook.id).queryKey, webhook);
  await queryClient.invalidateQueries({ queryKey: webhooksQuery(site).queryKey });
}
