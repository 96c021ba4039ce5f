import type { WebhookCallBody, WebhookCallDetailsBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';
import { RELOAD_MS, webhookQuery } from './webhook-queries.ts';

export type CallState = WebhookCallBody['state'];

export const CALL_STATES: readonly CallState[] = ['waiting', 'delivered', 'failed'];

export interface WebhookAddress {
  readonly site: string;
  readonly webhook: string;
}

/** The calls to a webhook, newest first. The more pages are loaded, the less often they are reloaded. */
export function callsQuery(path: WebhookAddress, state: CallState | undefined) {
  const queryKey = [...webhookQuery(path.site, path.webhook).queryKey, 'calls', state ?? 'all'];
  const options = endlessQuery<WebhookCallBody>(queryKey, (position, signal) => {
    const query = { ...position, ...(state === undefined ? {} : { state }) };
    return readAnswer(
      api.GET('/manage/v1/sites/{site}/webhooks/{webhook}/calls', { params: { path: { ...path }, query }, signal }),
    );
  });
  return {
    ...options,
    refetchInterval: (query: {
      readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
    }) => RELOAD_MS * (query.state.data?.pages.length ?? 1),
  };
}

export function callQuery(path: WebhookAddress, call: string) {
  return queryOptions({
    queryKey: [...webhookQuery(path.site, path.webhook).queryKey, 'call', call],
    queryFn: (): Promise<WebhookCallDetailsBody> =>
      readAnswer(
        api.GET('/manage/v1/sites/{site}/webhooks/{webhook}/calls/{call}', { params: { path: { ...path, call } } }),
      ),
    refetchInterval: (query) => (query.state.data?.state === 'waiting' ? RELOAD_MS : false),
  });
}

export async function sendTest(queryClient: QueryClient, path: WebhookAddress): Promise<void> {
  await readAnswer(api.POST('/manage/v1/sites/{site}/webhooks/{webhook}/test', { params: { path: { ...path } } }));
  await reloadCalls(queryClient, path);
}

/** @returns the ID of the new call */
export async function sendAgain(queryClient: QueryClient, path: WebhookAddress, call: string): Promise<string> {
  const { id } = await readAnswer(
    api.POST('/manage/v1/sites/{site}/webhooks/{webhook}/calls/{call}/send-again', {
      params: { path: { ...path, call } },
    }),
  );
  await reloadCalls(queryClient, path);
  return id;
}

async function reloadCalls(queryClient: QueryClient, { site, webhook }: WebhookAddress): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: webhookQuery(site, webhook).queryKey });
}
