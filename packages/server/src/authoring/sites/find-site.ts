// Keeps accounts apart: every operation on a site, or on anything in it, looks up the site here.

import type { Catalog } from '../../content/catalog.ts';
import { type SiteRecord, selectCatalog, selectSiteRecord } from '../../storage/sites/select-catalog.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import type { Reader } from '../desk.ts';

export function findSite(job: Reader, siteId: string): Promise<SiteRecord> {
  return job.run(selectOwnSite(job.actor, siteId));
}

/** Like `findSite`, but as part of a larger query. Sites that belong to other accounts are reported as not found. */
export function* selectOwnSite(actor: Actor, siteId: string): Procedure<SiteRecord> {
  const site = yield* findOwnSite(actor, siteId);
  if (site === undefined) throw refuseAbsent(`There is no site ${siteId}.`);
  return site;
}

/** Undefined if the account has no such site. */
export function findOwnSite(actor: Actor, siteId: string): Procedure<SiteRecord | undefined> {
  return selectSiteRecord(actor.accountNo, siteId);
}

export function findCatalog(job: Reader, siteId: string): Promise<Catalog> {
  return job.run(selectOwnCatalog(job.actor, siteId));
}

/** Like `findCatalog`, but as part of a larger query. */
export function* selectOwnCatalog(actor: Actor, siteId: string): Procedure<Catalog> {
  const site = yield* selectOwnSite(actor, siteId);
  const loaded = yield* selectCatalog(site.no);
  if (loaded === undefined) throw new Error(`Site ${siteId} has no catalog`);
  return loaded.catalog;
}
