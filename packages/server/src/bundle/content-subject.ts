// A content record of a bundle with everything that it is read against, and what can be refused by looking at these alone.

import type { Catalog } from '../content/catalog.ts';
import { formatFault } from '../content/fault.ts';
import type { ContentType } from '../content/field.ts';
import { type FieldValues, findMissingRequired } from '../content/field-value.ts';
import { findScheduleFault } from '../content/lifecycle.ts';
import type { StoredContentRecord } from '../storage/port.ts';
import type { ContentRecord } from './content-record.ts';
import type { BundleFault } from './read-bundle-lines.ts';
import { buildRefusal } from './refusal.ts';

export interface ContentSubject {
  readonly line: number;
  readonly record: ContentRecord;
  readonly siteNo: number;
  readonly catalog: Catalog;
  readonly type: ContentType;
}

export function findSubject(line: number, record: ContentRecord, catalog: Catalog): ContentSubject {
  const refuse = (message: string): BundleFault => buildRefusal(line, record, message);
  const { content_type: handle, language } = record;
  const type = catalog.typesByHandle.get(handle);
  if (type === undefined) throw refuse(`content_type ${handle} does not exist`);
  if (type.objectType === 'block') {
    throw refuse(`content_type ${handle} is a block type; blocks stand inside content`);
  }
  const { no: siteNo, languages } = catalog.site;
  if (!languages.includes(language)) {
    throw refuse(`language must be one of ${languages.join(', ')}; got ${JSON.stringify(language)}`);
  }
  return { line, record, siteNo, catalog, type };
}

export function refuseMove({ line, record, type }: ContentSubject, existing: StoredContentRecord | undefined): void {
  if (existing === undefined) return;
  if (existing.typeNo !== type.no) throw buildRefusal(line, record, 'content_type cannot change');
  if (existing.language !== record.language) {
    throw buildRefusal(line, record, `language must stay ${existing.language}, got ${record.language}`);
  }
}

/** The same rule as for editors who publish: front ends rely on it. */
export function refuseLacking({ line, record, type, catalog }: ContentSubject, fields: FieldValues): void {
  if (record.status !== 'published') return;
  const faults = findMissingRequired(type, fields, catalog.typesByHandle);
  if (faults.length === 0) return;
  throw buildRefusal(line, record, `${faults.map(formatFault).join('; ')}, which published content must have`);
}

/** The same rule as for schedules that are made here; times that have passed are allowed, and carried out at once. */
export function refuseSchedule({ line, record }: ContentSubject): void {
  const fault = findScheduleFault(record.status, record.publish_at, record.unpublish_at);
  if (fault !== undefined) throw buildRefusal(line, record, formatFault(fault));
}
