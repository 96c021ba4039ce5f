import { type KeyRecord, selectKey, selectSite } from '../../storage/port.ts';
import { AuthoringRefusal, refuseAbsent } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';

export interface ApiKeyRights {
  readonly name: string;
  /** Null means every site of the account, those of the future too. */
  readonly siteIds: readonly string[] | null;
  readonly mayPreview: boolean;
  readonly expiresAt: number | null;
  /** Requests a minute; 0 for no limit, null for the server's. */
  readonly rateLimit: number | null;
}

/** The numbers of sites of the actor's own account. */
export async function findSiteNos(
  job: Pick<Job, 'actor' | 'run'>,
  siteIds: readonly string[] | null,
): Promise<readonly number[] | null> {
  if (siteIds === null) return null;
  const siteNos: number[] = [];
  for (const [index, siteId] of siteIds.entries()) {
    const site = await job.run(selectSite(siteId));
    if (site === undefined || site.accountNo !== job.actor.accountNo) {
      const faults = [{ path: `sites[${index}]`, message: `names no site; got ${JSON.stringify(siteId)}` }];
      throw new AuthoringRefusal(`There is no site ${siteId}.`, { reason: 'invalid', faults });
    }
    siteNos.push(site.no);
  }
  return [...new Set(siteNos)];
}

/** A key of the actor's account; another account's is as good as none. */
export async function findKey(job: Job, keyId: string): Promise<KeyRecord> {
  const key = await job.run(selectKey(job.actor.accountNo, keyId));
  if (key === undefined) throw refuseAbsent(`There is no API key ${keyId}.`);
  return key;
}
