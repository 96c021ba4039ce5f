// Every request of the panel. The session travels in its cookie, which no script can read; what changes something also
// carries the session's CSRF token, which is kept in this variable and nowhere else.

import { ConnectionError } from './api-error.ts';

let csrfToken: string | null = null;

export function keepCsrfToken(token: string | null): void {
  csrfToken = token;
}

export async function sendRequest(request: Request): Promise<Response> {
  if (request.method === 'GET') return fetchOrFail(request);
  const again = request.clone();
  const sent = csrfToken;
  const response = await fetchOrFail(withToken(request));
  if (response.status !== 403) return response;
  // Another tab may have signed in anew: then the cookie is newer than the token.
  await refreshToken();
  return csrfToken === null || csrfToken === sent ? response : fetchOrFail(withToken(again));
}

function withToken(request: Request): Request {
  if (csrfToken !== null) request.headers.set('x-csrf-token', csrfToken);
  return request;
}

async function refreshToken(): Promise<void> {
  const response = await fetchOrFail(new Request('/manage/v1/session'));
  const session: unknown = response.ok ? await response.json() : undefined;
  if (typeof session !== 'object' || session === null || !('csrf_token' in session)) return;
  if (typeof session.csrf_token === 'string') keepCsrfToken(session.csrf_token);
}

async function fetchOrFail(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ConnectionError(error);
  }
}
