// Every request of the panel. The session travels in its cookie, which no script can read; what changes something also
// carries the session's CSRF token, which is kept in this variable and nowhere else.

import { ConnectionError } from './api-error.ts';

interface Caller {
  /** Whom this page belongs to. */
  readonly user: string | null;
  readonly csrfToken: string | null;
}

const NOBODY: Caller = { user: null, csrfToken: null };

let caller = NOBODY;

export function keepCaller(next: Caller | undefined): void {
  caller = next ?? NOBODY;
}

export async function sendRequest(request: Request): Promise<Response> {
  if (request.method === 'GET') return fetchOrFail(request);
  const again = request.clone();
  const sent = caller;
  const response = await fetchOrFail(withToken(request, sent));
  if (response.status !== 403) return response;
  // Another tab may have signed in anew: then the cookie is newer than the token.
  const now = await readCaller();
  if (now === undefined || now.csrfToken === sent.csrfToken) return response;
  // As somebody else: what is done here is not theirs, so for this page the session has ended.
  if (now.user !== sent.user) return new Response(JSON.stringify({ message: 'Unauthenticated.' }), { status: 401 });
  keepCaller(now);
  return fetchOrFail(withToken(again, now));
}

function withToken(request: Request, { csrfToken }: Caller): Request {
  if (csrfToken !== null) request.headers.set('x-csrf-token', csrfToken);
  return request;
}

async function readCaller(): Promise<Caller | undefined> {
  const response = await fetchOrFail(new Request('/manage/v1/session'));
  const session: unknown = response.ok ? await response.json() : undefined;
  return isSession(session) ? { user: session.user.id, csrfToken: session.csrf_token } : undefined;
}

function isSession(body: unknown): body is { readonly csrf_token: string; readonly user: { readonly id: string } } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'csrf_token' in body &&
    typeof body.csrf_token === 'string' &&
    'user' in body &&
    typeof body.user === 'object' &&
    body.user !== null &&
    'id' in body.user &&
    typeof body.user.id === 'string'
  );
}

async function fetchOrFail(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ConnectionError(error);
  }
}
