// Most content of a bundle is as it should be, and there is very much of it: what has nothing special about it is read
// here, in a fraction of a schema's time. Whatever this reader does not vouch for is left to the schema, which knows all
// rules and says what is wrong.

import { isId } from '../content/ids.ts';
import { CONTENT_STATUSES } from '../content/lifecycle.ts';
import { isHandle } from '../content/schema-members.ts';
import { isSlug } from '../content/slug.ts';
import { isLanguage, isName } from '../content/text-rules.ts';
import { parseTimestamp } from '../content/timestamp.ts';
import { isUri } from '../content/uri.ts';
import type { ContentRecord } from './content-record.ts';

const MEMBERS: ReadonlySet<string> = new Set([
  'kind',
  'id',
  'site',
  'content_type',
  'author',
  'language',
  'translation_of',
  'slug',
  'name',
  'uri',
  'shown_uri',
  'status',
  'published_at',
  'created_at',
  'updated_at',
  'publish_at',
  'unpublish_at',
  'seo',
  'fields',
  'draft',
  'absent',
]);

/** @returns what the schema would make of it; undefined where only the schema can tell */
export function readPlainContent(raw: Readonly<Record<string, unknown>>): ContentRecord | undefined {
  for (const name of Object.keys(raw)) if (!MEMBERS.has(name)) return undefined;
  const id = readText(raw.id, isId);
  const site = readText(raw.site, isId);
  const contentType = readText(raw.content_type, isHandle);
  const language = readText(raw.language, isLanguage);
  const slug = readText(raw.slug, isSlug);
  const name = readText(raw.name, isName);
  const status = CONTENT_STATUSES.find((each) => each === raw.status);
  if (id === undefined || site === undefined || contentType === undefined || language === undefined) return undefined;
  if (slug === undefined || name === undefined || status === undefined) return undefined;
  const author = readOptionalText(raw.author, isId);
  const original = readOptionalText(raw.translation_of, isId);
  const uri = readOptionalText(raw.uri, isUri);
  const shownUri = readOptionalText(raw.shown_uri, isUri);
  if (author === undefined || original === undefined || uri === undefined || shownUri === undefined) return undefined;
  const publishedAt = readOptionalTime(raw.published_at);
  const createdAt = readOptionalTime(raw.created_at);
  const updatedAt = readOptionalTime(raw.updated_at);
  const publishAt = readOptionalTime(raw.publish_at);
  const unpublishAt = readOptionalTime(raw.unpublish_at);
  if (publishedAt === undefined || createdAt === undefined || updatedAt === undefined) return undefined;
  if (publishAt === undefined || unpublishAt === undefined) return undefined;
  if ((raw.draft ?? null) !== null || (raw.absent ?? null) !== null) return undefined;
  return {
    kind: 'content',
    id,
    site,
    content_type: contentType,
    author,
    language,
    translation_of: original,
    slug,
    name,
    uri,
    shown_uri: shownUri,
    status,
    published_at: publishedAt,
    created_at: createdAt,
    updated_at: updatedAt,
    publish_at: publishAt,
    unpublish_at: unpublishAt,
    seo: raw.seo,
    fields: raw.fields,
    draft: null,
    absent: null,
  };
}

function readText(raw: unknown, accepts: (text: string) => boolean): string | undefined {
  return typeof raw === 'string' && accepts(raw) ? raw : undefined;
}

function readOptionalText(raw: unknown, accepts: (text: string) => boolean): string | null | undefined {
  return raw === undefined || raw === null ? null : readText(raw, accepts);
}

function readOptionalTime(raw: unknown): number | null | undefined {
  if (raw === undefined || raw === null) return null;
  return typeof raw === 'string' ? parseTimestamp(raw) : undefined;
}
