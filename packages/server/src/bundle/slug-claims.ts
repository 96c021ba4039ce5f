// Slugs are unique, but a bundle may hand one over from record to record, and its records stand in any order. So a
// slug that is held by content which the file has not come to yet is taken from it; in the end, everything that lost
// its slug in this way must have been rewritten by the file, or the claim was wrong after all.

import { findSlugOwner, parkSlug, type Transaction } from '../storage/port.ts';
import type { ContentRecord } from './bundle-record.ts';
import { buildRefusal } from './refusal.ts';

interface Claim {
  readonly line: number;
  readonly record: ContentRecord;
  readonly siteNo: number;
  readonly typeNo: number;
}

export class SlugClaims {
  readonly #transaction: Transaction;
  readonly #hasStood: (siteNo: number, id: string) => boolean;
  /** Content without its slug, by its place, with the claim that took it away. */
  readonly #parked = new Map<
    string,
    { readonly claim: Claim; readonly slugs: readonly string[]; readonly id: string }
  >();

  /** @param hasStood tells whether the file has come to this content already */
  constructor(transaction: Transaction, hasStood: (siteNo: number, id: string) => boolean) {
    this.#transaction = transaction;
    this.#hasStood = hasStood;
  }

  /** To be called for each record of the file; says whether the content has to be written, even if nothing changed. */
  release(siteNo: number, id: string): boolean {
    return this.#parked.delete(`${siteNo}/${id}`);
  }

  async claim(claim: Claim, slugs: readonly string[]): Promise<void> {
    const { record, siteNo, typeNo } = claim;
    if (record.status === 'archived') return;
    const place = { siteNo, typeNo, language: record.language, id: record.id };
    let id = await this.#transaction.run(findSlugOwner(place, slugs));
    while (id !== undefined) {
      if (this.#hasStood(siteNo, id)) throw refuseClaim(claim, slugs, id);
      await this.#transaction.run(parkSlug(siteNo, id));
      this.#parked.set(`${siteNo}/${id}`, { claim, slugs, id });
      id = await this.#transaction.run(findSlugOwner(place, slugs));
    }
  }

  /** To be called when all content is written. */
  finish(): void {
    for (const { claim, slugs, id } of this.#parked.values()) throw refuseClaim(claim, slugs, id);
  }
}

function refuseClaim({ line, record }: Claim, slugs: readonly string[], owner: string): Error {
  const slug = [...new Set(slugs)].join(' or ');
  return buildRefusal(line, record, `slug ${slug} is taken by ${owner}, of the same type and language`);
}
