// Handles /api/draft?secret=…&id=… and /api/draft/leave. Redirects only to the page of an existing content object, or to another page of
// this site.

import { buildPath } from './build-path.ts';
import type { Content } from './content.ts';
import { buildDraftCookie, ENDED_COOKIE, ENDED_PATH, explainRefusal, type Preview, parseToken } from './draft-mode.ts';
import { findById } from './read-content.ts';

/** The secret is in the URL, so the URL must not be sent to other sites or stored in a cache. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' } as const;

/** Turns draft mode on and redirects to the page of the content object. Galley checks the secret. */
export async function answerDraftRequest(query: URLSearchParams): Promise<Response> {
  const preview = parseToken(query.get('secret') ?? '');
  if (preview === undefined) return refuse(401, 'The secret is wrong.');
  const id = query.get('id') ?? '';
  if (!/^[\w-]{1,64}$/.test(id)) return refuse(400, 'id must be the ID of a content object.');
  const content = await findDraft(id, preview);
  if (content === 'ended') return redirect(ENDED_PATH, ENDED_COOKIE);
  if (content === 'busy') return answerBusy();
  if (content === 'failed') return refuse(502, 'The draft cannot be read at the moment. Try again later.');
  if (content === undefined) return refuse(404, 'Content not found.');
  return redirect(buildPath(content.uri), buildDraftCookie(preview));
}

/** Turns draft mode off. With `ended` in the query, the visitor is told that the preview link no longer works. */
export function answerLeaveRequest(query: URLSearchParams): Response {
  return redirect(query.has('ended') ? ENDED_PATH : '/', ENDED_COOKIE);
}

/** The response for visitors whose token has been used for too many requests. */
export function answerBusy(): Response {
  return refuse(503, 'Too many people are looking at this preview. Try again in a minute.', { 'Retry-After': '60' });
}

async function findDraft(id: string, preview: Preview): Promise<Content | 'ended' | 'busy' | 'failed' | undefined> {
  try {
    return await findById(id, preview, { fetchOptions: { cache: 'no-store' } });
  } catch (error) {
    const refusal = explainRefusal(error);
    if (refusal !== undefined) return refusal;
    // The framework's own error page would not have the headers of this route.
    console.error(error);
    return 'failed';
  }
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(message, { status, headers: { ...HEADERS, ...headers } });
}

function redirect(path: string, cookie: string): Response {
  return new Response(null, { status: 307, headers: { ...HEADERS, Location: path, 'Set-Cookie': cookie } });
}
