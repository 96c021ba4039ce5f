import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { type ContentVersion, type StoredContentRecord, selectRecord, selectVersion } from '../../storage/port.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import { findCatalog } from '../find-site.ts';
import type { Reader } from '../reader.ts';

/** A content object with all that work on it needs to know. */
export interface Subject {
  readonly catalog: Catalog;
  readonly type: ContentType;
  readonly record: StoredContentRecord;
  readonly newest: ContentVersion;
}

export async function findContent(reader: Reader, siteId: string, contentId: string): Promise<Subject> {
  const catalog = await findCatalog(reader, siteId);
  const record = await reader.run(selectRecord(catalog.site.no, contentId));
  if (record === undefined) throw refuseAbsent(`There is no content ${contentId} in the site ${siteId}.`);
  return openSubject(reader, catalog, record);
}

export async function openSubject(reader: Reader, catalog: Catalog, record: StoredContentRecord): Promise<Subject> {
  const type = catalog.typesByNo.get(record.typeNo);
  if (type === undefined) throw new Error(`Content ${record.id} has a type that its site does not have`);
  return { catalog, type, record, newest: await findVersion(reader, record, record.newestVersion) };
}

async function findVersion(reader: Reader, record: StoredContentRecord, number: number): Promise<ContentVersion> {
  const version = await reader.run(selectVersion(record.no, number));
  if (version === undefined) throw new Error(`Content ${record.id} has no version ${number}`);
  return version;
}
