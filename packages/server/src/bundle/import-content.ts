// Imports the content in a bundle: checks each record against its type, writes it, and publishes it if the record says so. Content
// may refer to content later in the file; such references are checked at the end. A faulty record is not written.

import { hash } from 'node:crypto';
import type { Catalog } from '../content/catalog.ts';
import { collectReferences } from '../content/field-value.ts';
import { type StoredContentRecord, selectRecord } from '../storage/contents/content-records.ts';
import { insertContents, meetsOthers, type NewContent } from '../storage/contents/insert-contents.ts';
import {
  SHARING_AT_ONCE,
  type SharedPlace,
  type SharingPage,
  selectSharedPlaces,
  selectSharingPages,
} from '../storage/contents/published-uris.ts';
import { leaveUriToPattern, writeContent } from '../storage/contents/write-content.ts';
import type { Transaction } from '../storage/engine.ts';
import type { Procedure } from '../storage/statement.ts';
import { type BundleReport, placeFault, type RecordFault } from './bundle-report.ts';
import { ContentLines } from './content-lines.ts';
import type { ContentRecord } from './content-record.ts';
import { ContentReferences, findOddReferences, type OddReferences } from './content-references.ts';
import { type ContentSubject, findSubject, listMissing, listSubjectFaults } from './content-subject.ts';
import { exportContent } from './export-bundle.ts';
import type { LimitFindings } from './find-limit-faults.ts';
import type { ImportedSites } from './imported-sites.ts';
import type { PreparationAnswer, PreparationQuestion } from './prepared-lines.ts';
import { answerPreparation } from './prepared-lines.ts';
import { readContentVersion } from './read-content-version.ts';
import { ShownSizes } from './shown-sizes.ts';
import { SlugClaims } from './slug-claims.ts';
import { TranslationGroups } from './translation-groups.ts';

/**
 * A body can be several times as long as its line in the bundle, especially if the values are short. The worst case is a list of empty
 * strings.
 */
const MOST_GROWTH = 8;
const FRAME_CHARACTERS = 10_000;

/** A line whose content has been prepared. */
export interface PreparedContent {
  readonly number: number;
  readonly content: NewContent;
  readonly limits: LimitFindings | undefined;
}

export class ContentImport {
  readonly #transaction: Transaction;
  readonly #sites: ImportedSites;
  readonly #now: number;
  readonly #lines = new ContentLines();
  readonly #report: BundleReport;
  readonly #references: ContentReferences;
  readonly #changedSites = new Set<number>();
  readonly #slugs: SlugClaims;
  readonly #groups: TranslationGroups;
  readonly #sizes = new ShownSizes();

  constructor(transaction: Transaction, sites: ImportedSites, report: BundleReport, now: number) {
    this.#transaction = transaction;
    this.#sites = sites;
    this.#report = report;
    this.#now = now;
    this.#references = new ContentReferences(report);
    this.#slugs = new SlugClaims(this.#lines, report);
    this.#groups = new TranslationGroups(transaction, this.#lines, report, now);
  }

  async apply(line: number, record: ContentRecord, source: string): Promise<void> {
    const siteNo = await this.#sites.findNumber(line, record, record.site);
    if (siteNo === undefined) return this.#report.suspect('content', record.id);
    const catalog = await this.#sites.catalogOf(siteNo);
    // Run everything in one call: awaiting each query would cost as much as the query itself.
    await this.#transaction.run(this.#applyTo(catalog, line, record, source));
  }

  *#applyTo(catalog: Catalog, line: number, record: ContentRecord, source: string): Procedure<void> {
    const siteNo = catalog.site.no;
    const existing = yield* selectRecord(siteNo, record.id);
    if (existing !== undefined && !this.#isFirst(line, record, existing)) return;
    const subject = this.#findSubject(line, record, catalog);
    if (subject === undefined) return;
    this.#sites.count(siteNo, 'contents');
    const sourceDigest = hash('sha256', source, 'base64url');
    const hasLostSlug = this.#slugs.release(siteNo, record.id);
    if (existing !== undefined && !hasLostSlug && (yield* isSame(subject, existing, source, sourceDigest))) {
      this.#groups.keep(line, record, existing);
      return;
    }
    const faults = [...listSubjectFaults(subject, existing)];
    const warnings: RecordFault[] = [];
    const reading = { references: this.#references, report: this.#report, now: this.#now, faults, warnings };
    const top = yield* readContentVersion(subject, record, undefined, reading);
    const faultyFields = new Set(faults.map(({ field }) => field));
    faults.push(...listMissing(subject, top.fields).filter(({ field }) => !faultyFields.has(field)));
    const newest = record.draft === null ? null : yield* readContentVersion(subject, record.draft, top, reading);
    if (faults.length > 0) return this.#refuse(line, record, faults);
    const typeNo = subject.type.no;
    const slugs = [top.slug, ...(newest === null ? [] : [newest.slug])];
    const slugFault = yield* this.#slugs.claim({ line, record, siteNo, typeNo }, slugs);
    if (slugFault !== undefined) return this.#refuse(line, record, [slugFault]);
    this.#report.warn(line, record, warnings);
    const isPublished = record.status === 'published';
    const shownTop = { ...top, uri: top.uri ?? record.shown_uri };
    const shownNewest = newest && { ...newest, uri: newest.uri ?? record.draft?.shown_uri ?? null };
    const published = isPublished ? shownTop : null;
    const draft = isPublished ? shownNewest : (shownNewest ?? shownTop);
    const translationGroup = yield* this.#groups.place(line, record, siteNo, existing);
    const publishedAt = isPublished ? (record.published_at ?? existing?.publishedAt ?? this.#now) : null;
    const state = {
      siteNo,
      id: record.id,
      typeNo,
      language: record.language,
      translationGroup,
      status: record.status,
      publishedAt,
      publishAt: record.publish_at,
      unpublishAt: record.unpublish_at,
      failedSchedule: null,
      createdAt: record.created_at ?? existing?.createdAt ?? publishedAt ?? this.#now,
      updatedAt: (newest ?? top).savedAt,
      sourceDigest,
    };
    const no = yield* writeContent({ record: state, existing, published, draft }, catalog, this.#now);
    this.#lines.note(no, line);
    if (published !== null) {
      const { shown } = collectReferences(subject.type, published.fields, catalog.typesByHandle);
      this.#sizes.note(siteNo, no, source.length * MOST_GROWTH + FRAME_CHARACTERS, shown);
    }
    if (published !== null && published.uri !== top.uri) yield* leaveUriToPattern(siteNo, record.id, 'published');
    if (draft !== null && draft.uri !== (newest ?? top).uri) yield* leaveUriToPattern(siteNo, record.id, 'newest');
    this.#sites.count(siteNo, 'changed');
    this.#changedSites.add(siteNo);
  }

  /** Writes all prepared content together. Returns false, and writes nothing, if some of it must be imported line by line. */
  applyPrepared(lines: readonly PreparedContent[]): Promise<boolean> {
    return this.#transaction.run(this.#applyAll(lines));
  }

  *#applyAll(lines: readonly PreparedContent[]): Procedure<boolean> {
    const contents = lines.map(({ content }) => content);
    if (yield* meetsOthers(contents)) return false;
    for (const { record, assets } of contents) {
      if ((yield* this.#references.findMissingAssets(record.siteNo, assets)).size > 0) return false;
    }
    const numbers = yield* insertContents(contents, this.#now);
    for (const [index, { number, content, limits }] of lines.entries()) {
      const { siteNo, id } = content.record;
      const no = numbers[index] ?? 0;
      this.#lines.note(no, number);
      if (content.shown?.model === 'published') {
        this.#sizes.note(siteNo, no, content.shown.typeset.body.length, content.references);
      }
      this.#sites.count(siteNo, 'contents');
      this.#sites.count(siteNo, 'changed');
      this.#changedSites.add(siteNo);
      yield* this.#references.expect(siteNo, content.links, limits?.references ?? []);
      if (limits === undefined || limits.faults.length === 0) continue;
      const record = { kind: 'content', id };
      this.#report.warn(
        number,
        record,
        limits.faults.map((fault) => placeFault(fault)),
      );
    }
    return true;
  }

  answer(question: PreparationQuestion): Promise<PreparationAnswer> {
    return answerPreparation(question, this.#sites, this.#references, this.#transaction);
  }

  /** Does the work that can be done only once all content has been written. Returns the references that are wrong. */
  async finish(): Promise<OddReferences> {
    this.#slugs.finish();
    for (const { siteNo, wasLeftAlone } of await this.#groups.settle()) {
      if (wasLeftAlone) this.#sites.count(siteNo, 'changed');
    }
    return this.#transaction.run(this.#references.findOdd());
  }

  /** Call this once everything has been written. */
  refuseTooLarge(): Promise<void> {
    return this.#sizes.refuseTooLarge(this.#transaction, this.#sites, this.#lines, this.#report);
  }

  /** Pages are imported even if they share a URL. Call this once everything has been written. */
  async warnOfSharedUrls(): Promise<void> {
    for (const siteNo of this.#changedSites) {
      let places: readonly SharedPlace[] = [];
      do {
        places = await this.#transaction.run(selectSharedPlaces(siteNo, places.at(-1)));
        for (const place of places) await this.#transaction.run(this.#warnOfPlace(siteNo, place));
      } while (places.length === SHARING_AT_ONCE);
    }
  }

  *#warnOfPlace(siteNo: number, place: SharedPlace): Procedure<void> {
    const firstByUrl = new Map<string, SharingPage>();
    let pages: readonly SharingPage[] = [];
    do {
      pages = yield* selectSharingPages(siteNo, place, pages.at(-1));
      for (const page of pages) {
        const first = firstByUrl.get(page.uri);
        firstByUrl.set(page.uri, first === undefined ? page : this.#warnOfShared(first, page));
      }
    } while (pages.length === SHARING_AT_ONCE);
  }

  /**
   * Warns about the page that comes later in the file, and returns the other page. Pages that are not in the file are treated as earlier.
   */
  #warnOfShared(one: SharingPage, other: SharingPage): SharingPage {
    const line = ({ no }: SharingPage): number => this.#lines.find(no) ?? 0;
    const [first, later] = line(other) < line(one) ? [other, one] : [one, other];
    if (line(later) > 0) {
      const message = `“${later.name}” has the same URL as “${first.name}” (${first.id}): /${later.uri}`;
      this.#report.warn(line(later), { kind: 'content', id: later.id }, [{ field: null, message }]);
    }
    return first;
  }

  /** If some references are wrong, call this for each record. */
  async reportOdd(line: number, record: ContentRecord, odd: OddReferences): Promise<void> {
    const catalog = await this.#sites.findCatalog(record.site);
    const subject = catalog === null ? undefined : findSubject(line, record, catalog);
    if (subject === undefined) return;
    const { faults, warnings } = await this.#transaction.run(findOddReferences(subject, odd));
    this.#report.refuse(line, record, faults);
    this.#report.warn(line, record, warnings);
  }

  #isFirst(line: number, record: ContentRecord, { no }: StoredContentRecord): boolean {
    const first = this.#lines.find(no);
    if (first === undefined) this.#lines.note(no, line);
    else this.#report.refuse(line, record, [{ field: null, message: `is already defined on line ${first}` }]);
    return first === undefined;
  }

  /** Returns undefined if the record is refused, or cannot be checked because its type is faulty. */
  #findSubject(line: number, record: ContentRecord, catalog: Catalog): ContentSubject | undefined {
    const { id, content_type: handle } = record;
    if (this.#report.isSuspect('content_type', handle)) {
      this.#report.suspect('content', id);
      return undefined;
    }
    const subject = findSubject(line, record, catalog);
    if (subject === undefined) {
      this.#refuse(line, record, [{ field: 'content_type', message: `content type ${handle} does not exist` }]);
    }
    return subject;
  }

  #refuse(line: number, record: ContentRecord, faults: readonly RecordFault[]): void {
    this.#report.suspect('content', record.id);
    this.#report.refuse(line, record, faults);
  }
}

/** Whether the line is identical to an export of the content. If so, importing it would change nothing. */
function* isSame(
  { record, catalog }: ContentSubject,
  existing: StoredContentRecord,
  source: string,
  sourceDigest: string,
): Procedure<boolean> {
  if (existing.sourceDigest === sourceDigest) return true;
  return (yield* exportContent(catalog, record.id)) === `${source}\n`;
}
