import { buildId } from '../../content/ids.ts';
import { type AuthorWrite, selectAuthor, writeAuthor } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { findAddressFaults } from '../assets/find-address-faults.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from '../find-site.ts';

export type AuthorRequest = Omit<AuthorWrite, 'id'> & {
  /** Null for a new one. */
  readonly id: string | null;
};

/** Readers see nothing of it until content carries the author. */
export function createAuthor(desk: Desk, actor: Actor, siteId: string, request: AuthorRequest): Promise<string> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const faults = findAddressFaults('profile_photo_url', request.profilePhotoUrl);
    if (faults.length > 0) throw refuseFaults(faults);
    const id = request.id ?? buildId('author', job.newUuid());
    if ((await job.run(selectAuthor(site.no, id))) !== undefined) {
      throw new AuthoringRefusal(`There is an author ${id} already.`, { reason: 'conflict' });
    }
    await job.run(writeAuthor(site.no, { ...request, id }, job.now));
    await job.note({ action: 'author.create', siteId, subjectId: id, subjectName: request.name });
    return id;
  });
}
