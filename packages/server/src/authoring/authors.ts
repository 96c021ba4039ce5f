// Creates, changes and deletes a site's authors.

import { buildId } from '../content/ids.ts';
import { forgetInAudit } from '../storage/accounts/audit-entries.ts';
import { forgetAnswers } from '../storage/accounts/idempotent-calls.ts';
import { selectAuthorUses } from '../storage/contents/content-uses.ts';
import { replaceAuthorInContent } from '../storage/publication/rewrite-content.ts';
import {
  type AuthorRow,
  type AuthorWrite,
  deleteAuthor as deleteAuthorRow,
  selectAuthor,
  writeAuthor,
} from '../storage/sites/authors.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Actor } from './actor.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults, refuseInUse, USES_SHOWN } from './authoring-refusal.ts';
import { forgetBodies, inPortions, refuseUnconfirmed } from './delete-for-good.ts';
import { type Desk, type Job, work } from './desk.ts';
import { findAddressFaults } from './find-address-faults.ts';
import { findSite } from './sites/find-site.ts';

export function* findAuthor(siteNo: number, authorId: string): Procedure<AuthorRow> {
  const author = yield* selectAuthor(siteNo, authorId);
  if (author === undefined) throw refuseAbsent(`There is no author ${authorId}.`);
  return author;
}

export type AuthorRequest = Omit<AuthorWrite, 'id'> & {
  /** Null to generate an id. */
  readonly id: string | null;
};

/** The author becomes visible to readers once some content names them. */
export function createAuthor(desk: Desk, actor: Actor, siteId: string, request: AuthorRequest): Promise<string> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const faults = findAddressFaults('profile_photo_url', request.profilePhotoUrl);
    if (faults.length > 0) throw refuseFaults(faults);
    const id = request.id ?? buildId('author', job.newUuid());
    if ((await job.run(selectAuthor(site.no, id))) !== undefined) {
      const details = { reason: 'id_taken' };
      throw new AuthoringRefusal(`Author ${id} already exists.`, { reason: 'conflict', code: 'taken', details });
    }
    await job.run(writeAuthor(site.no, { ...request, id }, job.now));
    await job.note({ action: 'author.create', siteId, subjectId: id, subjectName: request.name });
    return id;
  });
}

/** Omitted properties stay as they are. */
export interface AuthorChange {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  readonly profilePhotoUrl?: string | null | undefined;
}

/** Once this returns, the change is visible in all content by the author. */
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

export interface AuthorDeletion {
  /** Must be the author's id if any version of any content has this author. */
  readonly confirm?: string | undefined;
  /** The id of the replacement author; if omitted, the content is left without an author. */
  readonly replaceWith?: string | undefined;
}

/**
 * Once this returns, the author no longer appears in any version of any content, or in the audit log. Editors can delete an author without
 * content. Only an owner can delete an author with content, and must confirm the deletion.
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
      if (confirm === undefined) throw refuseInUse(`Author ${authorId}`, uses);
      refuseUnconfirmed(authorId, confirm);
      if (actor.role !== 'owner') {
        throw new AuthoringRefusal('Only an owner can delete an author who has content.', { reason: 'forbidden' });
      }
      const replacement = { siteNo: site.no, authorNo: author.no, nextNo: next?.no ?? null };
      await inPortions(0, (after) => job.run(replaceAuthorInContent(replacement, after, job.now)));
    }
    await job.run(deleteAuthorRow(site.no, author.no, job.now));
    await job.run(forgetAnswers(actor.accountNo));
    await forgetBodies(job, site.no);
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
  if (next !== undefined) throw refuseFaults([{ path: 'replace_with', message: 'must be a different author' }]);
  const message = `names an author who does not exist: ${id}`;
  throw refuseFaults([{ path: 'replace_with', message, code: 'not_found', values: { kind: 'author', id } }]);
}
