// What was asked for, remembered. Refusals are final; only what a second try can mend is tried again.

import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, ConnectionError, isUnauthenticated } from './api-error.ts';

const MOST_RETRIES = 2;
const FRESH_MS = 5_000;

/** @param onSignedOut called when the service no longer knows the session */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (isUnauthenticated(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        // Signing in is refused with the same status, and is no news about a session.
        if (mutation.meta?.isSignIn !== true) onError(error);
      },
    }),
    defaultOptions: {
      // Without a network a question fails like any other, instead of waiting for one unseen.
      queries: { staleTime: FRESH_MS, retry: mayRetry, networkMode: 'always', refetchOnReconnect: true },
      mutations: { networkMode: 'always' },
    },
  });
}

function mayRetry(failures: number, error: Error): boolean {
  if (failures >= MOST_RETRIES || !onlineManager.isOnline()) return false;
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}
