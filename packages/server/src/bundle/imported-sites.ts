// The sites that a bundle speaks of, as they stand once its catalog records are written.

import type { Catalog } from '../content/catalog.ts';
import { selectCatalog, selectSite, type Transaction } from '../storage/port.ts';
import { BundleFault } from './read-bundle-lines.ts';

interface SiteReference {
  readonly kind: string;
  readonly id: string;
}

export class ImportedSites {
  /** Sites whose catalog the import has changed. */
  readonly changedCatalogs = new Set<number>();
  readonly #transaction: Transaction;
  readonly #numbers = new Map<string, number>();
  readonly #catalogs = new Map<number, Catalog>();

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  async numberOf(line: number, { kind, id }: SiteReference, siteId: string): Promise<number> {
    const known = this.#numbers.get(siteId);
    if (known !== undefined) return known;
    const site = await this.#transaction.run(selectSite(siteId));
    if (site === undefined) throw new BundleFault(line, `${kind} ${id}: site ${siteId} does not exist`);
    this.#numbers.set(siteId, site.no);
    return site.no;
  }

  /** Null where there is no such site. To be called when all catalog records are written. */
  async findCatalog(siteId: string): Promise<Catalog | null> {
    const siteNo = this.#numbers.get(siteId) ?? (await this.#transaction.run(selectSite(siteId)))?.no;
    return siteNo === undefined ? null : this.catalogOf(siteNo);
  }

  /** To be called when all catalog records are written. */
  async catalogOf(siteNo: number): Promise<Catalog> {
    const known = this.#catalogs.get(siteNo);
    if (known !== undefined) return known;
    const loaded = await this.#transaction.run(selectCatalog(siteNo));
    if (loaded === undefined) throw new Error('A site vanished during its import');
    this.#catalogs.set(siteNo, loaded.catalog);
    return loaded.catalog;
  }
}
