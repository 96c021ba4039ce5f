// Draft mode uses a cookie that contains the preview secret or the token of a share link. Pages in draft mode use that secret or token as
// their API key. Once the secret is replaced or the share link is revoked, the next request therefore ends draft mode.

import { isForbidden, isRateLimited, isUnauthenticated } from '@galley/client';

export interface Preview {
  /** The API key for this visitor. */
  readonly token: string;
  /**
   * Whether this is the token of a share link, which shows one draft and the content linked from it. The preview secret shows all drafts.
   */
  readonly isShared: boolean;
}

/** The content that a visitor may read. */
export type Access = 'published' | Preview;

export const DRAFT_COOKIE = 'galley_draft';
/** The page that people see when their preview has ended. */
export const ENDED_PATH = '/preview-ended';
/** Ends draft mode and redirects to `ENDED_PATH`. */
export const ENDING_PATH = '/api/draft/leave?ended';

const TOKEN = /^(gps|gsh)_[\w-]{1,200}$/;
/**
 * The panel shows the site in a frame, where the site's cookies are third-party cookies. Browsers that block third-party cookies still
 * accept partitioned ones, which must be Secure; http://localhost counts as secure.
 */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None; Partitioned';
const TWELVE_HOURS = 12 * 60 * 60;

/** @returns the `Set-Cookie` header that turns draft mode on */
export function buildDraftCookie({ token }: Preview): string {
  return `${DRAFT_COOKIE}=${token}; Max-Age=${TWELVE_HOURS}; ${ATTRIBUTES}`;
}

/** The `Set-Cookie` header that turns draft mode off. */
export const ENDED_COOKIE = `${DRAFT_COOKIE}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${ATTRIBUTES}`;

/** @returns undefined if the text cannot be a token. Only Galley can tell whether a token is valid. */
export function parseToken(text: string): Preview | undefined {
  const [, prefix] = TOKEN.exec(text) ?? [];
  return prefix === undefined ? undefined : { token: text, isShared: prefix === 'gsh' };
}

/** @param cookie the value of the visitor's draft cookie */
export function readAccess(cookie: string | undefined): Access | 'ended' {
  return cookie ? (parseToken(cookie) ?? 'ended') : 'published';
}

/** Returns the reason why Galley rejected a token, or undefined for errors that have nothing to do with the token. */
export function explainRefusal(error: unknown): 'ended' | 'busy' | undefined {
  if (isUnauthenticated(error) || isForbidden(error)) return 'ended';
  return isRateLimited(error) ? 'busy' : undefined;
}
