// Checks whether a request may turn draft mode on, and redirects only to the page of an existing content object.

import { createHash, timingSafeEqual } from 'node:crypto';
import { buildPath } from './build-path.ts';
import { findDraft } from './content.ts';
import { readVariable } from './read-variable.ts';

/** The secret is in the URL, so the URL must not be sent to other sites or stored in a cache. */
export const DRAFT_HEADERS = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' } as const;

export type DraftRequest = { readonly path: string } | { readonly status: number; readonly message: string };

/** @param query the query parameters of `/api/draft?secret=…&id=…` */
export async function checkDraftRequest(query: URLSearchParams): Promise<DraftRequest> {
  const secret = readVariable('GALLEY_PREVIEW_SECRET');
  if (!secret || !isSame(query.get('secret') ?? '', secret)) return { status: 401, message: 'The secret is wrong.' };
  const id = query.get('id') ?? '';
  if (!/^[\w-]{1,64}$/.test(id)) return { status: 400, message: 'id must be the ID of a content object.' };
  const content = await findDraft(id);
  if (content === undefined) return { status: 404, message: 'Content not found.' };
  return { path: buildPath(content.uri) };
}

/** Takes the same time no matter where the two strings differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
