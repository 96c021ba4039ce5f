// Sends every request from the panel. The session is in an HttpOnly cookie. Requests that change something also include the session's CSRF
// token, which is kept only in memory.

import { ConnectionError } from './api-error.ts';

interface Caller {
  /** The user who is signed in on this page. */
  readonly user: string | null;
  readonly csrfToken: string | null;
}

const NOBODY: Caller = { user: null, csrfToken: null };

let caller = NOBODY;

export function keepCaller(next: Caller | undefined): void {
  caller = next ?? NOBODY;
}

type Fetch = (request: Request) => Promise<Response>;

/** If the service asks for a longer wait, the request fails. */
const LONGEST_WAIT_SECONDS = 2;

export const sendRequest = createSender((request) => fetch(request));

/** @param fetchAnswer sends a request to the service */
export function createSender(fetchAnswer: Fetch): Fetch {
  return async (request) => {
    if (request.method === 'GET') return fetchOrFail(request, fetchAnswer);
    // Only POST requests need an idempotency key, which makes the service process a repeated request only once.
    const isKeyed = request.method === 'POST' && caller.csrfToken !== null;
    if (isKeyed) request.headers.set('idempotency-key', buildKey());
    const sendOnce = (): Promise<Response> =>
      sendAsCaller((csrfToken) => fetchOrFail(withToken(request.clone(), csrfToken), fetchAnswer), fetchAnswer);
    const response = await sendOnce();
    const waitSeconds = Number(response.headers.get('retry-after') ?? Number.POSITIVE_INFINITY);
    if (!isKeyed || response.status !== 503 || waitSeconds > LONGEST_WAIT_SECONDS) return response;
    await new Promise((resolve) => setTimeout(resolve, 1000 * waitSeconds));
    return sendOnce();
  };
}

/** `crypto.randomUUID` is not available over plain HTTP. */
function buildKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param send called with the session's CSRF token, and again if there is a newer one */
export async function sendAsCaller(
  send: (csrfToken: string | null) => Promise<Response>,
  fetchAnswer: Fetch = (request) => fetch(request),
): Promise<Response> {
  const sent = caller;
  const response = await send(sent.csrfToken);
  if (response.status !== 403) return response;
  // If the user has signed in again in another tab, the cookie is newer than the token.
  const now = await readCaller(fetchAnswer);
  if (now === undefined || now.csrfToken === sent.csrfToken) return response;
  // Somebody else has signed in. This page contains the previous user's work, so it treats the session as ended.
  if (now.user !== sent.user) return new Response(JSON.stringify({ message: 'Unauthenticated.' }), { status: 401 });
  keepCaller(now);
  return send(now.csrfToken);
}

function withToken(request: Request, csrfToken: string | null): Request {
  if (csrfToken !== null) request.headers.set('x-csrf-token', csrfToken);
  return request;
}

async function readCaller(fetchAnswer: Fetch): Promise<Caller | undefined> {
  const response = await fetchOrFail(new Request('/manage/v1/session'), fetchAnswer);
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

async function fetchOrFail(request: Request, fetchAnswer: Fetch): Promise<Response> {
  try {
    return await fetchAnswer(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ConnectionError(error);
  }
}
