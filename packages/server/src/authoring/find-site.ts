import type { Catalog, Site } from '../content/catalog.ts';
import { selectCatalog, selectSite } from '../storage/port.ts';
import { refuseAbsent } from './authoring-refusal.ts';
import type { Reader } from './reader.ts';

/** A site of the actor's account; another account's is as good as none. */
export async function findSite(job: Reader, siteId: string): Promise<Site> {
  const site = await job.run(selectSite(siteId));
  if (site === undefined || site.accountNo !== job.actor.accountNo) throw refuseAbsent(`There is no site ${siteId}.`);
  return site;
}

export async function findCatalog(job: Reader, siteId: string): Promise<Catalog> {
  const site = await findSite(job, siteId);
  const loaded = await job.run(selectCatalog(site.no));
  if (loaded === undefined) throw new Error(`The site ${siteId} has no catalog`);
  return loaded.catalog;
}
