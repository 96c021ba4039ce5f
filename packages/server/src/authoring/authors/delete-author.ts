import { deleteAuthor as deleteAuthorRow, moveGeneration, selectAuthorUses } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from '../find-site.ts';
import { refuseInUse, USES_SHOWN } from '../uses-refusal.ts';
import { findAuthor } from './find-author.ts';

/** Refused while any version of any content carries the author. */
export function deleteAuthor(desk: Desk, actor: Actor, siteId: string, authorId: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const author = await job.run(findAuthor(site.no, authorId));
    const uses = await job.run(selectAuthorUses(author.no, USES_SHOWN));
    if (uses.total > 0) throw refuseInUse(`The author ${authorId}`, uses);
    await job.run(deleteAuthorRow(author.no));
    // Its number may be given to another author, and what was remembered of it must not come back.
    await job.run(moveGeneration(site.no, true, job.now));
    await job.note({ action: 'author.delete', siteId, subjectId: authorId, subjectName: author.name });
  });
}
