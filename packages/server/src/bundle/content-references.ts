// Checks the references in a bundle's content. Authors and assets must exist; linked content may come later in the file, so links are
// checked at the end. Only ids are kept in memory: if some are wrong, the file is read again to find the records that use them.

import type { Fault } from '../content/fault.ts';
import { type FieldValue, type FieldValues, parseFieldValues, walkFieldValues } from '../content/field-value.ts';
import { findSettingFaults } from '../content/find-setting-faults.ts';
import {
  findMissingAssets,
  findMissingContents,
  selectAuthorNo,
  selectMediaTypes,
  selectTypesOfContents,
} from '../storage/contents/references.ts';
import type { Procedure } from '../storage/statement.ts';
import { type BundleReport, placeFault, type RecordFault } from './bundle-report.ts';
import { type ContentSubject, findKnownTypes } from './content-subject.ts';
import { findLimitFaults, type LimitedReferences } from './find-limit-faults.ts';

const LEAST_IDS_TO_CHECK = 5000;

/** Ids that turn out to be wrong once everything has been written. */
export interface OddReferences {
  /** Content that does not exist. */
  readonly dead: ReadonlySet<string>;
  /** Content and assets that a field's settings do not allow. */
  readonly unfit: ReadonlySet<string>;
}

export class ContentReferences {
  readonly #report: BundleReport;
  readonly #authors = new Map<string, number | undefined>();
  readonly #assets = new Set<string>();
  /** The ids of linked content that has not been found yet. */
  readonly #links = new IdsToCheck();
  /** Ids in fields that allow only certain content types or kinds of assets, keyed by site and limit. */
  readonly #limited = new Map<string, LimitedIds>();
  readonly #unfit = new Set<string>();

  constructor(report: BundleReport) {
    this.#report = report;
  }

  *findAuthor(siteNo: number, id: string): Procedure<number | undefined> {
    const place = `${siteNo}/${id}`;
    if (!this.#authors.has(place)) this.#authors.set(place, yield* selectAuthorNo(siteNo, id));
    return this.#authors.get(place);
  }

  *findMissingAssets(siteNo: number, ids: readonly string[]): Procedure<ReadonlySet<string>> {
    const unknown = ids.filter((id) => !this.#assets.has(`${siteNo}/${id}`) && !this.#report.isSuspect('asset', id));
    const missing = new Set(unknown.length === 0 ? [] : yield* findMissingAssets(siteNo, unknown));
    for (const id of unknown) if (!missing.has(id)) this.#assets.add(`${siteNo}/${id}`);
    return missing;
  }

  /** @param limited the ids of content and assets that must have certain types */
  *expect(siteNo: number, links: readonly string[], limited: readonly LimitedReferences[]): Procedure<void> {
    for (const { kind, allowed, ids } of limited) {
      const place = `${siteNo} ${kind} ${allowed.join(' ')}`;
      const known = this.#limited.get(place) ?? { siteNo, kind, allowed, ids: new IdsToCheck() };
      this.#limited.set(place, known);
      if (known.ids.add(ids)) yield* this.#forgetFitting(known);
    }
    // Checking the type of an object also checks that the object exists.
    const isLimited = (id: string): boolean => limited.some(({ kind, ids }) => kind === 'content' && ids.includes(id));
    const free = limited.length === 0 ? links : links.filter((id) => !isLimited(id));
    if (this.#links.add(free)) yield* this.#forgetFoundLinks();
  }

  /** Call this once all content has been written. */
  *findOdd(): Procedure<OddReferences> {
    for (const limited of this.#limited.values()) {
      yield* this.#forgetFitting(limited);
      // Content counts as existing even if it has a different type or belongs to a different site.
      if (limited.kind === 'content') this.#links.add([...limited.ids.ids]);
    }
    yield* this.#forgetFoundLinks();
    const dead = [...this.#links.ids].filter((id) => !this.#report.isSuspect('content', id));
    return { dead: new Set(dead), unfit: this.#unfit };
  }

  *#forgetFoundLinks(): Procedure<void> {
    this.#links.keep(yield* findMissingContents([...this.#links.ids]));
  }

  *#forgetFitting({ siteNo, kind, allowed, ids }: LimitedIds): Procedure<void> {
    const select = kind === 'content' ? selectTypesOfContents : selectMediaTypes;
    const found = yield* select(siteNo, [...ids.ids]);
    for (const [id, name] of found) {
      const isFit = kind === 'content' ? allowed.includes(name) : allowed.some((start) => name.startsWith(start));
      if (!isFit) this.#unfit.add(id);
    }
    ids.keep([...ids.ids].filter((id) => !found.has(id)));
  }
}

interface LimitedIds extends Omit<LimitedReferences, 'ids'> {
  readonly siteNo: number;
  readonly ids: IdsToCheck;
}

/** Ids that are looked up in large batches. */
class IdsToCheck {
  readonly ids = new Set<string>();
  #most = LEAST_IDS_TO_CHECK;

  /** Returns whether the batch is full. */
  add(ids: readonly string[]): boolean {
    for (const id of ids) this.ids.add(id);
    return this.ids.size > this.#most;
  }

  /**
   * Keeps the ids of content that may come later in the file. Looking them up again for each record would be the most expensive part of
   * the import.
   */
  keep(ids: readonly string[]): void {
    this.ids.clear();
    for (const id of ids) this.ids.add(id);
    this.#most = Math.max(LEAST_IDS_TO_CHECK, 2 * ids.length);
  }
}

interface Reference {
  readonly handle: string;
  readonly id: string;
}

/** Lists each reference with the top-level field that contains it, directly or in a block. */
export function listReferences(
  fields: FieldValues,
  { type, catalog }: Pick<ContentSubject, 'type' | 'catalog'>,
  kind: 'asset' | 'content',
): readonly Reference[] {
  return type.fields.flatMap((field) => {
    const alone = { ...type, fields: [field] };
    const ids = new Set<string>();
    for (const { value } of walkFieldValues(alone, fields, catalog.typesByHandle)) {
      for (const id of listIds(value, kind)) ids.add(id);
    }
    return Array.from(ids, (id) => ({ handle: field.handle, id }));
  });
}

function listIds(value: FieldValue | undefined, kind: 'asset' | 'content'): readonly string[] {
  if (value === undefined) return [];
  if (kind === 'asset') return 'assets' in value ? value.assets : [];
  return 'content_links' in value ? value.content_links : [];
}

interface OddFindings {
  readonly faults: readonly RecordFault[];
  readonly warnings: readonly RecordFault[];
}

/** Checks a record again, once everything that it refers to has been written. */
export function* findOddReferences(subject: ContentSubject, odd: OddReferences): Procedure<OddFindings> {
  const { record } = subject;
  const known = findKnownTypes(subject);
  const faults: RecordFault[] = [];
  const warnings: RecordFault[] = [];
  for (const [place, raw] of [['', record.fields] as const, ['draft.', record.draft?.fields] as const]) {
    const fields = parseFieldValues(known.type, raw ?? {}, known.typesByHandle);
    if (!fields.ok) continue;
    for (const { handle, id } of listReferences(fields.value, subject, 'content')) {
      if (!odd.dead.has(id) || record.absent?.contents?.includes(id) === true) continue;
      faults.push({ field: `${place}${handle}`, message: `content ${id} does not exist` });
    }
    for (const fault of yield* findUnfit(subject, fields.value, odd.unfit)) warnings.push(placeFault(fault, place));
  }
  return { faults, warnings };
}

function* findUnfit(
  subject: ContentSubject,
  fields: FieldValues,
  unfit: ReadonlySet<string>,
): Procedure<readonly Fault[]> {
  const { siteNo, type, catalog } = subject;
  const links = listReferences(fields, subject, 'content').map(({ id }) => id);
  const assets = listReferences(fields, subject, 'asset').map(({ id }) => id);
  if (![...links, ...assets].some((id) => unfit.has(id))) return [];
  const handles = yield* selectTypesOfContents(siteNo, links);
  const mediaTypes = yield* selectMediaTypes(siteNo, assets);
  const all = findSettingFaults(type, fields, catalog.typesByHandle, {
    findContentTypeHandle: (id) => handles.get(id),
    findMimeType: (id) => mediaTypes.get(id),
  });
  // Faults that do not depend on other records were already reported when the record was read.
  const told = new Set(findLimitFaults(type, fields, catalog.typesByHandle)?.faults.map(({ path }) => path));
  return all.filter(({ path }) => !told.has(path));
}
