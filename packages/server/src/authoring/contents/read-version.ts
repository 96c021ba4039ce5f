// Turns an editor's input into a version that can be stored, and reports everything that is wrong with it. Missing values and values
// outside their field's limits are allowed here, because drafts may have them.

import { addFaults, type Fault } from '../../content/fault.ts';
import { collectReferences, type FieldValues, readFieldValues, walkFieldValues } from '../../content/field-value.ts';
import { leaveOutFaulty } from '../../content/fit-values.ts';
import { fail, ok, type Result } from '../../content/result.ts';
import { parseFaultlessSeo, parseSeo, type Seo } from '../../content/seo.ts';
import { isSlugOf, makeSlug } from '../../content/slug.ts';
import type { ContentVersion } from '../../storage/contents/content-versions.ts';
import { selectAuthorNo, selectMediaTypes, selectTypesOfContents } from '../../storage/contents/references.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Job } from '../desk.ts';
import type { CleanedTexts } from '../prepare-work.ts';
import { findSeoFaults, findSizeFaults } from './find-save-faults.ts';
import { findSlugFault, makeFreeSlug, type Place } from './free-slug.ts';
import { sanitiseValues } from './sanitise-values.ts';

/** Omitted properties stay as they are. Null removes the uri, author or seo. If the slug is null, it is generated from the name. */
export interface VersionInput {
  readonly name?: string | undefined;
  readonly slug?: string | null | undefined;
  readonly uri?: string | null | undefined;
  readonly author?: string | null | undefined;
  readonly seo?: unknown;
  /** All field values. An omitted field has no value. */
  readonly fields?: unknown;
}

export interface VersionReading {
  readonly version: ContentVersion;
  /** The text values whose stored form differs from what was sent. */
  readonly sanitised: readonly string[];
}

/** The actor, the time of the save, and the results of the long steps (prepare-work.ts). */
export type Saving = Pick<Job, 'actor' | 'now' | 'prepared'>;

/** @param base provides the properties that the input omits; null for new content */
export function* readVersion(
  saving: Saving,
  place: Place,
  input: VersionInput,
  base: ContentVersion | null,
): Procedure<Result<VersionReading, readonly Fault[]>> {
  const { faults, ...reading } = yield* readValidParts(saving, place, input, base);
  return faults.length > 0 ? fail(faults) : ok(reading);
}

/** Like `readVersion`, but leaves out invalid values, as if the editor had left them empty. */
export function* readValidParts(
  { actor, now, prepared: { cleaned } }: Saving,
  place: Place,
  input: VersionInput,
  base: ContentVersion | null,
): Procedure<VersionReading & { readonly faults: readonly Fault[] }> {
  const faults: Fault[] = [];
  const name = input.name ?? base?.name;
  if (name === undefined) throw new Error('A version without a name');
  const author = yield* readAuthor(place, input, base, faults);
  const seo = readSeo(input, base, faults);
  const { values, changed } = yield* readFields(place, input, base, cleaned, faults);
  const slug = yield* readSlug(place, input, base, name, faults);
  const uri = input.uri === undefined ? (base?.uri ?? null) : input.uri;
  const { id, name: saver } = actor;
  const version = {
    name,
    slug,
    uri,
    authorNo: author,
    seo,
    fields: values,
    savedAt: now,
    savedBy: { id, name: saver },
  };
  return { version, sanitised: changed, faults };
}

function* readAuthor(
  { catalog }: Place,
  { author }: VersionInput,
  base: ContentVersion | null,
  faults: Fault[],
): Procedure<number | null> {
  if (author === undefined) return base?.authorNo ?? null;
  if (author === null) return null;
  const no = yield* selectAuthorNo(catalog.site.no, author);
  if (no === undefined) {
    const message = `names an author who does not exist: ${author}`;
    faults.push({ path: 'author', message, code: 'not_found', values: { kind: 'author', id: author } });
  }
  return no ?? null;
}

function readSeo({ seo }: VersionInput, base: ContentVersion | null, faults: Fault[]): Seo {
  if (seo === undefined && base !== null) return base.seo;
  const parsed = parseSeo(seo);
  if (!parsed.ok) addFaults(faults, parsed.problem);
  const valid = parsed.ok ? parsed.value : parseFaultlessSeo(seo, parsed.problem);
  const found = findSeoFaults(valid);
  addFaults(faults, found);
  return found.length === 0 ? valid : parseFaultlessSeo(valid, found);
}

function* readFields(
  place: Place,
  { fields }: VersionInput,
  base: ContentVersion | null,
  cleaned: CleanedTexts,
  faults: Fault[],
): Procedure<{ readonly values: FieldValues; readonly changed: readonly string[] }> {
  const { type, catalog } = place;
  const { typesByHandle } = catalog;
  // Unchanged values are cleaned too: their field may have become an HTML field since the last save.
  if (fields === undefined && base !== null) {
    const kept = sanitiseValues(type, base.fields, typesByHandle, cleaned);
    addFaults(faults, kept.faults);
    return { ...kept, values: leaveOutFaulty(type, kept.values, typesByHandle, kept.faults) };
  }
  const read = readFieldValues(type, fields, typesByHandle);
  addFaults(faults, read.faults);
  const oversized = findSizeFaults(type, read.values, typesByHandle);
  addFaults(faults, oversized);
  const fitting = leaveOutFaulty(type, read.values, typesByHandle, oversized);
  const { values, changed, faults: unsafe } = sanitiseValues(type, fitting, typesByHandle, cleaned);
  addFaults(faults, unsafe);
  addFaults(faults, yield* findDeadReferences(place, values, base));
  return { values: leaveOutFaulty(type, values, typesByHandle, unsafe), changed };
}

/** References that the content already had are allowed even if their target has since been deleted: readers do not see them. */
function* findDeadReferences(
  { type, catalog }: Place,
  values: FieldValues,
  base: ContentVersion | null,
): Procedure<readonly Fault[]> {
  const earlier = base === null ? undefined : collectReferences(type, base.fields, catalog.typesByHandle);
  const { links, assets } = collectReferences(type, values, catalog.typesByHandle);
  const knownLinks = yield* selectTypesOfContents(catalog.site.no, links);
  const knownAssets = yield* selectMediaTypes(catalog.site.no, assets);
  const known = {
    links: new Set([...knownLinks.keys(), ...(earlier?.links ?? [])]),
    assets: new Set([...knownAssets.keys(), ...(earlier?.assets ?? [])]),
  };
  const faults: Fault[] = [];
  for (const { value, path } of walkFieldValues(type, values, catalog.typesByHandle)) {
    if (value === undefined) continue;
    const [accessor, ids, there, noun] =
      'content_links' in value
        ? (['content_links', value.content_links, known.links, 'content'] as const)
        : (['assets', 'assets' in value ? value.assets : [], known.assets, 'asset'] as const);
    for (const [index, id] of ids.entries()) {
      if (there.has(id)) continue;
      const message = `names ${noun === 'asset' ? 'an asset' : 'content'} that does not exist: ${id}`;
      faults.push({ path: `${path}.${accessor}[${index}]`, message, code: 'not_found', values: { kind: noun, id } });
    }
  }
  return faults;
}

/** A given slug must be free; a generated one always is. */
function* readSlug(
  place: Place,
  { slug }: VersionInput,
  base: ContentVersion | null,
  name: string,
  faults: Fault[],
): Procedure<string> {
  if (slug === undefined && base !== null) return base.slug;
  if (typeof slug === 'string') {
    const fault = slug === base?.slug ? undefined : yield* findSlugFault(place, slug);
    if (fault === undefined) return slug;
    faults.push(fault);
    if (base !== null) return base.slug;
  }
  // A numbered slug keeps its number, even if a lower number is now free.
  const isKept = base !== null && makeSlug(base.name) === makeSlug(name) && isSlugOf(base.slug, name);
  return isKept ? base.slug : yield* makeFreeSlug(place, name);
}
