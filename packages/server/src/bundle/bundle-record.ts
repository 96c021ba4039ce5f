// The records of a bundle, each a line of JSON. Members keep their names in the file; times become milliseconds, and
// what may be left out has its default. Field values and `seo` stay as they are: they are read later, against the
// content type, which may stand anywhere in the file.

import { z } from 'zod';
import { contentTypeDefinition } from '../content/content-type-definition.ts';
import { buildFault, formatFault } from '../content/fault.ts';
import { isId } from '../content/ids.ts';
import { isJsonObject } from '../content/json-object.ts';
import { isLanguage, LANGUAGE_RULE } from '../content/language.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { fail, ok, type Result } from '../content/result.ts';
import {
  countMember,
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
import { isSlug, SLUG_RULE } from '../content/slug.ts';
import { parseStrictJson } from '../content/strict-json.ts';
import { isUri, URI_RULE } from '../content/uri.ts';
import { ASSET_URL_RULE, isAssetUrl, parseSiteUrl, SITE_URL_RULE } from '../content/web-address.ts';
import { findDataMediaType, findExtension, findExtensionOf, findMediaType } from './media-type.ts';

const EMAIL_PATTERN = /^[^\s@]{1,255}@[^\s@]{1,255}$/;
const EXTENSION_PATTERN = /^[A-Za-z0-9]{0,16}$/;
const MEDIA_TYPE_PATTERN = /^[a-z0-9][a-z0-9.+_-]{0,126}\/[a-z0-9][a-z0-9.+_-]{0,126}$/i;

const language = textMember(LANGUAGE_RULE, isLanguage);
const slug = textMember(SLUG_RULE, isSlug);
const uri = textMember(URI_RULE, isUri);
const assetUrl = textMember(ASSET_URL_RULE, isAssetUrl);

const siteUrl = textMember(SITE_URL_RULE, (text) => parseSiteUrl(text) !== undefined).transform(
  (text) => parseSiteUrl(text) ?? text,
);

const mediaType = textMember('a media type like image/jpeg', (text) => MEDIA_TYPE_PATTERN.test(text)).transform(
  (text) => text.toLowerCase(),
);

const siteRecord = strictMembers('a site', {
  kind: z.literal('site'),
  id: idMember,
  name: nameMember,
  default_language: language,
  languages: orUnset(z.array(language, { error: 'must be an array of language tags' })),
  url: orNull(siteUrl),
}).transform(({ languages, ...site }, context) => {
  const all = languages ?? [site.default_language];
  if (new Set(all).size < all.length) {
    context.issues.push({ code: 'custom', path: ['languages'], message: 'must not name a language twice', input: all });
  }
  if (!all.includes(site.default_language)) {
    const message = `must contain the default_language ${site.default_language}`;
    context.issues.push({ code: 'custom', path: ['languages'], message, input: all });
  }
  return { ...site, languages: all };
});

const authorRecord = strictMembers('an author', {
  kind: z.literal('author'),
  id: idMember,
  site: idMember,
  name: nameMember,
  email: orNull(textMember('an e-mail address like ada@example.com', (text) => EMAIL_PATTERN.test(text))),
  profile_photo_url: orNull(assetUrl),
});

const assetRecord = strictMembers('an asset', {
  kind: z.literal('asset'),
  id: idMember,
  site: idMember,
  name: nameMember,
  description: optionalTextMember,
  path: optionalTextMember,
  url: assetUrl,
  extension: orNull(textMember('at most 16 letters and digits without a dot', (text) => EXTENSION_PATTERN.test(text))),
  size: countMember.optional(),
  mime_type: orNull(mediaType),
  width: orNull(countMember),
  height: orNull(countMember),
}).transform(completeAsset);

interface AssetGaps {
  readonly id: string;
  readonly url: string;
  readonly path: string | null;
  readonly extension: string | null;
  readonly size?: number | undefined;
  readonly mime_type: string | null;
}

/**
 * What is left out follows from the rest: the extension from the path, else from the media type; the media type from a
 * `data:` address, else from the extension; the path from the address, and for `data:` from the id.
 */
function completeAsset<Asset extends AssetGaps>(asset: Asset) {
  const dataType = findDataMediaType(asset.url);
  const urlPath = dataType === undefined ? findUrlPath(asset.url) : '';
  const declared = asset.mime_type ?? dataType;
  const extension =
    asset.extension ??
    (findExtension(asset.path ?? urlPath) || (declared === undefined ? '' : findExtensionOf(declared)));
  const ownPath = `assets/${asset.id}${extension === '' ? '' : `.${extension}`}`;
  return {
    ...asset,
    path: asset.path ?? (urlPath === '' ? ownPath : urlPath),
    extension,
    size: asset.size ?? 0,
    mime_type: declared ?? findMediaType(extension),
  };
}

/** The path of an http address or of a path from `/`, without its leading slash. */
function findUrlPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.slice(1);
}

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
  author: idMember.nullable().optional(),
  seo: z.unknown().optional(),
  fields: z.unknown().optional(),
});

const contentRecord = strictMembers('content', {
  kind: z.literal('content'),
  id: idMember,
  site: idMember,
  content_type: handleMember,
  author: orNull(idMember),
  language,
  translation_of: orNull(idMember),
  slug,
  name: nameMember,
  uri: orNull(uri),
  status: oneOfMember(['draft', 'published', 'unpublished', 'archived']),
  published_at: orNull(timeMember),
  created_at: orNull(timeMember),
  updated_at: orNull(timeMember),
  publish_at: orNull(timeMember),
  unpublish_at: orNull(timeMember),
  seo: z.unknown().optional(),
  fields: z.unknown().optional(),
  draft: orNull(draftRecord),
});

export type SiteRecord = z.output<typeof siteRecord>;
export type AuthorRecord = z.output<typeof authorRecord>;
export type AssetRecord = z.output<typeof assetRecord>;
export type ContentTypeRecord = z.output<typeof contentTypeRecord>;
export type ContentRecord = z.output<typeof contentRecord>;
export type DraftRecord = z.output<typeof draftRecord>;
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
