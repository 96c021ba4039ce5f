// A version of a content record in a bundle, checked against its type and against what it refers to.

import { type Fault, formatFault } from '../content/fault.ts';
import { collectReferences, type FieldValues, parseFieldValues } from '../content/field-value.ts';
import type { Result } from '../content/result.ts';
import { parseSeo } from '../content/seo.ts';
import type { ContentVersion, Procedure } from '../storage/port.ts';
import type { ContentRecord, DraftRecord } from './content-record.ts';
import type { ContentReferences } from './content-references.ts';
import type { ContentSubject } from './content-subject.ts';
import { mergeFields, mergeSeo } from './merge-draft.ts';
import { buildRefusal } from './refusal.ts';
import { widenOptions } from './widen-options.ts';

export interface VersionReading {
  readonly references: ContentReferences;
  readonly now: number;
}

/**
 * @param source the record itself, or its draft
 * @param base the version that a draft differs from
 */
export function* readContentVersion(
  subject: ContentSubject,
  source: ContentRecord | DraftRecord,
  base: ContentVersion | undefined,
  { references, now }: VersionReading,
): Procedure<ContentVersion> {
  const { record, type } = subject;
  const place = base === undefined ? '' : 'draft.';
  const authorNo = source.author === undefined ? base?.authorNo : yield* findAuthor(subject, source.author, references);
  const fields = takeParsed(subject, parseFields(subject, source.fields), place);
  yield* checkReferences(subject, fields, references);
  return {
    name: source.name ?? base?.name ?? record.name,
    slug: source.slug ?? base?.slug ?? record.slug,
    uri: source.uri === undefined ? (base?.uri ?? null) : source.uri,
    authorNo: authorNo ?? null,
    seo: takeParsed(subject, parseSeo(base === undefined ? source.seo : mergeSeo(base.seo, source.seo)), place),
    fields: base === undefined ? fields : mergeFields(type.fields, base.fields, fields, source.fields),
    savedAt: source.updated_at ?? record.updated_at ?? now,
    savedBy: null,
  };
}

function* findAuthor(
  { line, record, siteNo }: ContentSubject,
  id: string | null,
  references: ContentReferences,
): Procedure<number | null> {
  if (id === null) return null;
  const no = yield* references.findAuthor(siteNo, id);
  if (no === undefined) throw buildRefusal(line, record, `author ${id} does not exist`);
  return no;
}

function parseFields({ record, type, catalog }: ContentSubject, raw: unknown): Result<FieldValues, readonly Fault[]> {
  const known = widenOptions(type, catalog.typesByHandle, record.absent?.options ?? []);
  return parseFieldValues(known.type, raw ?? {}, known.typesByHandle);
}

/** @param place where the version stands in the record: at the top, or below `draft.` */
function takeParsed<Value>(
  { line, record }: ContentSubject,
  parsed: Result<Value, readonly Fault[]>,
  place: string,
): Value {
  if (parsed.ok) return parsed.value;
  throw buildRefusal(line, record, parsed.problem.map((fault) => `${place}${formatFault(fault)}`).join('; '));
}

function* checkReferences(
  { line, record, siteNo, type, catalog }: ContentSubject,
  fields: FieldValues,
  references: ContentReferences,
): Procedure<void> {
  const { links, assets } = collectReferences(type, fields, catalog.typesByHandle);
  const { contents: absentContents = [], assets: absentAssets = [] } = record.absent ?? {};
  const expectedAssets = assets.filter((id) => !absentAssets.includes(id));
  const missing = yield* references.findMissingAsset(siteNo, expectedAssets);
  if (missing !== undefined) throw buildRefusal(line, record, `asset ${missing} does not exist`);
  const expectedLinks = links.filter((id) => !absentContents.includes(id));
  yield* references.expectLinks(line, expectedLinks);
}
