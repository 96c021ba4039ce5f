// Prepares plain content to be written as new content, using only the catalog and not the database. The import handles everything else,
// and reports faults.

import { hash } from 'node:crypto';
import type { Catalog } from '../content/catalog.ts';
import type { ContentType } from '../content/field.ts';
import { collectReferences, type FieldValues, findMissingRequired, parseFieldValues } from '../content/field-value.ts';
import { findScheduleFault } from '../content/lifecycle.ts';
import { parseSeo, type Seo } from '../content/seo.ts';
import { typesetContent } from '../content/typeset.ts';
import { buildUri } from '../content/uri.ts';
import { encodeSeo } from '../storage/contents/content-versions.ts';
import type { NewContent } from '../storage/contents/insert-contents.ts';
import type { ContentRecord } from './content-record.ts';
import { findLimitFaults, type LimitFindings } from './find-limit-faults.ts';

/** A site with the numbers of the requested authors. The number is null if the author does not exist. */
export interface PreparationSite {
  readonly catalog: Catalog;
  readonly authors: ReadonlyMap<string, number | null>;
}

/** Whether the record can be prepared. */
export function isPlainRecord(record: ContentRecord): boolean {
  const { draft, absent, translation_of: original, shown_uri: shownUri } = record;
  return draft === null && absent === null && original === null && shownUri === null;
}

export interface Prepared {
  readonly content: NewContent;
  readonly limits: LimitFindings | undefined;
}

/** Returns undefined for content that the import has to check itself. */
export function prepareContent(
  record: ContentRecord,
  source: string,
  { catalog, authors }: PreparationSite,
  now: number,
): Prepared | undefined {
  const type = catalog.typesByHandle.get(record.content_type);
  if (type === undefined || type.objectType === 'block') return undefined;
  if (!catalog.site.languages.includes(record.language)) return undefined;
  const authorNo = record.author === null ? null : (authors.get(record.author) ?? undefined);
  if (authorNo === undefined) return undefined;
  if (findScheduleFault(record.status, record.publish_at, record.unpublish_at) !== undefined) return undefined;
  const fields = parseFieldValues(type, record.fields ?? {}, catalog.typesByHandle);
  const seo = parseSeo(record.seo);
  if (!fields.ok || !seo.ok) return undefined;
  const isPublished = record.status === 'published';
  if (isPublished && findMissingRequired(type, fields.value, catalog.typesByHandle).length > 0) return undefined;
  const sourceDigest = hash('sha256', source, 'base64url');
  const checked = { record, catalog, type, authorNo, fields: fields.value, seo: seo.value, sourceDigest };
  return {
    content: buildNewContent(checked, now),
    limits: findLimitFaults(type, fields.value, catalog.typesByHandle),
  };
}

interface CheckedContent {
  readonly record: ContentRecord;
  readonly catalog: Catalog;
  readonly type: ContentType;
  readonly authorNo: number | null;
  readonly fields: FieldValues;
  readonly seo: Seo;
  readonly sourceDigest: string;
}

function buildNewContent(checked: CheckedContent, now: number): NewContent {
  const { record, catalog, type, authorNo, fields, seo, sourceDigest } = checked;
  const { id, slug, name, language, status } = record;
  const isPublished = status === 'published';
  const publishedAt = isPublished ? (record.published_at ?? now) : null;
  const createdAt = record.created_at ?? publishedAt ?? now;
  const updatedAt = record.updated_at ?? now;
  const { defaultLanguage } = catalog.site;
  const uri = record.uri ?? buildUri(type.uriPattern, { slug, id, language, defaultLanguage });
  const state = { id, slug, name, uri, language, authorNo, seo, fields, publishedAt, createdAt, updatedAt };
  const { links, assets, shown: references } = collectReferences(type, fields, catalog.typesByHandle);
  return {
    record: {
      siteNo: catalog.site.no,
      id,
      typeNo: type.no,
      language,
      translationGroup: id,
      status,
      slug,
      name,
      authorNo,
      newestVersion: 1,
      publishedVersion: isPublished ? 1 : null,
      publishedAt,
      publishAt: record.publish_at,
      unpublishAt: record.unpublish_at,
      failedSchedule: null,
      createdAt,
      updatedAt,
      sourceDigest,
    },
    version: { uri: record.uri, savedAt: updatedAt, seo: encodeSeo(seo), fields: JSON.stringify(fields) },
    shown:
      status === 'archived'
        ? null
        : {
            model: isPublished ? 'published' : 'preview',
            uri,
            typeset: typesetContent(state, type, catalog.typesByHandle),
          },
    links,
    assets,
    references,
  };
}
