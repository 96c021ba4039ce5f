// Parses a content object in a bundle. Field values and `seo` stay raw: they are parsed later with the content type.

import { z } from 'zod';
import { isId } from '../content/ids.ts';
import { CONTENT_STATUSES } from '../content/lifecycle.ts';
import {
  handleMember,
  idMember,
  isHandle,
  nameMember,
  oneOfMember,
  orNull,
  orUnset,
  strictMembers,
  textMember,
  timeMember,
} from '../content/schema-members.ts';
import { languageMember } from '../content/site-definition.ts';
import { isSlug, SLUG_RULE } from '../content/slug.ts';
import { isLanguage, isName } from '../content/text-rules.ts';
import { parseTimestamp } from '../content/timestamp.ts';
import { isUri, URI_RULE } from '../content/uri.ts';

const slug = textMember(SLUG_RULE, isSlug);
const uri = textMember(URI_RULE, isUri);

/** An omitted property takes its value from the published version. Null removes the author, uri or seo. */
const draftRecord = strictMembers('a draft', {
  name: nameMember.optional(),
  slug: slug.optional(),
  uri: uri.nullable().optional(),
  shown_uri: uri.nullable().optional(),
  author: idMember.nullable().optional(),
  updated_at: timeMember.nullable().optional(),
  seo: z.unknown().optional(),
  fields: z.unknown().optional(),
});

/** References in the content to objects that the site no longer has, or never had. */
const absentRecord = strictMembers('absent', {
  contents: orUnset(z.array(idMember, { error: 'must be an array of ids' })),
  assets: orUnset(z.array(idMember, { error: 'must be an array of ids' })),
  options: orUnset(z.array(nameMember, { error: 'must be an array of option values' })),
});

export const contentRecord = strictMembers('content', {
  kind: z.literal('content'),
  id: idMember,
  site: idMember,
  content_type: handleMember,
  author: orNull(idMember),
  language: languageMember,
  translation_of: orNull(idMember),
  slug,
  name: nameMember,
  uri: orNull(uri),
  shown_uri: orNull(uri),
  status: oneOfMember(['draft', 'published', 'unpublished', 'archived']),
  published_at: orNull(timeMember),
  created_at: orNull(timeMember),
  updated_at: orNull(timeMember),
  publish_at: orNull(timeMember),
  unpublish_at: orNull(timeMember),
  seo: z.unknown().optional(),
  fields: z.unknown().optional(),
  draft: orNull(draftRecord),
  absent: orNull(absentRecord),
});

export type ContentRecord = z.output<typeof contentRecord>;
export type DraftRecord = z.output<typeof draftRecord>;
export type AbsentRecord = z.output<typeof absentRecord>;

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

/**
 * Parses plain records much faster than the schema does. A bundle can contain a lot of content, and most of it is valid. The schema
 * handles everything else and reports errors.
 * @returns the same value as the schema; undefined if the record must be parsed with the schema
 */
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
