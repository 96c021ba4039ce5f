// Answers /api/draft?secret=…&id=… and /api/draft/leave. Redirects only to the page of an existing content object, or within this site.

import { isForbidden, isUnauthenticated } from '@galley/client';
import { buildPath } from './build-path.ts';
import type { Content } from './content.ts';
import {
  type Access,
  buildDraftCookie,
  ENDED_COOKIE,
  ENDED_PATH,
  isPreviewSecret,
  isShareToken,
} from './draft-mode.ts';
import { findById } from './read-content.ts';

/** The secret is in the URL, so the URL must not be sent to other sites or stored in a cache. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' } as const;

/** Turns draft mode on and redirects to the page of the content object. */
export async function answerDraftRequest(query: URLSearchParams): Promise<Response> {
  const access = chooseAccess(query.get('secret') ?? '');
  if (access === undefined) return refuse(401, 'The secret is wrong.');
  const id = query.get('id') ?? '';
  if (!/^[\w-]{1,64}$/.test(id)) return refuse(400, 'id must be the ID of a content object.');
  const content = await findDraft(id, access);
  if (content === 'ended') return redirect(ENDED_PATH, ENDED_COOKIE);
  if (content === undefined) return refuse(404, 'Content not found.');
  return redirect(buildPath(content.uri), buildDraftCookie(access));
}

/** Turns draft mode off. With `ended` in the query, the visitor learns that the preview link no longer works. */
export function answerLeaveRequest(query: URLSearchParams): Response {
  return redirect(query.has('ended') ? ENDED_PATH : '/', ENDED_COOKIE);
}

function chooseAccess(secret: string): Exclude<Access, 'published'> | undefined {
  if (isShareToken(secret)) return { shareToken: secret };
  return isPreviewSecret(secret) ? 'drafts' : undefined;
}

async function findDraft(id: string, access: Access): Promise<Content | 'ended' | undefined> {
  try {
    return await findById(id, access, { fetchOptions: { cache: 'no-store' } });
  } catch (error) {
    const isRefused = isUnauthenticated(error) || isForbidden(error);
    if (typeof access === 'object' && isRefused) return 'ended';
    throw error;
  }
}

function refuse(status: number, message: string): Response {
  return new Response(message, { status, headers: HEADERS });
}

function redirect(path: string, cookie: string): Response {
  return new Response(null, { status: 307, headers: { ...HEADERS, Location: path, 'Set-Cookie': cookie } });
}
