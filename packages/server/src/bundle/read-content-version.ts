// Reads one version from a content record in a bundle, and checks it against its type and its references.

import type { Field } from '../content/field.ts';
import { collectReferences, type FieldValues, parseFieldValues } from '../content/field-value.ts';
import { EMPTY_SEO, parseSeo, type Seo } from '../content/seo.ts';
import { isJsonObject } from '../content/strict-json.ts';
import type { ContentVersion } from '../storage/contents/content-versions.ts';
import type { Procedure } from '../storage/statement.ts';
import { type BundleReport, placeFault, type RecordFault } from './bundle-report.ts';
import type { ContentRecord, DraftRecord } from './content-record.ts';
import type { ContentReferences } from './content-references.ts';
import { listReferences } from './content-references.ts';
import { type ContentSubject, findKnownTypes } from './content-subject.ts';
import { findLimitFaults } from './find-limit-faults.ts';

interface VersionReading {
  readonly references: ContentReferences;
  readonly report: BundleReport;
  readonly now: number;
  /** If there are faults, the version can be used only for further checks. */
  readonly faults: RecordFault[];
  readonly warnings: RecordFault[];
}

/**
 * @param source the record itself, or its draft
 * @param base the version that a draft is based on
 */
export function* readContentVersion(
  subject: ContentSubject,
  source: ContentRecord | DraftRecord,
  base: ContentVersion | undefined,
  reading: VersionReading,
): Procedure<ContentVersion> {
  const { record, type } = subject;
  const place = base === undefined ? '' : 'draft.';
  const { author } = source;
  const authorNo = author === undefined ? base?.authorNo : yield* findAuthor(subject, author, place, reading);
  const fields = readFields(subject, source.fields, place, reading);
  yield* checkReferences(subject, fields, place, reading);
  const seo = parseSeo(base === undefined ? source.seo : mergeSeo(base.seo, source.seo));
  if (!seo.ok) reading.faults.push(...seo.problem.map((fault) => placeFault(fault, place)));
  return {
    name: source.name ?? base?.name ?? record.name,
    slug: source.slug ?? base?.slug ?? record.slug,
    uri: source.uri === undefined ? (base?.uri ?? null) : source.uri,
    authorNo: authorNo ?? null,
    seo: seo.ok ? seo.value : EMPTY_SEO,
    fields: base === undefined ? fields : mergeFields(type.fields, base.fields, fields, source.fields),
    savedAt: source.updated_at ?? record.updated_at ?? reading.now,
    savedBy: null,
  };
}

type Place = '' | 'draft.';

function* findAuthor(
  { siteNo }: ContentSubject,
  id: string | null,
  place: Place,
  { references, report, faults }: VersionReading,
): Procedure<number | null> {
  if (id === null) return null;
  const no = yield* references.findAuthor(siteNo, id);
  if (no === undefined && !report.isSuspect('author', id)) {
    faults.push({ field: `${place}author`, message: `author ${id} does not exist` });
  }
  return no ?? null;
}

function readFields(
  subject: ContentSubject,
  raw: unknown,
  place: Place,
  { report, faults }: VersionReading,
): FieldValues {
  const known = findKnownTypes(subject);
  const parsed = parseFieldValues(known.type, raw ?? {}, known.typesByHandle);
  if (parsed.ok) return parsed.value;
  // If a type is faulty, blocks cannot be checked, because they may have that type.
  const isBlame = report.hasSuspectTypes() ? (path: string) => !path.includes('.blocks[') : () => true;
  for (const fault of parsed.problem) if (isBlame(fault.path)) faults.push(placeFault(fault, place));
  return {};
}

function* checkReferences(
  { record, siteNo, type, catalog }: ContentSubject,
  fields: FieldValues,
  place: Place,
  { references, faults, warnings }: VersionReading,
): Procedure<void> {
  const { links, assets } = collectReferences(type, fields, catalog.typesByHandle);
  const { contents: absentContents = [], assets: absentAssets = [] } = record.absent ?? {};
  const expectedAssets = assets.filter((id) => !absentAssets.includes(id));
  const missing = yield* references.findMissingAssets(siteNo, expectedAssets);
  if (missing.size > 0) {
    for (const { handle, id } of listReferences(fields, { type, catalog }, 'asset')) {
      if (missing.has(id)) faults.push({ field: `${place}${handle}`, message: `asset ${id} does not exist` });
    }
  }
  const limits = findLimitFaults(type, fields, catalog.typesByHandle);
  for (const fault of limits?.faults ?? []) warnings.push(placeFault(fault, place));
  const isExpected = (id: string): boolean => !absentContents.includes(id);
  const limited = (limits?.references ?? []).map((each) => ({ ...each, ids: each.ids.filter(isExpected) }));
  yield* references.expect(siteNo, links.filter(isExpected), limited);
}

/** A draft contains only the properties that differ; if the draft is null, all properties are removed. */
export function mergeSeo(base: Seo, raw: unknown): unknown {
  if (raw === undefined) return base;
  if (!isJsonObject(raw)) return raw;
  const { open_graph: openGraph } = raw;
  return {
    ...base,
    ...raw,
    open_graph: isJsonObject(openGraph) ? { ...base.open_graph, ...openGraph } : (openGraph ?? base.open_graph),
  };
}

/**
 * The values in a draft replace the published values; null removes a value.
 * @param fields the fields of the type, in order
 * @param draft the draft's values, parsed from `raw`
 */
export function mergeFields(
  fields: readonly Pick<Field, 'handle'>[],
  base: FieldValues,
  draft: FieldValues,
  raw: unknown,
): FieldValues {
  const named = new Set(typeof raw === 'object' && raw !== null ? Object.keys(raw) : []);
  const values = new Map<string, FieldValues[string]>();
  for (const { handle } of fields) {
    const source = named.has(handle) ? draft : base;
    const value = Object.hasOwn(source, handle) ? source[handle] : undefined;
    if (value !== undefined) values.set(handle, value);
  }
  return Object.fromEntries(values);
}
