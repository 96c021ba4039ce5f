// The content records of a bundle: checked against their type, written, and published where they say so. Content may
// refer to content that stands later in the file; such references are settled at the end.

import { hash } from 'node:crypto';
import type { Catalog } from '../content/catalog.ts';
import {
  insertContents,
  leaveUriToPattern,
  meetsOthers,
  moveGeneration,
  type NewContent,
  type Procedure,
  type StoredContentRecord,
  selectRecord,
  type Transaction,
  writeContent,
} from '../storage/port.ts';
import { answerPreparation } from './answer-preparation.ts';
import { ContentLines } from './content-lines.ts';
import type { ContentRecord } from './content-record.ts';
import { ContentReferences } from './content-references.ts';
import { type ContentSubject, findSubject, refuseLacking, refuseMove, refuseSchedule } from './content-subject.ts';
import { exportContent } from './export-content.ts';
import type { ImportedSites } from './imported-sites.ts';
import type { PreparationAnswer, PreparationQuestion } from './preparation-messages.ts';
import { readContentVersion } from './read-content-version.ts';
import { buildRefusal } from './refusal.ts';
import { SlugClaims } from './slug-claims.ts';
import { TranslationGroups } from './translation-groups.ts';

interface PreparedContent {
  /** Of its line. */
  readonly number: number;
  readonly content: NewContent;
}

export class ContentImport {
  readonly #transaction: Transaction;
  readonly #sites: ImportedSites;
  readonly #now: number;
  readonly #lines = new ContentLines();
  readonly #references = new ContentReferences();
  readonly #changedSites = new Set<number>();
  readonly #slugs: SlugClaims;
  readonly #groups: TranslationGroups;
  #count = 0;
  #changed = 0;

  constructor(transaction: Transaction, sites: ImportedSites, now: number) {
    this.#transaction = transaction;
    this.#sites = sites;
    this.#now = now;
    this.#slugs = new SlugClaims(this.#lines);
    this.#groups = new TranslationGroups(transaction, this.#lines);
  }

  get count(): number {
    return this.#count;
  }

  get changed(): number {
    return this.#changed;
  }

  async apply(line: number, record: ContentRecord, source: string): Promise<void> {
    const siteNo = await this.#sites.numberOf(line, record, record.site);
    const catalog = await this.#sites.catalogOf(siteNo);
    // All of it at one go: to await each answer would cost as much as to find it.
    await this.#transaction.run(this.#applyTo(catalog, line, record, source));
  }

  *#applyTo(catalog: Catalog, line: number, record: ContentRecord, source: string): Procedure<void> {
    const siteNo = catalog.site.no;
    const existing = yield* selectRecord(siteNo, record.id);
    if (existing !== undefined) this.#refuseSecond(line, record, existing);
    const subject = findSubject(line, record, catalog);
    this.#count += 1;
    const sourceDigest = hash('sha256', source, 'base64url');
    const hasLostSlug = this.#slugs.release(siteNo, record.id);
    if (existing !== undefined && !hasLostSlug && (yield* isSame(subject, existing, source, sourceDigest))) {
      this.#groups.keep(line, record, existing);
      return;
    }
    refuseMove(subject, existing);
    refuseSchedule(subject);
    const reading = { references: this.#references, now: this.#now };
    const top = yield* readContentVersion(subject, record, undefined, reading);
    refuseLacking(subject, top.fields);
    const newest = record.draft === null ? null : yield* readContentVersion(subject, record.draft, top, reading);
    const isPublished = record.status === 'published';
    const shownTop = { ...top, uri: top.uri ?? record.shown_uri };
    const shownNewest = newest && { ...newest, uri: newest.uri ?? record.draft?.shown_uri ?? null };
    const published = isPublished ? shownTop : null;
    const draft = isPublished ? shownNewest : (shownNewest ?? shownTop);
    const typeNo = subject.type.no;
    yield* this.#slugs.claim({ line, record, siteNo, typeNo }, [top.slug, ...(newest === null ? [] : [newest.slug])]);
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
      createdAt: record.created_at ?? existing?.createdAt ?? publishedAt ?? this.#now,
      updatedAt: (newest ?? top).savedAt,
      sourceDigest,
    };
    const no = yield* writeContent({ record: state, existing, published, draft }, catalog, this.#now);
    this.#lines.note(no, line);
    if (published !== null && published.uri !== top.uri) yield* leaveUriToPattern(siteNo, record.id, 'published');
    if (draft !== null && draft.uri !== (newest ?? top).uri) yield* leaveUriToPattern(siteNo, record.id, 'newest');
    this.#changed += 1;
    this.#changedSites.add(siteNo);
  }

  /**
   * Writes content that was prepared as new, all of it at once; false where some of it has to be looked at line by line,
   * and nothing was written.
   */
  applyPrepared(lines: readonly PreparedContent[]): Promise<boolean> {
    return this.#transaction.run(this.#applyAll(lines));
  }

  *#applyAll(lines: readonly PreparedContent[]): Procedure<boolean> {
    const contents = lines.map(({ content }) => content);
    if (yield* meetsOthers(contents)) return false;
    for (const { record, assets } of contents) {
      if ((yield* this.#references.findMissingAsset(record.siteNo, assets)) !== undefined) return false;
    }
    const numbers = yield* insertContents(contents);
    for (const [index, { number, content }] of lines.entries()) {
      this.#lines.note(numbers[index] ?? 0, number);
      this.#changedSites.add(content.record.siteNo);
      yield* this.#references.expectLinks(number, content.links);
    }
    this.#count += lines.length;
    this.#changed += lines.length;
    return true;
  }

  answer(question: PreparationQuestion): Promise<PreparationAnswer> {
    return answerPreparation(question, this.#sites, this.#references, this.#transaction);
  }

  /** Settles what could only be known when all content is there. */
  async finish(): Promise<void> {
    this.#slugs.finish();
    for (const { siteNo, wasLeftAlone } of await this.#groups.settle()) {
      if (wasLeftAlone) this.#changed += 1;
      this.#changedSites.add(siteNo);
    }
    await this.#transaction.run(this.#references.refuseDeadLinks());
    for (const siteNo of this.#changedSites) await this.#transaction.run(moveGeneration(siteNo, false, this.#now));
  }

  #refuseSecond(line: number, record: ContentRecord, { no }: StoredContentRecord): void {
    const first = this.#lines.find(no);
    if (first !== undefined) throw buildRefusal(line, record, `stands on line ${first} already`);
    this.#lines.note(no, line);
  }
}

/** A line that the content would be exported as brings nothing new, whatever it was imported from. */
function* isSame(
  { record, catalog }: ContentSubject,
  existing: StoredContentRecord,
  source: string,
  sourceDigest: string,
): Procedure<boolean> {
  if (existing.sourceDigest === sourceDigest) return true;
  return (yield* exportContent(catalog, record.id)) === `${source}\n`;
}
