// The content records of a bundle: checked against their type, written, and published where they say so. Content may
// refer to content that stands later in the file; such references are settled at the end.

import { hash } from 'node:crypto';
import type { Catalog } from '../content/catalog.ts';
import { formatFault } from '../content/fault.ts';
import type { ContentType } from '../content/field.ts';
import { collectReferences, type FieldValues, parseFieldValues } from '../content/field-value.ts';
import { isJsonObject } from '../content/json-object.ts';
import { findScheduleFault } from '../content/lifecycle.ts';
import { parseSeo, type Seo } from '../content/seo.ts';
import {
  type ContentVersion,
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
import { ContentLines } from './content-lines.ts';
import type { ContentRecord, DraftRecord } from './content-record.ts';
import { ContentReferences } from './content-references.ts';
import { exportContent } from './export-content.ts';
import type { ImportedSites } from './imported-sites.ts';
import type { PreparationAnswer, PreparationQuestion } from './preparation-messages.ts';
import type { BundleFault } from './read-bundle-lines.ts';
import { buildRefusal } from './refusal.ts';
import { SlugClaims } from './slug-claims.ts';
import { TranslationGroups } from './translation-groups.ts';
import { widenOptions } from './widen-options.ts';

/** A content record with everything that it is read against. */
interface Subject {
  readonly line: number;
  readonly record: ContentRecord;
  readonly siteNo: number;
  readonly catalog: Catalog;
  readonly type: ContentType;
}

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
    this.#refuseMove(subject, existing);
    refuseSchedule(subject);
    const top = yield* this.#readVersion(subject, record, undefined);
    const newest = record.draft === null ? null : yield* this.#readVersion(subject, record.draft, top);
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

  async answer({ sites, authors }: PreparationQuestion): Promise<PreparationAnswer> {
    const catalogs = new Map<string, Catalog | null>();
    for (const id of [...sites, ...authors.map(({ site }) => site)]) {
      if (!catalogs.has(id)) catalogs.set(id, await this.#sites.findCatalog(id));
    }
    const numbers: PreparationAnswer['authors'][number][] = [];
    for (const { site, id } of authors) {
      const siteNo = catalogs.get(site)?.site.no;
      const no = siteNo === undefined ? null : await this.#transaction.run(this.#references.findAuthor(siteNo, id));
      numbers.push({ site, id, no: no ?? null });
    }
    return { sites: sites.map((id) => ({ id, catalog: catalogs.get(id) ?? null })), authors: numbers };
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

  #refuseMove({ line, record, type }: Subject, existing: StoredContentRecord | undefined): void {
    if (existing === undefined) return;
    if (existing.typeNo !== type.no) throw buildRefusal(line, record, 'content_type cannot change');
    if (existing.language !== record.language) {
      throw buildRefusal(line, record, `language must stay ${existing.language}, got ${record.language}`);
    }
  }

  /** @param base the version that a draft differs from */
  *#readVersion(
    subject: Subject,
    source: ContentRecord | DraftRecord,
    base: ContentVersion | undefined,
  ): Procedure<ContentVersion> {
    const { record } = subject;
    const place = base === undefined ? '' : 'draft.';
    const authorNo = source.author === undefined ? base?.authorNo : yield* this.#findAuthor(subject, source.author);
    const fields = this.#readFields(subject, source.fields, place);
    yield* this.#checkReferences(subject, fields);
    return {
      name: source.name ?? base?.name ?? record.name,
      slug: source.slug ?? base?.slug ?? record.slug,
      uri: source.uri === undefined ? (base?.uri ?? null) : source.uri,
      authorNo: authorNo ?? null,
      seo: readSeo(subject, base === undefined ? source.seo : mergeSeo(base.seo, source.seo), place),
      fields: base === undefined ? fields : mergeFields(subject, base.fields, fields, source.fields),
      savedAt: source.updated_at ?? record.updated_at ?? this.#now,
      savedBy: null,
    };
  }

  #readFields({ line, record, type, catalog }: Subject, raw: unknown, place: string): FieldValues {
    const known = widenOptions(type, catalog.typesByHandle, record.absent?.options ?? []);
    const fields = parseFieldValues(known.type, raw ?? {}, known.typesByHandle);
    if (fields.ok) return fields.value;
    throw buildRefusal(line, record, fields.problem.map((fault) => `${place}${formatFault(fault)}`).join('; '));
  }

  *#findAuthor({ line, record, siteNo }: Subject, id: string | null): Procedure<number | null> {
    if (id === null) return null;
    const no = yield* this.#references.findAuthor(siteNo, id);
    if (no === undefined) throw buildRefusal(line, record, `author ${id} does not exist`);
    return no;
  }

  *#checkReferences({ line, record, siteNo, type, catalog }: Subject, fields: FieldValues): Procedure<void> {
    const { links, assets } = collectReferences(type, fields, catalog.typesByHandle);
    const { contents: absentContents = [], assets: absentAssets = [] } = record.absent ?? {};
    const expectedAssets = assets.filter((id) => !absentAssets.includes(id));
    const missing = yield* this.#references.findMissingAsset(siteNo, expectedAssets);
    if (missing !== undefined) throw buildRefusal(line, record, `asset ${missing} does not exist`);
    const expectedLinks = links.filter((id) => !absentContents.includes(id));
    yield* this.#references.expectLinks(line, expectedLinks);
  }
}

function findSubject(line: number, record: ContentRecord, catalog: Catalog): Subject {
  const refuse = (message: string): BundleFault => buildRefusal(line, record, message);
  const { content_type: handle, language } = record;
  const type = catalog.typesByHandle.get(handle);
  if (type === undefined) throw refuse(`content_type ${handle} does not exist`);
  if (type.objectType === 'block') {
    throw refuse(`content_type ${handle} is a block type; blocks stand inside content`);
  }
  const { no: siteNo, languages } = catalog.site;
  if (!languages.includes(language)) {
    throw refuse(`language must be one of ${languages.join(', ')}; got ${JSON.stringify(language)}`);
  }
  return { line, record, siteNo, catalog, type };
}

/** A line that the content would be exported as brings nothing new, whatever it was imported from. */
function* isSame(
  { record, catalog }: Subject,
  existing: StoredContentRecord,
  source: string,
  sourceDigest: string,
): Procedure<boolean> {
  if (existing.sourceDigest === sourceDigest) return true;
  return (yield* exportContent(catalog, record.id)) === `${source}\n`;
}

/** The same rule as for schedules that are made here; times that have passed are allowed, and carried out at once. */
function refuseSchedule({ line, record }: Subject): void {
  const fault = findScheduleFault(record.status, record.publish_at, record.unpublish_at);
  if (fault !== undefined) throw buildRefusal(line, record, formatFault(fault));
}

function readSeo({ line, record }: Subject, raw: unknown, place: string): Seo {
  const seo = parseSeo(raw);
  if (seo.ok) return seo.value;
  throw buildRefusal(line, record, seo.problem.map((fault) => `${place}${formatFault(fault)}`).join('; '));
}

/** A draft names the members that differ; null takes all of it away. */
function mergeSeo(base: Seo, raw: unknown): unknown {
  if (raw === undefined) return base;
  if (!isJsonObject(raw)) return raw;
  const { open_graph: openGraph } = raw;
  return {
    ...base,
    ...raw,
    open_graph: isJsonObject(openGraph) ? { ...base.open_graph, ...openGraph } : (openGraph ?? base.open_graph),
  };
}

/** What a draft names replaces the published value; a value of null takes it away. */
function mergeFields({ type }: Subject, base: FieldValues, draft: FieldValues, raw: unknown): FieldValues {
  const named = new Set(typeof raw === 'object' && raw !== null ? Object.keys(raw) : []);
  const values = new Map<string, FieldValues[string]>();
  for (const { handle } of type.fields) {
    const source = named.has(handle) ? draft : base;
    const value = Object.hasOwn(source, handle) ? source[handle] : undefined;
    if (value !== undefined) values.set(handle, value);
  }
  return Object.fromEntries(values);
}
