// The sites in a bundle, once its catalog records have been written, and the number of each site's records.

import type { Catalog } from '../content/catalog.ts';
import type { Transaction } from '../storage/engine.ts';
import { selectCatalog, selectSite } from '../storage/sites/select-catalog.ts';
import type { BundleReport, RecordName } from './bundle-report.ts';

/** The number of records of each kind. `changed` is the number of these records that are new or changed. */
const NO_RECORDS = { sites: 0, authors: 0, assets: 0, contentTypes: 0, contents: 0, changed: 0 };

export type RecordCounts = Readonly<typeof NO_RECORDS>;
type CountedKind = keyof RecordCounts;

export class ImportedSites {
  readonly #transaction: Transaction;
  readonly #report: BundleReport;
  readonly #numbers = new Map<string, number>();
  readonly #catalogs = new Map<number, Catalog>();
  readonly #counts = new Map<number, Record<CountedKind, number>>();

  constructor(transaction: Transaction, report: BundleReport) {
    this.#transaction = transaction;
    this.#report = report;
  }

  /** Adds a site that has just been written from its own record. */
  note(siteId: string, siteNo: number): void {
    this.#numbers.set(siteId, siteNo);
  }

  /** Counts one record: as a record of its kind, or as one that is new or changed. */
  count(siteNo: number, kind: CountedKind): void {
    const known = this.#counts.get(siteNo);
    const counts = known ?? { ...NO_RECORDS };
    counts[kind] += 1;
    if (known === undefined) this.#counts.set(siteNo, counts);
  }

  countsOf(siteNo: number): RecordCounts {
    return this.#counts.get(siteNo) ?? NO_RECORDS;
  }

  /** The counts of all sites together. */
  get total(): RecordCounts {
    return [...this.#counts.values()].reduce(addCounts, NO_RECORDS);
  }

  /** The numbers of the sites that records have named so far, by id. */
  get named(): ReadonlyMap<string, number> {
    return this.#numbers;
  }

  /** Returns undefined if the record is refused, or cannot be checked because its site is faulty. */
  async findNumber(line: number, record: RecordName, siteId: string): Promise<number | undefined> {
    if (this.#report.isSuspect('site', siteId)) return undefined;
    const siteNo = await this.#selectNumber(siteId);
    if (siteNo === undefined) {
      this.#report.refuse(line, record, [{ field: 'site', message: `site ${siteId} does not exist` }]);
    }
    return siteNo;
  }

  /** Returns null if there is no such site. Call this once all catalog records have been written. */
  async findCatalog(siteId: string): Promise<Catalog | null> {
    const siteNo = await this.#selectNumber(siteId);
    return siteNo === undefined ? null : this.catalogOf(siteNo);
  }

  /** Call this once all catalog records have been written. */
  async catalogOf(siteNo: number): Promise<Catalog> {
    const known = this.#catalogs.get(siteNo);
    if (known !== undefined) return known;
    const loaded = await this.#transaction.run(selectCatalog(siteNo));
    if (loaded === undefined) throw new Error('A site disappeared during its import');
    this.#catalogs.set(siteNo, loaded.catalog);
    return loaded.catalog;
  }

  async #selectNumber(siteId: string): Promise<number | undefined> {
    const known = this.#numbers.get(siteId);
    if (known !== undefined) return known;
    const site = await this.#transaction.run(selectSite(siteId));
    if (site !== undefined) this.#numbers.set(siteId, site.no);
    return site?.no;
  }
}

function addCounts(one: RecordCounts, other: RecordCounts): RecordCounts {
  return {
    sites: one.sites + other.sites,
    authors: one.authors + other.authors,
    assets: one.assets + other.assets,
    contentTypes: one.contentTypes + other.contentTypes,
    contents: one.contents + other.contents,
    changed: one.changed + other.changed,
  };
}
