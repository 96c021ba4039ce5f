// The records of a bundle, each a line of JSON. Members keep their names in the file; times become milliseconds, and
// what may be left out has its default. Field values and `seo` stay as they are: they are read later, against the
// content type, which may stand anywhere in the file.

import { z } from 'zod';
import { assetMembers, completeAsset } from '../content/asset-definition.ts';
import { authorMembers } from '../content/author-definition.ts';
import { contentTypeDefinition } from '../content/content-type-definition.ts';
import { buildFault, formatFault } from '../content/fault.ts';
import { isId } from '../content/ids.ts';
import { isJsonObject } from '../content/json-object.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { fail, ok, type Result } from '../content/result.ts';
import {
  handleMember,
  idMember,
  nameMember,
  oneOfMember,
  optionalTextMember,
  orNull,
  orUnset,
  strictMembers,
  textMember,
  timeMember,
} from '../content/schema-members.ts';
import { completeLanguages, languageMember, languagesMember, siteUrlMember } from '../content/site-definition.ts';
import { isSlug, SLUG_RULE } from '../content/slug.ts';
import { parseStrictJson } from '../content/strict-json.ts';
import { isUri, URI_RULE } from '../content/uri.ts';

const slug = textMember(SLUG_RULE, isSlug);
const uri = textMember(URI_RULE, isUri);

const siteRecord = strictMembers('a site', {
  kind: z.literal('site'),
  id: idMember,
  name: nameMember,
  default_language: languageMember,
  languages: orUnset(languagesMember),
  url: orNull(siteUrlMember),
}).transform(completeLanguages);

const authorRecord = strictMembers('an author', {
  kind: z.literal('author'),
  id: idMember,
  site: idMember,
  name: authorMembers.name,
  email: orNull(authorMembers.email),
  profile_photo_url: orNull(authorMembers.profile_photo_url),
});

const assetRecord = strictMembers('an asset', {
  kind: z.literal('asset'),
  id: idMember,
  site: idMember,
  name: assetMembers.name,
  description: optionalTextMember,
  path: optionalTextMember,
  url: assetMembers.url,
  extension: orNull(assetMembers.extension),
  size: assetMembers.size.optional(),
  mime_type: orNull(assetMembers.mime_type),
  width: orNull(assetMembers.width),
  height: orNull(assetMembers.height),
}).transform(completeAsset);

const contentTypeRecord = strictMembers('a content type', {
  kind: z.literal('content_type'),
  id: idMember,
  site: idMember,
  ...contentTypeDefinition.shape,
});

/** A member that is not there is as in the published version; null takes the author, the uri or the seo away. */
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

/** What content refers to though the site does not have it any more, or never had. */
const absentRecord = strictMembers('absent', {
  contents: orUnset(z.array(idMember, { error: 'must be an array of ids' })),
  assets: orUnset(z.array(idMember, { error: 'must be an array of ids' })),
  options: orUnset(z.array(nameMember, { error: 'must be an array of option values' })),
});

const contentRecord = strictMembers('content', {
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

export type SiteRecord = z.output<typeof siteRecord>;
export type AuthorRecord = z.output<typeof authorRecord>;
export type AssetRecord = z.output<typeof assetRecord>;
export type ContentTypeRecord = z.output<typeof contentTypeRecord>;
export type ContentRecord = z.output<typeof contentRecord>;
export type DraftRecord = z.output<typeof draftRecord>;
export type AbsentRecord = z.output<typeof absentRecord>;
export type BundleRecord = SiteRecord | AuthorRecord | AssetRecord | ContentTypeRecord | ContentRecord;

const SCHEMAS: ReadonlyMap<unknown, z.ZodType<BundleRecord>> = new Map<unknown, z.ZodType<BundleRecord>>([
  ['site', siteRecord],
  ['author', authorRecord],
  ['asset', assetRecord],
  ['content_type', contentTypeRecord],
  ['content', contentRecord],
]);

/** The problem is one sentence about the first thing that is wrong, without the file and the line. */
export function parseBundleLine(line: string): Result<BundleRecord, string> {
  const json = parseStrictJson(line);
  if (!json.ok) return fail(`line ${json.problem}`);
  const raw = json.value;
  if (!isJsonObject(raw)) return fail(formatFault(buildFault('line', 'must be a JSON object', raw)));
  const kind = Object.hasOwn(raw, 'kind') ? raw.kind : undefined;
  const schema = SCHEMAS.get(kind);
  if (schema === undefined) {
    return fail(formatFault(buildFault('kind', `must be one of ${[...SCHEMAS.keys()].join(', ')}`, kind)));
  }
  const record = parseWithSchema(schema, raw);
  if (record.ok) return ok(Object.freeze(record.value));
  return fail(`${nameRecord(kind, raw)}: ${record.problem.slice(0, 1).map(formatFault).join()}`);
}

function nameRecord(kind: unknown, raw: Readonly<Record<string, unknown>>): string {
  const id = Object.hasOwn(raw, 'id') ? raw.id : undefined;
  return typeof id === 'string' && isId(id) ? `${kind} ${id}` : `${kind}`;
}
