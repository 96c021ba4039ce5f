import type { Actor } from '../actor.ts';
import { describeChange } from '../describe-change.ts';
import type { Desk } from '../desk.ts';
import { changeSite } from './change-site.ts';

/** What is not given stays as it is. */
export interface SiteChange {
  readonly name?: string | undefined;
  /** Without a trailing slash; null takes the address away. */
  readonly url?: string | null | undefined;
}

export function updateSite(desk: Desk, actor: Actor, siteId: string, { name, url }: SiteChange): Promise<void> {
  return changeSite(
    desk,
    actor,
    siteId,
    async (site) => ({ ...site, name: name ?? site.name, url: url === undefined ? site.url : url }),
    (before, after) => ({
      action: 'site.update',
      details: describeChange({ name: before.name, url: before.url }, { name: after.name, url: after.url }),
    }),
  );
}
