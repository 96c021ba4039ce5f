import { type Procedure, type SiteRecord, selectSiteRecord } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

/** A site of the actor's account, to be read from; another account's is as good as none. */
export function* selectOwnSite(actor: Actor, siteId: string): Procedure<SiteRecord> {
  const site = yield* selectSiteRecord(actor.accountNo, siteId);
  if (site === undefined) throw refuseAbsent(`There is no site ${siteId}.`);
  return site;
}
