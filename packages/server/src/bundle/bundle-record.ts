// Parses the records in a bundle, each of which is a line of JSON. Properties keep their names, times become milliseconds, and missing
// properties are set to their defaults. Field values and `seo` stay raw: they are parsed later with the content type, which may be
// anywhere in the file.

import { z } from 'zod';
import { contentTypeDefinition } from '../content/content-type-definition.ts';
import { buildFault } from '../content/fault.ts';
import { isId } from '../content/ids.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { ALWAYS, idMember, nameMember, orNull, orUnset, strictMembers } from '../content/schema-members.ts';
import {
  authorMembers,
  checkLanguages,
  completeLanguages,
  languageMember,
  languagesMember,
  siteUrlMember,
} from '../content/site-definition.ts';
import { isJsonObject, parseStrictJson } from '../content/strict-json.ts';
import { type AssetRecord, assetRecord } from './asset-record.ts';
import { placeFault, type RecordFault, type RecordName } from './bundle-report.ts';
import { type ContentRecord, contentRecord, readPlainContent } from './content-record.ts';

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

const contentTypeRecord = strictMembers('a content type', {
  kind: z.literal('content_type'),
  id: idMember,
  site: idMember,
  ...contentTypeDefinition.shape,
});

export type SiteRecord = z.output<typeof siteRecord>;
export type AuthorRecord = z.output<typeof authorRecord>;
export type ContentTypeRecord = z.output<typeof contentTypeRecord>;
export type BundleRecord = SiteRecord | AuthorRecord | AssetRecord | ContentTypeRecord | ContentRecord;

const SCHEMAS: ReadonlyMap<unknown, z.ZodType<BundleRecord>> = new Map<unknown, z.ZodType<BundleRecord>>([
  ['site', siteRecord],
  ['author', authorRecord],
  ['asset', assetRecord],
  ['content_type', contentTypeRecord],
  ['content', contentRecord],
]);

/** A line that is not a record. */
export interface LineProblem {
  /** Null if the kind could not be read. */
  readonly record: RecordName | null;
  readonly faults: readonly RecordFault[];
  /** Whether the line seems to be part of JSON that spans several lines. */
  readonly isPart: boolean;
}

const ONE_RECORD_PER_LINE =
  'a bundle has one record per line, without an enclosing array or commas between the records';

export function parseBundleLine(line: string): Result<BundleRecord, LineProblem> {
  const json = parseStrictJson(line);
  if (!json.ok) return fail(describeBrokenLine(line, json.problem));
  const raw = json.value;
  if (!isJsonObject(raw)) {
    const { message } = buildFault('', 'must be a JSON object', raw);
    const hint = Array.isArray(raw) ? `; ${ONE_RECORD_PER_LINE}` : '';
    return fail({ record: null, faults: [{ field: null, message: `line ${message}${hint}` }], isPart: false });
  }
  const kind = Object.hasOwn(raw, 'kind') ? raw.kind : undefined;
  const schema = SCHEMAS.get(kind);
  if (schema === undefined) {
    const fault = buildFault('kind', `must be one of ${[...SCHEMAS.keys()].join(', ')}`, kind);
    return fail({ record: null, faults: [placeFault(fault)], isPart: false });
  }
  const plain = kind === 'content' ? readPlainContent(raw) : undefined;
  if (plain !== undefined) return ok(Object.freeze(plain));
  const record = parseWithSchema(schema, raw);
  if (record.ok) return ok(Object.freeze(record.value));
  const faults = record.problem.map((fault) => ({ field: fault.path || null, message: fault.message }));
  return fail({ record: nameRecord(String(kind), raw), faults, isPart: false });
}

function describeBrokenLine(line: string, problem: string): LineProblem {
  const isPart = /^\s*[[\]}"]|[[{]\s*$/.test(line);
  const hint = isPart || /,\s*$/.test(line) ? `; ${ONE_RECORD_PER_LINE}` : '';
  return { record: null, faults: [{ field: null, message: `line ${problem}${hint}` }], isPart };
}

function nameRecord(kind: string, raw: Readonly<Record<string, unknown>>): RecordName {
  const id = Object.hasOwn(raw, 'id') ? raw.id : undefined;
  return { kind, id: typeof id === 'string' && isId(id) ? id : null };
}
