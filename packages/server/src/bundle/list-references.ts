// The references of a content record, each with the field of the record that has it, be it in a block of that field.

import type { Fault } from '../content/fault.ts';
import { type FieldValue, type FieldValues, parseFieldValues, walkFieldValues } from '../content/field-value.ts';
import { findSettingFaults } from '../content/find-setting-faults.ts';
import { type Procedure, selectMediaTypes, selectTypesOfContents } from '../storage/port.ts';
import { placeFault, type RecordFault } from './bundle-report.ts';
import type { OddReferences } from './content-references.ts';
import type { ContentSubject } from './content-subject.ts';
import { findLimitFaults } from './find-limit-faults.ts';
import { widenOptions } from './widen-options.ts';

interface Reference {
  readonly handle: string;
  readonly id: string;
}

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

export interface OddFindings {
  readonly faults: readonly RecordFault[];
  readonly warnings: readonly RecordFault[];
}

/** What is wrong with a record that was read before, now that all that it refers to is known. */
export function* findOddReferences(subject: ContentSubject, odd: OddReferences): Procedure<OddFindings> {
  const { record, type, catalog } = subject;
  const known = widenOptions(type, catalog.typesByHandle, record.absent?.options ?? []);
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
  // Those that the values showed by themselves were told when they were read.
  const told = new Set(findLimitFaults(type, fields, catalog.typesByHandle)?.faults.map(({ path }) => path));
  return all.filter(({ path }) => !told.has(path));
}
