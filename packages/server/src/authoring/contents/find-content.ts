// Finds content in the sites that belong to the actor's account.

import type { Catalog, Site } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';
import { type StoredContentRecord, selectRecord } from '../../storage/contents/content-records.ts';
import { type ContentVersion, selectVersion } from '../../storage/contents/content-versions.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import type { Reader } from '../desk.ts';
import { selectOwnCatalog, selectOwnSite } from '../sites/find-site.ts';

/** A content object with all the data that is needed to work on it. */
export interface Subject {
  readonly catalog: Catalog;
  readonly type: ContentType;
  readonly record: StoredContentRecord;
  readonly newest: ContentVersion;
}

export function findContent(reader: Reader, siteId: string, contentId: string): Promise<Subject> {
  return reader.run(selectSubject(reader.actor, siteId, contentId));
}

/** Like `findContent`, but as part of a larger query. */
export function* selectSubject(actor: Actor, siteId: string, contentId: string): Procedure<Subject> {
  const catalog = yield* selectOwnCatalog(actor, siteId);
  return yield* openSubject(catalog, yield* findRecord(catalog.site, contentId));
}

function* findRecord(site: Site, contentId: string): Procedure<StoredContentRecord> {
  const record = yield* selectRecord(site.no, contentId);
  if (record === undefined) throw refuseAbsent(`There is no content ${contentId} in site ${site.id}.`);
  return record;
}

export function* openSubject(catalog: Catalog, record: StoredContentRecord): Procedure<Subject> {
  const type = catalog.typesByNo.get(record.typeNo);
  if (type === undefined) throw new Error(`Content ${record.id} has a type that does not exist in its site`);
  const newest = yield* selectVersion(record.no, record.newestVersion);
  if (newest === undefined) throw new Error(`Content ${record.id} has no version ${record.newestVersion}`);
  return { catalog, type, record, newest };
}

/** Returns only the record, for operations that need nothing else. */
export function* selectOwnRecord(actor: Actor, siteId: string, contentId: string): Procedure<StoredContentRecord> {
  return yield* findRecord(yield* selectOwnSite(actor, siteId), contentId);
}
