// Slugs are unique, but a bundle may move a slug from one record to another, and its records can be in any order. So a record may take a
// slug from content that the import has not reached yet. By the end, the import must have rewritten all content that lost its slug this
// way; otherwise, the record that took the slug is refused.

import { findSlugOwner, selectRecord } from '../storage/contents/content-records.ts';
import { parkSlug } from '../storage/publication/rewrite-content.ts';
import type { Procedure } from '../storage/statement.ts';
import type { BundleReport, RecordFault } from './bundle-report.ts';
import type { ContentLines } from './content-lines.ts';
import type { ContentRecord } from './content-record.ts';

interface Claim {
  readonly line: number;
  readonly record: ContentRecord;
  readonly siteNo: number;
  readonly typeNo: number;
}

export class SlugClaims {
  readonly #lines: ContentLines;
  readonly #report: BundleReport;
  /** Content that lost its slug, with the claim that took it. */
  readonly #parked = new Map<
    string,
    { readonly claim: Claim; readonly slugs: readonly string[]; readonly id: string }
  >();

  /** @param lines the lines of the content that has been read so far */
  constructor(lines: ContentLines, report: BundleReport) {
    this.#lines = lines;
    this.#report = report;
  }

  /** Call this for each record. Returns whether the content must be written even if nothing changed. */
  release(siteNo: number, id: string): boolean {
    return this.#parked.size > 0 && this.#parked.delete(`${siteNo}/${id}`);
  }

  /** Returns a fault if the claim fails. */
  *claim(claim: Claim, slugs: readonly string[]): Procedure<RecordFault | undefined> {
    const { record, siteNo, typeNo } = claim;
    if (record.status === 'archived') return undefined;
    const place = { siteNo, typeNo, language: record.language, id: record.id };
    let id = yield* findSlugOwner(place, slugs);
    while (id !== undefined) {
      const owner = yield* selectRecord(siteNo, id);
      // If the owner's record is faulty, the corrected record may give up the slug.
      const isSettled = owner !== undefined && this.#lines.has(owner.no) && !this.#report.isSuspect('content', id);
      if (isSettled) return buildFault(slugs, id);
      yield* parkSlug(siteNo, id);
      this.#parked.set(`${siteNo}/${id}`, { claim, slugs, id });
      id = yield* findSlugOwner(place, slugs);
    }
    return undefined;
  }

  /** Call this once all content has been written. */
  finish(): void {
    for (const { claim, slugs, id } of this.#parked.values()) {
      if (this.#report.isSuspect('content', id)) continue;
      this.#report.refuse(claim.line, claim.record, [buildFault(slugs, id)]);
    }
  }
}

function buildFault(slugs: readonly string[], owner: string): RecordFault {
  const slug = [...new Set(slugs)].join(' or ');
  return { field: 'slug', message: `${slug} is taken by ${owner} (same type and language)` };
}
