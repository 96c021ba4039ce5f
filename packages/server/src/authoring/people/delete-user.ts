import {
  DELETED_USER,
  deleteCallsOf,
  deleteSessionsOf,
  deleteUser as deleteUserRow,
  FIRST_VERSION,
  forgetAnswers,
  forgetInAudit,
  renameSaver,
  revokeManagementToken,
  selectTokensOf,
} from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { inPortions } from '../in-portions.ts';
import { refuseUnconfirmed } from '../refuse-unconfirmed.ts';
import { findUser } from './find-user.ts';
import { refuseLastOwner } from './refuse-last-owner.ts';

/**
 * Deletes a user for good. Their sessions end at once, and so do the management tokens that they created. What they did stays
 * in the history of content and in the audit log, without their name and their network address.
 * @param confirm must be the id
 */
export async function deleteUser(desk: Desk, actor: Actor, userId: string, confirm: string | undefined): Promise<void> {
  await work(desk, actor, async (job) => {
    const user = await job.run(findUser(actor, userId));
    refuseUnconfirmed(userId, confirm);
    await refuseLastOwner(job, user, undefined);
    await job.run(deleteSessionsOf(user.no));
    const tokens = await revokeTokensOf(job, userId);
    await job.run(deleteUserRow(user.no));
    await job.run(forgetAnswers(actor.accountNo));
    for (const id of [userId, ...tokens]) await job.run(deleteCallsOf(actor.accountNo, id));
    const { accountNo } = actor;
    await inPortions(FIRST_VERSION, (after) => job.run(renameSaver(userId, DELETED_USER, after)));
    await inPortions(0, (after) => job.run(forgetInAudit(accountNo, { kind: 'user', id: userId }, after)));
    await job.note({ action: 'user.delete', subjectId: userId });
    // Last of all: whoever deletes themselves is named by the entry above.
    await inPortions(0, (after) => job.run(forgetInAudit(accountNo, { kind: 'actor', id: userId }, after)));
    for (const id of tokens) {
      await inPortions(0, (after) => job.run(forgetInAudit(accountNo, { kind: 'token', id }, after)));
    }
  });
  await desk.storage.eraseTraces();
}

/** Returns the ids. */
async function revokeTokensOf(job: Job, userId: string): Promise<readonly string[]> {
  const tokens = await job.run(selectTokensOf(job.actor.accountNo, userId));
  for (const id of tokens) await job.run(revokeManagementToken(id, job.now));
  return tokens;
}
