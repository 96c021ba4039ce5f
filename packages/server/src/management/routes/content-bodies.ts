// The bodies that the content routes accept and return.

import type {
  ContentSummaryBody,
  FailedScheduleBody,
  FaultBody,
  ManagedContentBody,
  TranslationBody,
  TranslationListBody,
  ValidationBody,
  WarningBody,
} from '@galley/wire';
import { z } from 'zod';
import type { ContentDescription, Translations } from '../../authoring/contents/describe-content.ts';
import type { UrlWarning } from '../../authoring/contents/url-clashes.ts';
import type { Site } from '../../content/catalog.ts';
import { FAULT_CODES, type Fault } from '../../content/fault.ts';
import { CONTENT_STATES, type FailedSchedule, findState } from '../../content/lifecycle.ts';
import { idMember, nameMember, orUnset, textMember } from '../../content/schema-members.ts';
import { isSlug, SLUG_RULE } from '../../content/slug.ts';
import { isLanguage, LANGUAGE_RULE } from '../../content/text-rules.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { isUri, URI_RULE } from '../../content/uri.ts';
import type { StoredContentRecord } from '../../storage/contents/content-records.ts';
import { decodeFailedSchedule } from '../../storage/contents/schedules.ts';
import type { RecordSummaryRow } from '../../storage/contents/select-records-page.ts';

const VERSION_RULE = 'must be the number of a version';

export const versionMember = z.int({ error: VERSION_RULE }).min(1, { error: VERSION_RULE });
export const languageMember = textMember(LANGUAGE_RULE, isLanguage);
export const slugMember = textMember(SLUG_RULE, isSlug, 'slug_invalid');

/** The properties of a version. Omitted properties stay as they are. */
export const versionMembers = {
  name: orUnset(nameMember),
  slug: slugMember
    .nullable()
    .optional()
    .meta({
      description: `Must be ${SLUG_RULE}. If null, a draft’s slug is generated from its name; other content keeps its slug.`,
    }),
  uri: textMember(URI_RULE, isUri).nullable().optional(),
  author: idMember.nullable().optional(),
  // Both are parsed later, when the content type is known. These schemas are only for the OpenAPI document.
  seo: z
    .unknown()
    .meta({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'All SEO values. A save removes those that you omit.',
      examples: [{ title: 'Hello', description: 'A first post.' }],
    })
    .optional(),
  fields: z
    .unknown()
    .meta({
      type: 'object',
      additionalProperties: true,
      description: 'All values by handle, as in a bundle: an omitted field has no value.',
      examples: [{ title: { text: 'Hello' } }],
    })
    .optional(),
};

const stateBody = z.enum(CONTENT_STATES);

export const faultBody: z.ZodType<FaultBody> = z
  .strictObject({
    path: z.string().describe('For example `fields.body.blocks[2].fields.title.text` or `query.limit`.'),
    message: z.string().describe('Completes a sentence that starts with the path, like `must be text`.'),
    code: z.enum(FAULT_CODES).describe('The type of error, in machine-readable form.'),
    values: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .describe('Values that go with the code, such as a limit or the name of other content.'),
  })
  .meta({ id: 'Fault' });

export const failedScheduleBody: z.ZodType<FailedScheduleBody> = z
  .strictObject({
    action: z.enum(['publish', 'unpublish']),
    due_at: z.string().describe('The scheduled time.'),
    failed_at: z.string(),
    message: z.string(),
    errors: z.array(faultBody).describe('The first 20 faults; empty if the message says everything.'),
  })
  .meta({ id: 'FailedSchedule' });

const summaryMembers = {
  id: z.string(),
  content_type: z.string().describe('The handle of its content type.'),
  language: z.string(),
  name: z.string(),
  slug: z.string(),
  author: z.string().nullable().describe('The id of its author.'),
  author_name: z.string().nullable(),
  state: stateBody,
  version: z.int().describe('The number of the newest version. A save must specify the version that it is based on.'),
  published_version: z.int().nullable().describe('The number of the published version; null if there is none.'),
  published_at: z.string().nullable(),
  publish_at: z.string().nullable().describe('When it will be published; null if not scheduled.'),
  unpublish_at: z.string().nullable().describe('When it will be unpublished; null if not scheduled.'),
  failed_schedule: failedScheduleBody
    .nullable()
    .describe('The last schedule that failed; null if there is none, or if it has been dismissed or replaced.'),
  created_at: z.string(),
  updated_at: z.string().describe('When the newest version was saved.'),
};

export const summaryBody: z.ZodType<ContentSummaryBody> = z.strictObject(summaryMembers).meta({ id: 'ContentSummary' });

const warningBody: z.ZodType<WarningBody> = z
  .strictObject({
    reason: z
      .enum(['url_shared', 'url_in_other_language'])
      .describe(
        '`url_shared`: another page in the same language has the same URL. `url_in_other_language`: a page in another language has the same URL.',
      ),
    message: z.string(),
    content: z
      .strictObject({ id: z.string(), name: z.string(), content_type: z.string(), language: z.string() })
      .describe('The published version of the other page.'),
  })
  .meta({ id: 'Warning' });

const translationBody: z.ZodType<TranslationBody> = z
  .strictObject({ id: z.string(), language: z.string(), name: z.string(), slug: z.string(), state: stateBody })
  .meta({ id: 'Translation' });

export const saverBody = z
  .strictObject({ id: z.string().nullable().describe('Null for commands and schedules.'), name: z.string() })
  .meta({ id: 'Saver' });

export const managedContentBody: z.ZodType<ManagedContentBody> = z
  .strictObject({
    ...summaryMembers,
    uri: z
      .string()
      .nullable()
      .describe('A custom path, relative to the site’s URL; null if the path follows the content type’s pattern.'),
    path: z.string().describe('The path that the newest version would have if it were published now.'),
    url: z.string().nullable().describe('The full URL; null if the site has no URL.'),
    published_path: z.string().nullable().describe('The path of the published version; null if there is none.'),
    published_url: z
      .string()
      .nullable()
      .describe('The full URL of the published version; null if there is none, or if the site has no URL.'),
    seo: z.record(z.string(), z.unknown()).describe('Every property is present; unset ones are null.'),
    fields: z
      .record(z.string(), z.unknown())
      .describe('Values by handle, as in a bundle; fields without a value are omitted.'),
    saved_by: saverBody.nullable().describe('Who saved the newest version; null for an import.'),
    slug_follows_name: z
      .boolean()
      .describe('Whether the slug of a draft is generated from its name. Saving a null slug keeps it that way.'),
    faults: z.array(faultBody).describe('The faults that prevent the newest version from being published.'),
    warnings: z.array(warningBody).describe('Published pages that have the same URL as the newest version.'),
    translations: z.array(translationBody).describe('All translations of the content, including this one.'),
    missing_languages: z
      .array(z.string())
      .describe('The site’s languages that the content has not been translated into.'),
    sanitised: z
      .array(z.string())
      .describe('After a save: the paths of text values from which HTML was removed before they were stored.'),
  })
  .meta({ id: 'ManagedContent' });

export const translationListBody: z.ZodType<TranslationListBody> = z
  .strictObject({ data: z.array(translationBody), missing_languages: z.array(z.string()) })
  .meta({ id: 'TranslationList' });

export const validationBody: z.ZodType<ValidationBody> = z
  .strictObject({ is_valid: z.boolean(), faults: z.array(faultBody), warnings: z.array(warningBody) })
  .meta({ id: 'Validation' });

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

const REASON_DELETED = 'The reason was removed because it may have named deleted content or a deleted field.';

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

export function renderFault({ path, message, code = 'invalid', values }: Fault): FaultBody {
  return { path, message, code, ...(values === undefined ? {} : { values }) };
}

export function renderWarning({ reason, message, holder }: UrlWarning): WarningBody {
  const { id, name, type, language } = holder;
  return { reason, message, content: { id, name, content_type: type, language } };
}
