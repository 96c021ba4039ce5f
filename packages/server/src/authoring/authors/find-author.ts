import { type AuthorRow, selectAuthor } from '../../storage/port.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';

export async function findAuthor(job: Job, siteNo: number, authorId: string): Promise<AuthorRow> {
  const author = await job.run(selectAuthor(siteNo, authorId));
  if (author === undefined) throw refuseAbsent(`There is no author ${authorId}.`);
  return author;
}
