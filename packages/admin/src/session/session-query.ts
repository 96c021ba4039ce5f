// The signed-in user. The response is cached until somebody signs in or out, or the service rejects the session.

import type { SessionBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { isUnauthenticated } from '../api/api-error.ts';
import { keepCaller } from '../api/send-request.ts';
import { bringFormsBack, keepOpenForms } from '../forms/kept-forms.ts';
import { endUnsavedWork } from '../forms/unsaved-work.ts';

const LOST = ['session-lost'];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
  // This query is never removed from the cache, because every navigation uses it even though no component does.
  gcTime: Number.POSITIVE_INFINITY,
});

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => readAnswer(api.GET('/manage/v1/setup')),
});

/** Null if nobody is signed in. */
async function readSession(): Promise<SessionBody | null> {
  try {
    const session = await readAnswer(api.GET('/manage/v1/session'));
    keepCaller({ user: session.user?.id ?? null, csrfToken: session.csrf_token });
    return session;
  } catch (error) {
    if (isUnauthenticated(error)) return null;
    throw error;
  }
}

/** Called after sign-in. Clears cached data, which may belong to another user. */
export function enterSession(queryClient: QueryClient, session: SessionBody): void {
  queryClient.clear();
  bringFormsBack(session.user?.id);
  keepSession(queryClient, session);
}

export function keepSession(queryClient: QueryClient, session: SessionBody): void {
  keepCaller({ user: session.user?.id ?? null, csrfToken: session.csrf_token });
  keepAnswer(queryClient, session);
}

/**
 * Called when the service no longer recognises the session even though nobody has signed out. Keeps open forms for the user who was
 * filling them in.
 */
export function loseSession(queryClient: QueryClient): void {
  const user = queryClient.getQueryData(sessionQuery.queryKey)?.user;
  if (user == null) return;
  keepOpenForms(user.id);
  leaveSession(queryClient);
  queryClient.setQueryData(LOST, true);
}

/** Whether the session ended while somebody was working. */
export function isSessionLost(queryClient: QueryClient): boolean {
  return queryClient.getQueryData(LOST) === true;
}

/**
 * Keeps the data of the page that is currently open. That page may render once more before the sign-in page replaces it, and would then
 * request missing data without a session. `enterSession` removes the data.
 */
export function leaveSession(queryClient: QueryClient): void {
  endUnsavedWork();
  keepCaller(undefined);
  queryClient.removeQueries({ type: 'inactive' });
  keepAnswer(queryClient, null);
}

/** Sets the defaults too, because data set with `setQueryData` uses only the defaults for its key. */
function keepAnswer(queryClient: QueryClient, session: SessionBody | null): void {
  queryClient.setQueryDefaults(sessionQuery.queryKey, { gcTime: Number.POSITIVE_INFINITY });
  queryClient.setQueryData(sessionQuery.queryKey, session);
}
