// The cache for all queries. A request is retried only after errors that may be temporary.

import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, ConnectionError, isUnauthenticated } from './api-error.ts';

const MOST_RETRIES = 2;
const FRESH_MS = 5_000;

/** @param onSignedOut called when the service no longer recognises the session */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (isUnauthenticated(error)) onSignedOut();
  };
  return new QueryClient({
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
