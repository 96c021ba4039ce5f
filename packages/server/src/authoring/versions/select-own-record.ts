import { type Procedure, type StoredContentRecord, selectRecord, selectSite } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

/** Content of a site of the actor's account, to be read; another account's is as good as none. */
export function* selectOwnRecord(actor: Actor, siteId: string, contentId: string): Procedure<StoredContentRecord> {
  const site = yield* selectSite(siteId);
  if (site === undefined || site.accountNo !== actor.accountNo) throw refuseAbsent(`There is no site ${siteId}.`);
  const record = yield* selectRecord(site.no, contentId);
  if (record === undefined) throw refuseAbsent(`There is no content ${contentId} in the site ${siteId}.`);
  return record;
}
