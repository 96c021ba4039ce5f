import type { Catalog } from '../content/catalog.ts';
import { type Procedure, type SiteRecord, selectCatalog } from '../storage/port.ts';
import type { Actor } from './actor.ts';
import type { Reader } from './reader.ts';
import { selectOwnSite } from './sites/select-own-site.ts';

export function findSite(job: Reader, siteId: string): Promise<SiteRecord> {
  return job.run(selectOwnSite(job.actor, siteId));
}

export function findCatalog(job: Reader, siteId: string): Promise<Catalog> {
  return job.run(selectOwnCatalog(job.actor, siteId));
}

/** The same as part of a larger look-up. */
export function* selectOwnCatalog(actor: Actor, siteId: string): Procedure<Catalog> {
  const site = yield* selectOwnSite(actor, siteId);
  const loaded = yield* selectCatalog(site.no);
  if (loaded === undefined) throw new Error(`The site ${siteId} has no catalog`);
  return loaded.catalog;
}
