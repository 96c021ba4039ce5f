import {
  type AuthorRow,
  deleteAuthor as deleteAuthorRow,
  forgetAnswers,
  forgetInAudit,
  replaceAuthorInContent,
  selectAuthor,
  selectAuthorUses,
} from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findSite } from '../find-site.ts';
import { inPortions } from '../in-portions.ts';
import { refuseUnconfirmed } from '../refuse-unconfirmed.ts';
import { refuseInUse, USES_SHOWN } from '../uses-refusal.ts';
import { findAuthor } from './find-author.ts';

export interface AuthorDeletion {
  /** Must be the author's id where any version of any content carries the author. */
  readonly confirm?: string | undefined;
  /** The id of the author who takes the place; without it the content has no author. */
  readonly replaceWith?: string | undefined;
}

/**
 * When it has returned, no content carries the author, in any version, and the audit log does not name them.
 * Editors can delete an author whom nothing carries. Everything else takes an owner, who confirms it.
 */
export async function deleteAuthor(
  desk: Desk,
  actor: Actor,
  siteId: string,
  authorId: string,
  { confirm, replaceWith }: AuthorDeletion = {},
): Promise<void> {
  await work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const author = await job.run(findAuthor(site.no, authorId));
    const next = replaceWith === undefined ? null : await findReplacement(job, site.no, author, replaceWith);
    const uses = await job.run(selectAuthorUses(author.no, USES_SHOWN));
    if (uses.total > 0) {
      if (confirm === undefined) throw refuseInUse(`The author ${authorId}`, uses);
      refuseUnconfirmed(authorId, confirm);
      if (actor.role !== 'owner') {
        throw new AuthoringRefusal('Only an owner can delete an author whom content carries.', { reason: 'forbidden' });
      }
      const replacement = { siteNo: site.no, authorNo: author.no, nextNo: next?.no ?? null };
      await inPortions(0, (after) => job.run(replaceAuthorInContent(replacement, after, job.now)));
    }
    await job.run(deleteAuthorRow(site.no, author.no, job.now));
    await job.run(forgetAnswers(actor.accountNo));
    await inPortions(0, (after) =>
      job.run(forgetInAudit(actor.accountNo, { kind: 'author', siteId, id: authorId }, after)),
    );
    const details = uses.total > 0 ? { details: { contents: uses.total, replaced_by: next?.id ?? null } } : {};
    await job.note({ action: 'author.delete', siteId, subjectId: authorId, ...details });
  });
  await desk.storage.eraseTraces();
}

async function findReplacement(job: Job, siteNo: number, author: AuthorRow, id: string): Promise<AuthorRow> {
  const next = await job.run(selectAuthor(siteNo, id));
  if (next !== undefined && next.no !== author.no) return next;
  const message = next === undefined ? `names no author of the site: ${id}` : 'must be another author';
  throw refuseFaults([{ path: 'replace_with', message }]);
}
