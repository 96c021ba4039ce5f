import type { Site } from '../../content/catalog.ts';
import { buildId } from '../../content/ids.ts';
import { isDeletionUnfinished, selectSite, writeSite } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';

export interface SiteRequest {
  /** Null for a new one. */
  readonly id: string | null;
  readonly name: string;
  /** Without a trailing slash; null where the site has no address. */
  readonly url: string | null;
  readonly defaultLanguage: string;
  /** The default language among them. */
  readonly languages: readonly string[];
}

export function createSite(desk: Desk, actor: Actor, request: SiteRequest): Promise<Site> {
  return work(desk, actor, async (job) => {
    const id = request.id ?? buildId('site', job.newUuid());
    const known = await job.run(selectSite(id));
    if (known !== undefined) {
      // Ids are the same for all accounts, but what another account calls its site is its own business.
      const name = known.accountNo === actor.accountNo ? `: ${known.name}` : '';
      throw new AuthoringRefusal(`There is a site ${id} already${name}.`, { reason: 'conflict' });
    }
    if (await job.run(isDeletionUnfinished(id))) {
      const message = `A site ${id} is being deleted. Wait for the end, or delete it again to resume.`;
      throw new AuthoringRefusal(message, { reason: 'conflict' });
    }
    const site = { ...request, id, accountNo: actor.accountNo };
    const { no } = await job.run(writeSite(site, job.now));
    await job.note({ action: 'site.create', siteId: id, subjectId: id, subjectName: site.name });
    return { no, ...site };
  });
}
