// What keeps accounts apart: whoever reads or changes a site, or anything in one, comes by it through here.

import { type Procedure, type SiteRecord, selectSiteRecord } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

/** A site of the actor's account; another account's is as good as none. */
export function* selectOwnSite(actor: Actor, siteId: string): Procedure<SiteRecord> {
  const site = yield* findOwnSite(actor, siteId);
  if (site === undefined) throw refuseAbsent(`There is no site ${siteId}.`);
  return site;
}

/** For those who have something else to say where there is none. */
export function findOwnSite(actor: Actor, siteId: string): Procedure<SiteRecord | undefined> {
  return selectSiteRecord(actor.accountNo, siteId);
}
