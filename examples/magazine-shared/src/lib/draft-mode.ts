// Draft mode is a cookie. It contains proof of the preview secret or the token of a share link, and is checked on every request: it
// stops working as soon as the secret is replaced or the share link is revoked.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { isForbidden, isUnauthenticated } from '@galley/client';
import { openSite } from './read-content.ts';
import { readVariable } from './read-variable.ts';

/** What a visitor may read: what is published, all drafts, or what a share link shows. */
export type Access = 'published' | 'drafts' | { readonly shareToken: string };

export const DRAFT_COOKIE = 'galley_draft';
/** The page for people whose preview has ended. */
export const ENDED_PATH = '/preview-ended';
/** Ends draft mode and shows that page. */
export const ENDING_PATH = '/api/draft/leave?ended';

const SHARE_TOKEN = /^gsh_[\w-]{1,200}$/;
/**
 * The panel shows the site in a frame, where its cookies are third-party cookies. Browsers that block those accept partitioned cookies,
 * which they require to be Secure; they treat http://localhost as secure.
 */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';

/** @returns the `Set-Cookie` header that turns draft mode on */
export function buildDraftCookie(access: Exclude<Access, 'published'>): string {
  const value = access === 'drafts' ? proveSecret() : access.shareToken;
  if (value === undefined) throw new Error('GALLEY_PREVIEW_SECRET is not set.');
  return `${DRAFT_COOKIE}=${value}; ${ATTRIBUTES}`;
}

/** The `Set-Cookie` header that turns draft mode off. */
export const ENDED_COOKIE = `${DRAFT_COOKIE}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${ATTRIBUTES}`;

/**
 * @param cookie the value of the visitor's draft cookie
 * @returns `ended` if the cookie is no longer valid
 */
export async function checkAccess(cookie: string | undefined): Promise<Access | 'ended'> {
  if (!cookie) return 'published';
  if (isShareToken(cookie)) return (await isAccepted(cookie)) ? { shareToken: cookie } : 'ended';
  const proof = proveSecret();
  return proof !== undefined && isSame(cookie, proof) ? 'drafts' : 'ended';
}

export function isShareToken(text: string): boolean {
  return SHARE_TOKEN.test(text);
}

/** Whether this is the site's preview secret. If no secret is set, none is right. */
export function isPreviewSecret(text: string): boolean {
  const secret = readVariable('GALLEY_PREVIEW_SECRET');
  return Boolean(secret) && isSame(text, secret ?? '');
}

/** Only someone who knows the secret can compute this value, and the secret cannot be computed from it. */
function proveSecret(): string | undefined {
  const secret = readVariable('GALLEY_PREVIEW_SECRET');
  return secret ? createHmac('sha256', secret).update('draft mode').digest('base64url') : undefined;
}

async function isAccepted(shareToken: string): Promise<boolean> {
  try {
    await openSite({ shareToken }).getContent({ params: { limit: 1 } }, { fetchOptions: { cache: 'no-store' } });
    return true;
  } catch (error) {
    if (isUnauthenticated(error) || isForbidden(error)) return false;
    throw error;
  }
}

/** Takes the same time no matter where the two texts differ. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'comparison').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
