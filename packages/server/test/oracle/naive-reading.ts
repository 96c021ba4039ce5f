// Determines, in the slow and obvious way, which content a reader may see: by going through every record and keeping the visible
// ones. Public readers see published versions; preview readers see the latest saved version of everything.

import type { BundleRecord, ContentRecord, ContentTypeRecord, FieldValues, SeoValues, SiteRecord } from './bundle.ts';

export interface VisibleContent {
  readonly id: string;
  readonly type: ContentTypeRecord;
  readonly author: string | null;
  readonly language: string;
  /** The id of the record that started the translation group. */
  readonly group: string;
  readonly slug: string;
  readonly name: string;
  readonly uri: string;
  readonly seo: SeoValues;
  readonly fields: FieldValues;
  /** In milliseconds; null if the content is not published. */
  readonly publishedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Reading {
  readonly site: SiteRecord;
  readonly records: readonly BundleRecord[];
  readonly types: readonly ContentTypeRecord[];
  readonly contents: readonly VisibleContent[];
}

export function readSite(records: readonly BundleRecord[], site: SiteRecord, isPreview: boolean): Reading {
  const types = records.filter((record) => record.kind === 'content_type').filter((type) => type.site === site.id);
  const contents = records
    .filter((record) => record.kind === 'content')
    .filter((record) => record.site === site.id && isVisible(record, isPreview))
    .map((record) => visibleContent(record, site, typeOf(record, types), isPreview));
  return { site, records, types, contents };
}

/** A preview shows everything except archived content. */
function isVisible({ status }: ContentRecord, isPreview: boolean): boolean {
  return isPreview ? status !== 'archived' : status === 'published';
}

function typeOf(record: ContentRecord, types: readonly ContentTypeRecord[]): ContentTypeRecord {
  const type = types.find((candidate) => candidate.handle === record.content_type);
  if (type === undefined) throw new Error(`${record.id} has an unknown content type`);
  return type;
}

function visibleContent(
  record: ContentRecord,
  site: SiteRecord,
  type: ContentTypeRecord,
  isPreview: boolean,
): VisibleContent {
  const saved = isPreview ? newestVersion(record) : record;
  return {
    id: record.id,
    type,
    author: saved.author,
    language: record.language,
    group: record.translation_of ?? record.id,
    slug: saved.slug,
    name: saved.name,
    uri: saved.uri ?? uriFromPattern(type.uri_pattern ?? '{slug}', saved, site),
    seo: saved.seo ?? {},
    fields: saved.fields,
    publishedAt: record.status === 'published' ? milliseconds(record.published_at ?? record.created_at) : null,
    createdAt: milliseconds(record.created_at),
    updatedAt: milliseconds(record.updated_at),
  };
}

/** `draft` contains only the changed properties; all others stay the same. */
function newestVersion(record: ContentRecord): ContentRecord {
  const { draft } = record;
  if (draft === undefined) return record;
  return {
    ...record,
    ...draft,
    seo: {
      ...record.seo,
      ...draft.seo,
      open_graph: { ...record.seo?.open_graph, ...draft.seo?.open_graph },
    },
    fields: { ...record.fields, ...draft.fields },
  };
}

function uriFromPattern(pattern: string, content: ContentRecord, site: SiteRecord): string {
  const language = content.language === site.default_language ? '' : content.language;
  return pattern
    .replaceAll('{slug}', content.slug)
    .replaceAll('{id}', content.id)
    .replaceAll('{language}', language)
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

export function milliseconds(timestamp: string): number {
  return new Date(timestamp).getTime();
}
