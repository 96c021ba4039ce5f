import { writeAuthor } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { findAddressFaults } from '../assets/find-address-faults.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { describeChange } from '../describe-change.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from '../find-site.ts';
import { findAuthor } from './find-author.ts';

/** What is not given stays as it is. */
export interface AuthorChange {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  readonly profilePhotoUrl?: string | null | undefined;
}

/** When it has returned, all content that carries the author shows it. */
export function updateAuthor(
  desk: Desk,
  actor: Actor,
  siteId: string,
  authorId: string,
  change: AuthorChange,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const author = await job.run(findAuthor(site.no, authorId));
    const { email, profilePhotoUrl } = change;
    const faults = findAddressFaults('profile_photo_url', profilePhotoUrl, author.profile_photo_url);
    if (faults.length > 0) throw refuseFaults(faults);
    const name = change.name ?? author.name;
    const write = {
      id: authorId,
      name,
      email: email === undefined ? author.email : email,
      profilePhotoUrl: profilePhotoUrl === undefined ? author.profile_photo_url : profilePhotoUrl,
    };
    if (!(await job.run(writeAuthor(site.no, write, job.now))).hasChanged) return;
    const details = describeChange(
      { name: author.name, email: author.email, profile_photo_url: author.profile_photo_url },
      { name, email: write.email, profile_photo_url: write.profilePhotoUrl },
    );
    await job.note({ action: 'author.update', siteId, subjectId: authorId, subjectName: name, details });
  });
}
