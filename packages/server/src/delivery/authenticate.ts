// Who is calling, and may they? The checks stand in the order that the API promises; each has one answer.

import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import type { AccessRow, Audience } from '../storage/port.ts';

export interface Caller {
  readonly keyId: string;
  readonly mayPreview: boolean;
  /** Requests a minute; null where the key has no limit of its own. */
  readonly rateLimit: number | null;
  readonly siteNo: number;
  readonly catalogVersion: number;
}

const MOST_TOKEN_CHARACTERS = 512;

/** The token of an Authorization header; undefined where there is none that could be one. */
export function parseToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const space = authorization.indexOf(' ');
  if (space !== 6 || authorization.slice(0, 6).toLowerCase() !== 'bearer') return undefined;
  const token = authorization.slice(7).trim();
  return token === '' || token.includes(' ') || token.length > MOST_TOKEN_CHARACTERS ? undefined : token;
}

/** @param access what the database knows of the token and the site together */
export function checkAccess(access: AccessRow | undefined, siteId: string, now: number): Result<Caller, Problem> {
  if (access === undefined || !isLive(access, now)) return fail(PROBLEMS.unauthenticated);
  if (siteId === '') return fail(PROBLEMS.siteMissing);
  if (access.site_no === null || access.catalog === null) return fail(PROBLEMS.siteInvalid);
  if (access.may_read_site === 0) return fail(PROBLEMS.siteForbidden);
  return ok({
    keyId: access.key_id,
    mayPreview: access.may_preview === 1,
    rateLimit: access.rate_limit,
    siteNo: access.site_no,
    catalogVersion: access.catalog,
  });
}

function isLive(access: AccessRow, now: number): boolean {
  return access.revoked_at === null && (access.expires_at === null || access.expires_at > now);
}

export function chooseAudience(caller: Caller, wantsPreview: boolean): Result<Audience, Problem> {
  if (!wantsPreview) return ok('public');
  return caller.mayPreview ? ok('preview') : fail(PROBLEMS.previewForbidden);
}
