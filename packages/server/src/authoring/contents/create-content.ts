// Creates content: from scratch, as a translation, or as a copy. New content is a draft, which is visible only in previews.

import type { Catalog } from '../../content/catalog.ts';
import { type Fault, listNames, notAllowed } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import { keepKnownValues } from '../../content/fit-values.ts';
import { buildId } from '../../content/ids.ts';
import { isName } from '../../content/text-rules.ts';
import { findTranslation, type StoredContentRecord, selectRecord } from '../../storage/contents/content-records.ts';
import type { ContentVersion } from '../../storage/contents/content-versions.ts';
import { writeContent } from '../../storage/contents/write-content.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findCatalog } from '../sites/find-site.ts';
import { type ContentDescription, describeContent } from './describe-content.ts';
import { findContent } from './find-content.ts';
import { makeFreeSlug, type Place } from './free-slug.ts';
import { readVersion, type VersionInput } from './read-version.ts';

/** Callers may choose the id of new content. If the site already has content with this id, the call fails with a conflict. */
export interface IdInput {
  readonly id?: string | undefined;
}

export interface ContentInput extends VersionInput, IdInput {
  readonly name: string;
  /** A handle. */
  readonly content_type: string;
  readonly language: string | undefined;
  /** The id of content of the same type in a different language. */
  readonly translation_of: string | undefined;
}

export function createContent(
  desk: Desk,
  actor: Actor,
  siteId: string,
  input: ContentInput,
): Promise<ContentDescription> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const type = catalog.typesByHandle.get(input.content_type);
    const language = input.language ?? catalog.site.defaultLanguage;
    const of = input.translation_of;
    const original = of === undefined ? undefined : await job.run(selectRecord(catalog.site.no, of));
    const faults = [
      ...findTypeFaults(catalog, type),
      ...findLanguageFaults(catalog, language),
      ...(of === undefined ? [] : findOriginalFaults(of, original, type)),
    ];
    // Without the type, nothing else can be checked.
    if (type === undefined || type.objectType === 'block') throw refuseFaults(faults);
    return insertContent(job, { catalog, type, language }, input, null, original?.translationGroup, {
      action: 'content.create',
      faults,
    });
  });
}

function findTypeFaults({ types }: Catalog, type: ContentType | undefined): readonly Fault[] {
  if (type !== undefined && type.objectType !== 'block') return [];
  const handles = types.filter(({ objectType }) => objectType !== 'block').map((each) => each.handle);
  const message =
    type === undefined
      ? 'names a content type that does not exist'
      : 'names a block type, which can only be inside content';
  return [{ path: 'content_type', message: `${message}; the site has ${listNames(handles)}`, code: 'not_allowed' }];
}

function findLanguageFaults({ site }: Catalog, language: string): readonly Fault[] {
  if (site.languages.includes(language)) return [];
  const message = `must be one of the site's languages: ${listNames(site.languages)}`;
  return [{ path: 'language', message, ...notAllowed(language) }];
}

function findOriginalFaults(
  of: string,
  original: StoredContentRecord | undefined,
  type: ContentType | undefined,
): readonly Fault[] {
  if (original === undefined) {
    const message = `names content that does not exist: ${of}`;
    return [{ path: 'translation_of', message, code: 'not_found', values: { kind: 'content', id: of } }];
  }
  if (type === undefined || original.typeNo === type.no) return [];
  return [{ path: 'translation_of', message: `${of} has a different content type` }];
}

/** Copies the content's latest values as a starting point for the translator. */
export function translateContent(
  desk: Desk,
  actor: Actor,
  siteId: string,
  contentId: string,
  { language, ...input }: VersionInput & IdInput & { readonly language: string },
): Promise<ContentDescription> {
  return work(desk, actor, async (job) => {
    const { catalog, type, record, newest } = await findContent(job, siteId, contentId);
    const fields = keepKnownValues(type, newest.fields, catalog.typesByHandle);
    return insertContent(job, { catalog, type, language }, input, { ...newest, fields }, record.translationGroup, {
      action: 'content.translate',
      details: { from: record.id, language },
      faults: findLanguageFaults(catalog, language),
    });
  });
}

const COPY_MARK = ' (copy)';

/** Creates a draft with the same values, in its own translation group. */
export function duplicateContent(
  desk: Desk,
  actor: Actor,
  siteId: string,
  contentId: string,
  input: Pick<VersionInput, 'name' | 'slug'> & IdInput,
): Promise<ContentDescription> {
  return work(desk, actor, async (job) => {
    const { catalog, type, record, newest } = await findContent(job, siteId, contentId);
    const marked = `${newest.name}${COPY_MARK}`;
    const name = input.name ?? (isName(marked) ? marked : newest.name);
    const fields = keepKnownValues(type, newest.fields, catalog.typesByHandle);
    const place = { catalog, type, language: record.language };
    return insertContent(job, place, { ...input, name }, { ...newest, fields }, undefined, {
      action: 'content.duplicate',
      details: { from: record.id },
    });
  });
}

interface Note {
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

interface Insertion extends Note {
  /** Faults that were found earlier. */
  readonly faults?: readonly Fault[];
}

/**
 * @param base the initial values, except for the slug and the uri
 * @param group the translation group to join; undefined to start a new one
 */
async function insertContent(
  job: Job,
  { catalog, type, language }: Omit<Place, 'id'>,
  input: VersionInput & IdInput,
  base: ContentVersion | null,
  group: string | undefined,
  { faults = [], ...note }: Insertion,
): Promise<ContentDescription> {
  const { site } = catalog;
  const id = input.id ?? buildId('content', job.newUuid());
  if (input.id !== undefined) await refuseTakenId(job, site.no, id);
  if (group !== undefined) await refuseTakenLanguage(job, site.no, group, language, id);
  const place = { catalog, type, language, id };
  const wish =
    base === null ? null : { ...base, uri: null, slug: await job.run(makeFreeSlug(place, input.name ?? base.name)) };
  const reading = await job.run(readVersion(job, place, input, wish));
  if (!reading.ok) throw refuseFaults([...faults, ...reading.problem]);
  if (faults.length > 0) throw refuseFaults(faults);
  const { version, sanitised } = reading.value;
  const record = {
    siteNo: site.no,
    id,
    typeNo: type.no,
    language,
    translationGroup: group ?? id,
    status: 'draft' as const,
    publishedAt: null,
    publishAt: null,
    unpublishAt: null,
    failedSchedule: null,
    createdAt: job.now,
    updatedAt: job.now,
    sourceDigest: null,
  };
  await job.run(writeContent({ record, existing: undefined, published: null, draft: version }, catalog, job.now));
  await job.note({ ...note, siteId: site.id, subjectId: id, subjectName: version.name });
  return { ...(await job.run(describeContent(await findContent(job, site.id, id), job.prepared))), sanitised };
}

async function refuseTakenId(job: Job, siteNo: number, id: string): Promise<void> {
  const holder = await job.run(selectRecord(siteNo, id));
  if (holder === undefined) return;
  const isArchived = holder.status === 'archived';
  throw new AuthoringRefusal(`Content ${id} already exists${isArchived ? ' and is archived' : ''}.`, {
    reason: 'conflict',
    code: 'taken',
    details: { reason: 'id_taken', content: id, is_archived: isArchived },
  });
}

async function refuseTakenLanguage(
  job: Job,
  siteNo: number,
  group: string,
  language: string,
  id: string,
): Promise<void> {
  const holder = await job.run(findTranslation(siteNo, group, language, id));
  if (holder === undefined) return;
  const isArchived = (await job.run(selectRecord(siteNo, holder)))?.status === 'archived';
  throw new AuthoringRefusal(
    `Content ${holder}${isArchived ? ', which is archived,' : ''} is already the ${language} version.`,
    {
      reason: 'conflict',
      code: 'taken',
      details: { reason: 'translated', language, content: holder, is_archived: isArchived },
    },
  );
}
