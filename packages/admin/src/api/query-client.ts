// The cache for all queries. A request is retried only after errors that may be temporary.

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  onlineManager,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { ApiError, ConnectionError, isUnauthenticated } from './api-error.ts';

const MOST_RETRIES = 2;
const FRESH_MS = 5_000;

/** @param onSignedOut called when the service no longer recognises the session */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (isUnauthenticated(error)) onSignedOut();
  };
  return new PanelQueries({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        // A failed sign-in returns the same status, but does not end a session.
        if (mutation.meta?.isSignIn !== true) onError(error);
      },
    }),
    defaultOptions: {
      // Without a network, a query fails immediately instead of waiting silently.
      queries: { staleTime: FRESH_MS, retry: mayRetry, networkMode: 'always', refetchOnReconnect: true },
      mutations: { networkMode: 'always' },
    },
  });
}

/**
 * Queries are invalidated after a change. If a request was sent before the change, its response may not include the change. A query that is
 * still waiting for such a response is therefore invalidated again when the response arrives.
 */
class PanelQueries extends QueryClient {
  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    const waiting = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter((query) => query.state.data === undefined || !query.isActive());
    const reloaded = super.invalidateQueries(filters, options);
    for (const query of waiting) void this.#invalidateLater(query, filters, options);
    await reloaded;
  }

  async #invalidateLater(query: Query, filters: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    await Promise.allSettled([query.promise]);
    await super.invalidateQueries({ ...filters, predicate: (other) => other === query }, options);
  }
}

function mayRetry(failures: number, error: Error): boolean {
  if (failures >= MOST_RETRIES || !onlineManager.isOnline()) return false;
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}

/**
 * Makes a call from outside a component as a mutation, so that the panel notices if the session has ended. The request is sent at once,
 * before React renders what has changed. The response is not cached: a preview makes several such calls a second.
 */
export function runMutation<Answer>(queryClient: QueryClient, call: () => Promise<Answer>): Promise<Answer> {
  const answer = call();
  return queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: () => answer, gcTime: 0 })
    .execute(undefined);
}
