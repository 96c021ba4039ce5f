import type { Catalog } from '../content/catalog.ts';
import type { Transaction } from '../storage/port.ts';
import type { ContentReferences } from './content-references.ts';
import type { ImportedSites } from './imported-sites.ts';
import type { PreparationAnswer, PreparationQuestion } from './preparation-messages.ts';

/** What the thread that prepares content cannot see: the sites and authors that its lines name. */
export async function answerPreparation(
  { sites: siteIds, authors }: PreparationQuestion,
  sites: ImportedSites,
  references: ContentReferences,
  transaction: Transaction,
): Promise<PreparationAnswer> {
  const catalogs = new Map<string, Catalog | null>();
  for (const id of [...siteIds, ...authors.map(({ site }) => site)]) {
    if (!catalogs.has(id)) catalogs.set(id, await sites.findCatalog(id));
  }
  const numbers: PreparationAnswer['authors'][number][] = [];
  for (const { site, id } of authors) {
    const siteNo = catalogs.get(site)?.site.no;
    const no = siteNo === undefined ? null : await transaction.run(references.findAuthor(siteNo, id));
    numbers.push({ site, id, no: no ?? null });
  }
  return { sites: siteIds.map((id) => ({ id, catalog: catalogs.get(id) ?? null })), authors: numbers };
}
