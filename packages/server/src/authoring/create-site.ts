import type { Site } from '../content/catalog.ts';
import { type Storage, selectSite, writeSite } from '../storage/port.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';

export interface SiteRequest {
  readonly accountNo: number;
  readonly id: string;
  readonly name: string;
  /** Without a trailing slash; null where the site has no address. */
  readonly url: string | null;
  readonly defaultLanguage: string;
  /** The default language among them. */
  readonly languages: readonly string[];
  readonly now: number;
}

export async function createSite(storage: Storage, { now, ...site }: SiteRequest): Promise<Site> {
  return storage.transaction(async (transaction) => {
    const known = await transaction.run(selectSite(site.id));
    if (known !== undefined) throw new AuthoringRefusal(`There is a site ${site.id} already: ${known.name}.`);
    const { no } = await transaction.run(writeSite(site, now));
    return { no, ...site };
  });
}
