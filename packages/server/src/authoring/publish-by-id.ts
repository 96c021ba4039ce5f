// Publishing and unpublishing by id alone, as commands do it: the site is found, and need be named only where several
// have content with the id.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Storage, selectRecordsOfAllSites, selectSites } from '../storage/port.ts';
import { type Actor, COMMAND_ACTOR } from './actor.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';
import { type ContentAddress, publishContent, unpublishContent } from './contents/move-content.ts';
import type { UrlWarning } from './contents/url-clashes.ts';
import type { Desk } from './desk.ts';

export interface PublishRequest {
  readonly contentId: string;
  /** Needed only where several sites have content with this id. */
  readonly siteId?: string | undefined;
  readonly now: number;
}

/** @returns what editors should know of where it is now */
export async function publishById(storage: Storage, request: PublishRequest): Promise<readonly UrlWarning[]> {
  const { actor, address } = await findAddress(storage, request);
  return (await publishContent(buildDesk(storage, request), actor, address, {})).warnings;
}

/** Without asking back about links: whoever runs a command has the last word. */
export async function unpublishById(storage: Storage, request: PublishRequest): Promise<void> {
  const { actor, address } = await findAddress(storage, request);
  await unpublishContent(buildDesk(storage, request), actor, address, { isConfirmed: true });
}

function buildDesk(storage: Storage, { now }: PublishRequest): Desk {
  return { storage, now: () => now, newUuid: randomUUIDv7, randomBytes };
}

export async function findAddress(
  storage: Storage,
  { contentId, siteId }: Pick<PublishRequest, 'contentId' | 'siteId'>,
): Promise<{ readonly actor: Actor; readonly address: ContentAddress }> {
  const numbers = new Set((await storage.read(selectRecordsOfAllSites(contentId))).map(({ siteNo }) => siteNo));
  const sites = (await storage.read(selectSites())).filter(
    ({ no, id }) => numbers.has(no) && (siteId === undefined || siteId === id),
  );
  const [site, ...others] = sites;
  if (site === undefined) {
    const place = siteId === undefined ? '' : ` in the site ${siteId}`;
    throw new AuthoringRefusal(`There is no content ${contentId}${place}.`);
  }
  if (others.length > 0) {
    const ids = sites.map(({ id }) => id).join(', ');
    throw new AuthoringRefusal(`Several sites have content ${contentId}: ${ids}. Say which one with --site.`);
  }
  return { actor: { ...COMMAND_ACTOR, accountNo: site.accountNo }, address: { siteId: site.id, contentId } };
}
