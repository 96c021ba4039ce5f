import type { Site } from '../../content/catalog.ts';
import { type Procedure, type StoredContentRecord, selectRecord } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import { selectOwnSite } from '../sites/select-own-site.ts';

/** Content of a site of the actor's account, to be read. */
export function* selectOwnRecord(actor: Actor, siteId: string, contentId: string): Procedure<StoredContentRecord> {
  return yield* findRecord(yield* selectOwnSite(actor, siteId), contentId);
}

export function* findRecord(site: Site, contentId: string): Procedure<StoredContentRecord> {
  const record = yield* selectRecord(site.no, contentId);
  if (record === undefined) throw refuseAbsent(`There is no content ${contentId} in the site ${site.id}.`);
  return record;
}
