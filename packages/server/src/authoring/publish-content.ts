// Publishing and unpublishing: when the call has returned, readers see it.

import type { Catalog } from '../content/catalog.ts';
import {
  findSlugOwner,
  moveGeneration,
  publishNewest,
  type Storage,
  type StoredContentRecord,
  selectCatalog,
  selectRecordsOfAllSites,
  type Transaction,
  withdrawContent,
} from '../storage/port.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';

export interface PublishRequest {
  readonly contentId: string;
  /** Needed only where several sites have content with this id. */
  readonly siteId?: string | undefined;
  readonly now: number;
}

export async function publishContent(storage: Storage, request: PublishRequest): Promise<void> {
  await storage.transaction(async (transaction) => {
    const { record, catalog } = await findRecord(transaction, request);
    if (record.status === 'archived') throw new AuthoringRefusal(`Content ${record.id} is archived.`);
    const owner = await transaction.run(findSlugOwner(record, [record.slug]));
    if (owner !== undefined) {
      throw new AuthoringRefusal(`Content ${record.id} cannot be published: ${owner} has the slug ${record.slug}.`);
    }
    await transaction.run(publishNewest(record, catalog, request.now));
    await transaction.run(moveGeneration(record.siteNo, false, request.now));
  });
}

export async function unpublishContent(storage: Storage, request: PublishRequest): Promise<void> {
  await storage.transaction(async (transaction) => {
    const { record, catalog } = await findRecord(transaction, request);
    if (record.status !== 'published') throw new AuthoringRefusal(`Content ${record.id} is not published.`);
    await transaction.run(withdrawContent(record, catalog, request.now));
    await transaction.run(moveGeneration(record.siteNo, false, request.now));
  });
}

async function findRecord(
  transaction: Transaction,
  { contentId, siteId }: PublishRequest,
): Promise<{ readonly record: StoredContentRecord; readonly catalog: Catalog }> {
  const matches: { record: StoredContentRecord; catalog: Catalog }[] = [];
  for (const record of await transaction.run(selectRecordsOfAllSites(contentId))) {
    const loaded = await transaction.run(selectCatalog(record.siteNo));
    if (loaded === undefined) throw new Error(`Content ${contentId} has no site`);
    if (siteId === undefined || loaded.catalog.site.id === siteId) matches.push({ record, catalog: loaded.catalog });
  }
  const [match] = matches;
  if (match === undefined) {
    throw new AuthoringRefusal(
      `There is no content ${contentId}${siteId === undefined ? '' : ` in the site ${siteId}`}.`,
    );
  }
  if (matches.length > 1) {
    const sites = matches.map(({ catalog }) => catalog.site.id).join(', ');
    throw new AuthoringRefusal(`Several sites have content ${contentId}: ${sites}. Say which one with --site.`);
  }
  return match;
}
