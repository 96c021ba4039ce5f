// Published content must fit into one response, including its assets and linked content. The size is known only once everything has been
// written. Most content is far below the limit, as the counts kept here show. All other objects are measured one by one.

import { MOST_ANSWER, MOST_ANSWER_BYTES } from '../content/answer-limit.ts';
import { buildReaderCatalog, type Catalog } from '../content/catalog.ts';
import { buildTemplates, measureLargest } from '../content/content-templates.ts';
import {
  countPublished,
  isRowTooLarge,
  measureLargestAsset,
  selectPublishedRows,
} from '../storage/contents/find-too-large.ts';
import type { Transaction } from '../storage/engine.ts';
import type { BundleReport } from './bundle-report.ts';
import type { ContentLines } from './content-lines.ts';
import type { ImportedSites } from './imported-sites.ts';

/** The content that the import has published in a site. */
interface PublishedSizes {
  count: number;
  mostCharacters: number;
  mostShown: number;
  /** Content that has assets, links or blocks, and how many it has. */
  readonly showing: { readonly contentNos: number[]; readonly counts: number[] };
}

const LOOKED_AT_ONCE = 50;
const MOST_BYTES_OF_CHARACTER = 3;

export class ShownSizes {
  readonly #sites = new Map<number, PublishedSizes>();

  /**
   * @param characters the maximum length of the content's body
   * @param shown the number of assets, links and blocks, each counted every time it appears
   */
  note(siteNo: number, contentNo: number, characters: number, shown: number): void {
    const known = this.#sites.get(siteNo);
    const sizes = known ?? { count: 0, mostCharacters: 0, mostShown: 0, showing: { contentNos: [], counts: [] } };
    if (known === undefined) this.#sites.set(siteNo, sizes);
    sizes.count += 1;
    sizes.mostCharacters = Math.max(sizes.mostCharacters, characters);
    sizes.mostShown = Math.max(sizes.mostShown, shown);
    if (shown === 0) return;
    sizes.showing.contentNos.push(contentNo);
    sizes.showing.counts.push(shown);
  }

  /** Call this once all content has been written. */
  async refuseTooLarge(
    transaction: Transaction,
    sites: ImportedSites,
    lines: ContentLines,
    report: BundleReport,
  ): Promise<void> {
    for (const [siteNo, sizes] of this.#sites) {
      if (sizes.showing.contentNos.length === 0) continue;
      const catalog = await sites.catalogOf(siteNo);
      const templates = buildTemplates(buildReaderCatalog(catalog));
      const suspects = await listSuspects(transaction, catalog, sizes);
      for (let start = 0; start < suspects.length; start += LOOKED_AT_ONCE) {
        const portion = suspects.slice(start, start + LOOKED_AT_ONCE);
        for (const { no, ...row } of await transaction.run(selectPublishedRows(portion))) {
          if (!(await transaction.run(isRowTooLarge(row, siteNo, templates)))) continue;
          report.refuse(lines.find(no) ?? 0, { kind: 'content', id: row.id }, [TOO_LARGE]);
        }
      }
    }
  }
}

const TOO_LARGE = {
  field: null,
  message: `is larger than ${MOST_ANSWER}, the limit for published content; each asset and linked object counts every time it appears`,
};

/** Lists content that could be too large if each of its assets and links were as large as the largest one. */
async function listSuspects(
  transaction: Transaction,
  catalog: Catalog,
  { count, mostCharacters, mostShown, showing }: PublishedSizes,
): Promise<readonly number[]> {
  // Existing content may be of any size.
  const isAlone = (await transaction.run(countPublished(catalog.site.no))) === count;
  if (!isAlone) return showing.contentNos;
  const own = mostCharacters * MOST_BYTES_OF_CHARACTER;
  const template = measureLargest(buildTemplates(catalog)) * MOST_BYTES_OF_CHARACTER;
  const asset = await transaction.run(measureLargestAsset(catalog.site.no));
  const linked = own + mostShown * (asset + template);
  const most = (MOST_ANSWER_BYTES - own - template) / (Math.max(asset, linked) + template);
  return showing.contentNos.filter((_, index) => (showing.counts[index] ?? 0) > most);
}
