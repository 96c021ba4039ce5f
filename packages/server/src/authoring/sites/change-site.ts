// Changes to a site that is there: each is one transaction, and one that changes nothing leaves no trace.

import type { Site } from '../../content/catalog.ts';
import { writeSite } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type AuditNote, type Desk, type Job, work } from '../desk.ts';
import { findSite } from '../find-site.ts';

/** @param change gives the site as it is to be, or refuses */
export function changeSite(
  desk: Desk,
  actor: Actor,
  siteId: string,
  change: (site: Site, job: Job) => Promise<Site>,
  note: (before: Site, after: Site) => Pick<AuditNote, 'action' | 'details'>,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const before = await findSite(job, siteId);
    const after = await change(before, job);
    const { hasChanged } = await job.run(writeSite(after, job.now));
    if (!hasChanged) return;
    await job.note({ ...note(before, after), siteId, subjectId: siteId, subjectName: after.name });
  });
}
