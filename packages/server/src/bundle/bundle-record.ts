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
  ALWAYS,
  idMember,
  nameMember,
  optionalTextMember,
  orNull,
  orUnset,
  strictMembers,
} from '../content/schema-members.ts';
import {
  checkLanguages,
  completeLanguages,
  languageMember,
  languagesMember,
  siteUrlMember,
} from '../content/site-definition.ts';
import { parseStrictJson } from '../content/strict-json.ts';
import { type ContentRecord, contentRecord } from './content-record.ts';
import { readPlainContent } from './plain-content.ts';

const siteRecord = strictMembers('a site', {
  kind: z.literal('site'),
  id: idMember,
  name: nameMember,
  default_language: languageMember,
  languages: orUnset(languagesMember),
  url: orNull(siteUrlMember),
})
  .superRefine(checkLanguages, ALWAYS)
  .transform(completeLanguages);

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

export type SiteRecord = z.output<typeof siteRecord>;
export type AuthorRecord = z.output<typeof authorRecord>;
export type AssetRecord = z.output<typeof assetRecord>;
export type ContentTypeRecord = z.output<typeof contentTypeRecord>;
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
  const plain = kind === 'content' ? readPlainContent(raw) : undefined;
  if (plain !== undefined) return ok(Object.freeze(plain));
  const record = parseWithSchema(schema, raw);
  if (record.ok) return ok(Object.freeze(record.value));
  return fail(`${nameRecord(kind, raw)}: ${record.problem.slice(0, 1).map(formatFault).join()}`);
}

function nameRecord(kind: unknown, raw: Readonly<Record<string, unknown>>): string {
  const id = Object.hasOwn(raw, 'id') ? raw.id : undefined;
  return typeof id === 'string' && isId(id) ? `${kind} ${id}` : `${kind}`;
}
