// A content record with its site and type, and the checks that need no other data.

import type { Catalog } from '../content/catalog.ts';
import type { ContentType } from '../content/field.ts';
import { type FieldValues, findMissingRequired, type TypesByHandle } from '../content/field-value.ts';
import { findScheduleFault } from '../content/lifecycle.ts';
import type { StoredContentRecord } from '../storage/contents/content-records.ts';
import { placeFault, type RecordFault } from './bundle-report.ts';
import type { ContentRecord } from './content-record.ts';

export interface ContentSubject {
  readonly line: number;
  readonly record: ContentRecord;
  readonly siteNo: number;
  readonly catalog: Catalog;
  readonly type: ContentType;
}

/** Returns undefined if there is no such type. */
export function findSubject(line: number, record: ContentRecord, catalog: Catalog): ContentSubject | undefined {
  const type = catalog.typesByHandle.get(record.content_type);
  return type && { line, record, siteNo: catalog.site.no, catalog, type };
}

interface KnownTypes {
  readonly type: ContentType;
  readonly typesByHandle: TypesByHandle;
}

/** Returns the types, plus option values that the record may keep even though the site no longer has them. */
export function findKnownTypes({ record, type, catalog }: ContentSubject): KnownTypes {
  const { typesByHandle } = catalog;
  const values = record.absent?.options ?? [];
  if (values.length === 0) return { type, typesByHandle };
  const widened = [...typesByHandle].map(([handle, each]) => [handle, widenType(each, values)] as const);
  return { type: widenType(type, values), typesByHandle: new Map(widened) };
}

function widenType(type: ContentType, values: readonly string[]): ContentType {
  const more = values.map((value) => ({ label: value, value }));
  const fields = type.fields.map((field) =>
    field.type === 'option'
      ? { ...field, settings: { ...field.settings, options: [...(field.settings.options ?? []), ...more] } }
      : field,
  );
  return { ...type, fields };
}

export function* listSubjectFaults(
  { record, catalog, type }: ContentSubject,
  existing: StoredContentRecord | undefined,
): Generator<RecordFault, void, undefined> {
  const { language, id, translation_of: original } = record;
  const { languages } = catalog.site;
  if (type.objectType === 'block') {
    yield { field: 'content_type', message: `${type.handle} is a block type; blocks can only be inside content` };
  }
  if (!languages.includes(language)) {
    const message = `must be one of ${languages.join(', ')}; got ${JSON.stringify(language)}`;
    yield { field: 'language', message };
  }
  if (existing !== undefined && existing.typeNo !== type.no) yield { field: 'content_type', message: 'cannot change' };
  if (existing !== undefined && existing.language !== language) {
    yield { field: 'language', message: `must stay ${existing.language}, got ${language}` };
  }
  if (original === id) yield { field: 'translation_of', message: 'must not be the content itself' };
  // The same rule applies to schedules that editors set, except that past times are allowed here and take effect immediately.
  const fault = findScheduleFault(record.status, record.publish_at, record.unpublish_at);
  if (fault !== undefined) yield placeFault(fault);
}

/** Finds missing required values in published content. The same rule applies to editors, because front ends rely on it. */
export function listMissing({ record, type, catalog }: ContentSubject, fields: FieldValues): readonly RecordFault[] {
  if (record.status !== 'published') return [];
  return findMissingRequired(type, fields, catalog.typesByHandle).map((fault) => placeFault(fault));
}
