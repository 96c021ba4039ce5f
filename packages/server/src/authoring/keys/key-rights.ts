import { formatOptionalTimestamp } from '../../content/timestamp.ts';
import { type KeyRecord, type Procedure, selectKey } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseAbsent } from '../authoring-refusal.ts';
import type { Reader } from '../reader.ts';
import { findOwnSite } from '../sites/select-own-site.ts';

export interface ApiKeyRights {
  readonly name: string;
  /** Null means every site of the account, those of the future too. */
  readonly siteIds: readonly string[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  /** Requests a minute; 0 for no limit, null for the server's. */
  readonly rateLimit: number | null;
}

/** As the audit log tells of them. */
export function describeRights({ name, siteIds, mayPreview, expiresAt, rateLimit }: ApiKeyRights) {
  return {
    name,
    sites: siteIds?.toSorted() ?? null,
    preview: mayPreview,
    expires_at: formatOptionalTimestamp(expiresAt),
    rate_limit: rateLimit,
  };
}

/** The numbers of sites of the actor's own account. */
export async function findSiteNos(job: Reader, siteIds: readonly string[] | null): Promise<readonly number[] | null> {
  if (siteIds === null) return null;
  const siteNos: number[] = [];
  for (const [index, siteId] of siteIds.entries()) {
    const site = await job.run(findOwnSite(job.actor, siteId));
    if (site === undefined) {
      const faults = [{ path: `sites[${index}]`, message: `names no site; got ${JSON.stringify(siteId)}` }];
      throw new AuthoringRefusal(`There is no site ${siteId}.`, { reason: 'invalid', faults });
    }
    siteNos.push(site.no);
  }
  return [...new Set(siteNos)];
}

/** A key of the actor's account; another account's is as good as none. */
export function* findKey(actor: Actor, keyId: string): Procedure<KeyRecord> {
  const key = yield* selectKey(actor.accountNo, keyId);
  if (key === undefined) throw refuseAbsent(`There is no API key ${keyId}.`);
  return key;
}
