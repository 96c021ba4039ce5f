import type {
  ContentSummaryBody,
  FailedScheduleBody,
  FaultBody,
  ManagedContentBody,
  TranslationBody,
  TranslationListBody,
  WarningBody,
} from '@galley/wire';
import type { ContentDescription, Translations } from '../../authoring/contents/describe-content.ts';
import type { UrlWarning } from '../../authoring/contents/url-clashes.ts';
import type { Site } from '../../content/catalog.ts';
import type { Fault } from '../../content/fault.ts';
import { type FailedSchedule, findState } from '../../content/lifecycle.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { decodeFailedSchedule, type RecordSummaryRow, type StoredContentRecord } from '../../storage/port.ts';

export function renderSummary(row: RecordSummaryRow): ContentSummaryBody {
  const { status, newest_version: newestVersion, published_version: publishedVersion } = row;
  const failed = decodeFailedSchedule(row);
  return {
    id: row.id,
    content_type: row.type,
    language: row.language,
    name: row.name,
    slug: row.slug,
    author: row.author_id,
    author_name: row.author_name,
    state: findState({ status, newestVersion, publishedVersion }),
    version: newestVersion,
    published_version: publishedVersion,
    published_at: formatOptionalTimestamp(row.published_at),
    publish_at: formatOptionalTimestamp(row.publish_at),
    unpublish_at: formatOptionalTimestamp(row.unpublish_at),
    failed_schedule: failed && renderFailedSchedule(failed),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}

export function renderManagedContent(content: ContentDescription): ManagedContentBody {
  const { catalog, type, record, newest, author, path, publishedPath, translations, sanitised } = content;
  const { data, missing_languages } = renderTranslations(translations);
  return {
    id: record.id,
    content_type: type.handle,
    language: record.language,
    name: newest.name,
    slug: newest.slug,
    author: author?.id ?? null,
    author_name: author?.name ?? null,
    state: findState(record),
    version: record.newestVersion,
    published_version: record.publishedVersion,
    published_at: formatOptionalTimestamp(record.publishedAt),
    publish_at: formatOptionalTimestamp(record.publishAt),
    unpublish_at: formatOptionalTimestamp(record.unpublishAt),
    failed_schedule: record.failedSchedule && renderFailedSchedule(record.failedSchedule),
    created_at: formatTimestamp(record.createdAt),
    updated_at: formatTimestamp(record.updatedAt),
    uri: newest.uri,
    path,
    url: renderUrl(catalog.site, path),
    published_path: publishedPath,
    published_url: publishedPath === null ? null : renderUrl(catalog.site, publishedPath),
    seo: { ...newest.seo },
    fields: newest.fields,
    saved_by: newest.savedBy === null ? null : { id: newest.savedBy.id, name: newest.savedBy.name },
    slug_follows_name: content.isSlugMade,
    faults: content.faults.map(renderFault),
    warnings: content.warnings.map(renderWarning),
    translations: data,
    missing_languages,
    sanitised,
  };
}

const REASON_DELETED = 'The reason was removed because content or a field that it may have named was deleted.';

export function renderFailedSchedule({ action, dueAt, failedAt, reason }: FailedSchedule): FailedScheduleBody {
  return {
    action,
    due_at: formatTimestamp(dueAt),
    failed_at: formatTimestamp(failedAt),
    message: reason?.message ?? REASON_DELETED,
    errors: reason?.faults.map(renderFault) ?? [],
  };
}

function renderUrl({ url }: Site, path: string): string | null {
  return url === null ? null : `${url}/${path}`;
}

export function renderTranslations({ records, missingLanguages }: Translations): TranslationListBody {
  return { data: records.map(renderTranslation), missing_languages: missingLanguages };
}

function renderTranslation(record: StoredContentRecord): TranslationBody {
  const { id, language, name, slug } = record;
  return { id, language, name, slug, state: findState(record) };
}

export function renderFault({ path, message }: Fault): FaultBody {
  return { path, message };
}

export function renderWarning({ reason, message, holder }: UrlWarning): WarningBody {
  const { id, name, type, language } = holder;
  return { reason, message, content: { id, name, content_type: type, language } };
}
