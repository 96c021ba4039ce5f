// The content records of a bundle: checked against their type, written, and published where they say so. Content may
// refer to content that stands later in the file; such references are settled at the end.

import { hash } from 'node:crypto';
import type { Catalog } from '../content/catalog.ts';
import { formatFault } from '../content/fault.ts';
import type { ContentType } from '../content/field.ts';
import { collectReferences, type FieldValues, parseFieldValues } from '../content/field-value.ts';
import { isJsonObject } from '../content/json-object.ts';
import { parseSeo, type Seo } from '../content/seo.ts';
import {
  type ContentVersion,
  findMissingAssets,
  findMissingContents,
  findSlugOwner,
  findTranslation,
  moveGeneration,
  moveToGroup,
  type StoredContentRecord,
  selectAuthorNo,
  selectRecord,
  type Transaction,
  writeContent,
} from '../storage/port.ts';
import type { ContentRecord, DraftRecord } from './bundle-record.ts';
import type { ImportedSites } from './imported-sites.ts';
import { BundleFault } from './read-bundle-lines.ts';

interface PendingTranslation {
  readonly line: number;
  readonly siteNo: number;
  readonly id: string;
  readonly of: string;
}

/** A content record with everything that it is read against. */
interface Subject {
  readonly line: number;
  readonly record: ContentRecord;
  readonly siteNo: number;
  readonly catalog: Catalog;
  readonly type: ContentType;
}

const MOST_LINKS_UNCHECKED = 5000;

export class ContentImport {
  readonly #transaction: Transaction;
  readonly #sites: ImportedSites;
  readonly #now: number;
  readonly #lines = new Map<string, number>();
  readonly #authors = new Map<string, number | undefined>();
  readonly #assets = new Set<string>();
  readonly #changedSites = new Set<number>();
  readonly #translations: PendingTranslation[] = [];
  /** Ids that content links to and that were not there yet, with the line that named them first. */
  #links = new Map<string, number>();
  #count = 0;
  #changed = 0;

  constructor(transaction: Transaction, sites: ImportedSites, now: number) {
    this.#transaction = transaction;
    this.#sites = sites;
    this.#now = now;
  }

  get count(): number {
    return this.#count;
  }

  get changed(): number {
    return this.#changed;
  }

  async apply(line: number, record: ContentRecord, source: string): Promise<void> {
    const subject = await this.#findSubject(line, record);
    this.#count += 1;
    const { siteNo, catalog } = subject;
    const existing = await this.#transaction.run(selectRecord(siteNo, record.id));
    const sourceDigest = hash('sha256', source, 'base64url');
    if (existing?.sourceDigest === sourceDigest) return;
    this.#refuseMove(subject, existing);
    const top = await this.#readVersion(subject, record, undefined);
    const newest = record.draft === null ? null : await this.#readVersion(subject, record.draft, top);
    const isPublished = record.status === 'published';
    const published = isPublished ? top : null;
    const draft = isPublished ? newest : (newest ?? top);
    await this.#refuseTakenSlug(subject, [top.slug, ...(newest === null ? [] : [newest.slug])]);
    const translationGroup = await this.#findGroup(subject);
    const publishedAt = isPublished ? (record.published_at ?? existing?.publishedAt ?? this.#now) : null;
    const state = {
      siteNo,
      id: record.id,
      typeNo: subject.type.no,
      language: record.language,
      translationGroup,
      status: record.status,
      publishedAt,
      publishAt: record.publish_at,
      unpublishAt: record.unpublish_at,
      createdAt: record.created_at ?? existing?.createdAt ?? publishedAt ?? this.#now,
      updatedAt: top.savedAt,
      sourceDigest,
    };
    await this.#transaction.run(writeContent({ record: state, existing, published, draft }, catalog, this.#now));
    this.#changed += 1;
    this.#changedSites.add(siteNo);
  }

  /** Settles what could only be known when all content is there. */
  async finish(): Promise<void> {
    for (const translation of this.#translations) await this.#settleTranslation(translation);
    await this.#refuseDeadLinks();
    for (const siteNo of this.#changedSites) await this.#transaction.run(moveGeneration(siteNo, false));
  }

  async #findSubject(line: number, record: ContentRecord): Promise<Subject> {
    const place = `${record.site}/${record.id}`;
    const first = this.#lines.get(place);
    if (first !== undefined) throw refusal(line, record, `stands on line ${first} already`);
    this.#lines.set(place, line);
    const siteNo = await this.#sites.numberOf(line, record, record.site);
    const catalog = await this.#sites.catalogOf(siteNo);
    const type = catalog.typesByHandle.get(record.content_type);
    if (type === undefined) throw refusal(line, record, `content_type ${record.content_type} does not exist`);
    if (type.objectType === 'block') {
      throw refusal(line, record, `content_type ${record.content_type} is a block type; blocks stand inside content`);
    }
    if (!catalog.site.languages.includes(record.language)) {
      const languages = catalog.site.languages.join(', ');
      throw refusal(line, record, `language must be one of ${languages}; got ${JSON.stringify(record.language)}`);
    }
    return { line, record, siteNo, catalog, type };
  }

  #refuseMove({ line, record, type }: Subject, existing: StoredContentRecord | undefined): void {
    if (existing === undefined) return;
    if (existing.typeNo !== type.no) throw refusal(line, record, 'content_type cannot change');
    if (existing.language !== record.language) {
      throw refusal(line, record, `language must stay ${existing.language}, got ${record.language}`);
    }
  }

  /** @param base the version that a draft differs from */
  async #readVersion(
    subject: Subject,
    source: ContentRecord | DraftRecord,
    base: ContentVersion | undefined,
  ): Promise<ContentVersion> {
    const { record, line } = subject;
    const authorNo = source.author === undefined ? base?.authorNo : await this.#findAuthor(subject, source.author);
    const fields = this.#readFields(subject, source.fields, base === undefined ? '' : 'draft.');
    await this.#checkReferences(subject, fields);
    const savedAt = record.updated_at ?? this.#now;
    const slug = source.slug ?? base?.slug ?? record.slug;
    return {
      name: source.name ?? base?.name ?? record.name,
      slug,
      uri: source.uri === undefined ? keptUri(base, slug) : source.uri,
      authorNo: authorNo ?? null,
      seo: readSeo(line, record, base === undefined ? source.seo : mergeSeo(base.seo, source.seo)),
      fields: base === undefined ? fields : mergeFields(subject, base.fields, fields, source.fields),
      savedAt,
    };
  }

  #readFields({ line, record, type, catalog }: Subject, raw: unknown, place: string): FieldValues {
    const fields = parseFieldValues(type, raw ?? {}, catalog.typesByHandle);
    if (fields.ok) return fields.value;
    throw refusal(line, record, fields.problem.map((fault) => `${place}${formatFault(fault)}`).join('; '));
  }

  async #findAuthor({ line, record, siteNo }: Subject, id: string | null): Promise<number | null> {
    if (id === null) return null;
    const place = `${siteNo}/${id}`;
    if (!this.#authors.has(place)) this.#authors.set(place, await this.#transaction.run(selectAuthorNo(siteNo, id)));
    const no = this.#authors.get(place);
    if (no === undefined) throw refusal(line, record, `author ${id} does not exist`);
    return no;
  }

  async #checkReferences({ line, record, siteNo, type, catalog }: Subject, fields: FieldValues): Promise<void> {
    const { links, assets } = collectReferences(type, fields, catalog.typesByHandle);
    const unknown = assets.filter((id) => !this.#assets.has(`${siteNo}/${id}`));
    const [missing] = unknown.length === 0 ? [] : await this.#transaction.run(findMissingAssets(siteNo, unknown));
    if (missing !== undefined) throw refusal(line, record, `asset ${missing} does not exist`);
    for (const id of unknown) this.#assets.add(`${siteNo}/${id}`);
    for (const id of links) if (!this.#links.has(id)) this.#links.set(id, line);
    if (this.#links.size > MOST_LINKS_UNCHECKED) await this.#forgetFoundLinks();
  }

  async #refuseTakenSlug({ line, record, siteNo, type }: Subject, slugs: readonly string[]): Promise<void> {
    if (record.status === 'archived') return;
    const claim = { siteNo, typeNo: type.no, language: record.language, id: record.id };
    const owner = await this.#transaction.run(findSlugOwner(claim, slugs));
    if (owner !== undefined) {
      throw refusal(line, record, `slug ${slugs.join(' or ')} is taken by ${owner}, of the same type and language`);
    }
  }

  /** The group is named by its first record. Where that is not there yet, the name is settled at the end. */
  async #findGroup({ line, record, siteNo }: Subject): Promise<string> {
    const of = record.translation_of;
    if (of === null) return record.id;
    if (of === record.id) throw refusal(line, record, 'translation_of names the content itself');
    const original = await this.#transaction.run(selectRecord(siteNo, of));
    const group = original?.translationGroup ?? of;
    if (group === record.id) throw refusal(line, record, `translation_of ${of} closes a circle of translations`);
    this.#translations.push({ line, siteNo, id: record.id, of });
    const twin = await this.#transaction.run(findTranslation(siteNo, group, record.language, record.id));
    if (twin !== undefined)
      throw refusal(line, record, `translation_of ${of}: ${twin} is its ${record.language} version`);
    return group;
  }

  async #settleTranslation({ line, siteNo, id, of }: PendingTranslation): Promise<void> {
    const subject = { kind: 'content', id };
    const own = await this.#transaction.run(selectRecord(siteNo, id));
    const original = await this.#transaction.run(selectRecord(siteNo, of));
    if (own === undefined || original === undefined)
      throw refusal(line, subject, `translation_of ${of} does not exist`);
    if (own.typeNo !== original.typeNo) throw refusal(line, subject, `translation_of ${of} has another content type`);
    const group = await this.#findRoot(line, subject, siteNo, original);
    if (group === own.translationGroup) return;
    const twin = await this.#transaction.run(findTranslation(siteNo, group, own.language, id));
    if (twin !== undefined)
      throw refusal(line, subject, `translation_of ${of}: ${twin} is its ${own.language} version`);
    await this.#transaction.run(moveToGroup(own.no, group));
  }

  async #findRoot(
    line: number,
    subject: { kind: string; id: string },
    siteNo: number,
    original: StoredContentRecord,
  ): Promise<string> {
    const seen = new Set<string>([subject.id]);
    let current = original;
    while (current.translationGroup !== current.id) {
      if (seen.has(current.id)) throw refusal(line, subject, 'translation_of closes a circle of translations');
      seen.add(current.id);
      const next = await this.#transaction.run(selectRecord(siteNo, current.translationGroup));
      if (next === undefined) return current.translationGroup;
      current = next;
    }
    return current.id;
  }

  async #refuseDeadLinks(): Promise<void> {
    await this.#forgetFoundLinks();
    const [dead] = this.#links;
    if (dead !== undefined) throw new BundleFault(dead[1], `content_links: content ${dead[0]} does not exist`);
  }

  async #forgetFoundLinks(): Promise<void> {
    const missing = new Set(await this.#transaction.run(findMissingContents([...this.#links.keys()])));
    this.#links = new Map([...this.#links].filter(([id]) => missing.has(id)));
  }
}

function refusal(
  line: number,
  { kind, id }: { readonly kind: string; readonly id: string },
  message: string,
): BundleFault {
  return new BundleFault(line, `${kind} ${id}: ${message}`);
}

function readSeo(line: number, record: ContentRecord, raw: unknown): Seo {
  const seo = parseSeo(raw ?? {});
  if (seo.ok) return seo.value;
  throw refusal(line, record, seo.problem.map(formatFault).join('; '));
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

/** A draft with another slug has another uri too, unless the uri was set by hand. */
function keptUri(base: ContentVersion | undefined, slug: string): string | null {
  return base === undefined || (base.uri === null && base.slug !== slug) ? null : base.uri;
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
