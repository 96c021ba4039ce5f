// What the preparation of content has been told of the database: sites with their catalogs, and numbers of authors.

import type { Catalog } from '../content/catalog.ts';
import type { ContentRecord } from './content-record.ts';
import type { PreparationAnswer, PreparationQuestion } from './preparation-messages.ts';
import type { PreparationSite } from './prepare-content.ts';

interface KnownSite extends PreparationSite {
  readonly catalog: Catalog;
  readonly authors: Map<string, number | null>;
}

/** Of how many authors the numbers are kept; a site that has more is asked for them again. */
const MOST_AUTHORS = 100_000;

export class KnownSites {
  readonly #sites = new Map<string, KnownSite | null>();

  find(siteId: string): PreparationSite | undefined {
    return this.#sites.get(siteId) ?? undefined;
  }

  /** What the records refer to and nobody has told yet; undefined where all is known. */
  findUnknown(records: readonly (ContentRecord | undefined)[]): PreparationQuestion | undefined {
    const sites = new Set<string>();
    const authors = new Map<string, { readonly site: string; readonly id: string }>();
    for (const record of records) {
      if (record === undefined) continue;
      const { site, author: id } = record;
      const known = this.#sites.get(site);
      if (known === undefined) sites.add(site);
      if (id !== null && known !== null && !known?.authors.has(id)) authors.set(`${site}/${id}`, { site, id });
    }
    if (sites.size === 0 && authors.size === 0) return undefined;
    return { sites: [...sites], authors: [...authors.values()] };
  }

  learn({ sites, authors }: PreparationAnswer): void {
    for (const { id, catalog } of sites) this.#sites.set(id, catalog && { catalog, authors: new Map() });
    for (const site of this.#sites.values())
      if (site !== null && site.authors.size > MOST_AUTHORS) site.authors.clear();
    for (const { site, id, no } of authors) this.#sites.get(site)?.authors.set(id, no);
  }
}
