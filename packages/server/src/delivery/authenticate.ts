// Checks who is calling and what they may read, in the documented order. Each check has one error.

import type { AnswerRoom } from '../content/answer-limit.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import type { CatalogMemo, Reading, Visit } from '../storage/delivery-reads.ts';
import type { AccessRow } from '../storage/keys/select-access.ts';
import type { Audience } from '../storage/lists/list-plan.ts';

export interface Caller {
  readonly keyId: string;
  readonly mayPreview: boolean;
  /** Requests per minute; null if the key has no limit of its own. */
  readonly rateLimit: number | null;
  readonly memo: CatalogMemo;
  /** The generation of the site. Changes with everything that the public can see. */
  readonly generation: number;
  /** The version of the site's catalog that public answers show. */
  readonly shownCatalog: number;
}

export function checkVisit(visit: Visit | undefined, siteId: string, now: number): Result<Caller, Problem> {
  if (visit === undefined || !isLive(visit.access, now)) return fail(PROBLEMS.unauthenticated);
  const { access, memo } = visit;
  if (siteId === '') return fail(PROBLEMS.siteMissing);
  if (access.site_no === null || access.generation === null || access.shown_catalog === null)
    return fail(PROBLEMS.siteInvalid);
  if (access.may_read_site === 0 || memo === null) return fail(PROBLEMS.siteForbidden);
  return ok({
    keyId: access.key_id,
    mayPreview: access.may_preview === 1,
    rateLimit: access.rate_limit,
    memo,
    generation: access.generation,
    shownCatalog: access.shown_catalog,
  });
}

function isLive(access: AccessRow, now: number): boolean {
  return access.revoked_at === null && (access.expires_at === null || access.expires_at > now);
}

/** The audience of the request. */
export function openReading({ memo, generation, shownCatalog }: Caller, audience: Audience, room: AnswerRoom): Reading {
  return { memo, generation, version: audience === 'public' ? shownCatalog : memo.version, audience, room };
}

export function chooseAudience(caller: Caller, wantsPreview: boolean): Result<Audience, Problem> {
  if (!wantsPreview) return ok('public');
  return caller.mayPreview ? ok('preview') : fail(PROBLEMS.previewForbidden);
}
