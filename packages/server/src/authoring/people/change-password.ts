import { deleteSessionsOf, selectUser, updateUser } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { hashPassword, SALT_BYTES, verifyPassword } from './password-hash.ts';
import { findPasswordFaults } from './password-rule.ts';
import { type StartedSession, startSession, type Visitor } from './start-session.ts';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly visitor: Visitor;
}

/**
 * The user's own. It ends all sessions of the user; who changed it goes on in a new one.
 * Undefined where the current password is another one.
 */
export async function changePassword(
  desk: Desk,
  actor: Actor,
  { currentPassword, newPassword, visitor }: PasswordChange,
): Promise<StartedSession | undefined> {
  const known = await desk.storage.read(selectUser(actor.accountNo, actor.id ?? ''));
  if (known === undefined) throw new Error('A user who is not there');
  const faults = findPasswordFaults('new_password', newPassword, known);
  if (faults.length > 0) throw refuseFaults(faults);
  if (newPassword === currentPassword) {
    throw refuseFaults([{ path: 'new_password', message: 'must differ from the current password' }]);
  }
  if (!(await verifyPassword(currentPassword, known.password_hash))) return undefined;
  const passwordHash = await hashPassword(newPassword, desk.randomBytes(SALT_BYTES));
  return work(desk, actor, async (job) => {
    const user = await job.run(selectUser(actor.accountNo, known.id));
    if (user === undefined || user.suspended_at !== null || user.password_hash !== known.password_hash) {
      throw new AuthoringRefusal('Your password was changed by somebody else in the meantime.', { reason: 'conflict' });
    }
    const changed = { ...user, password_hash: passwordHash };
    await job.run(updateUser(user.no, changed, job.now));
    await job.run(deleteSessionsOf(user.no));
    await job.note({ action: 'user.change_password', subjectId: user.id, subjectName: user.name });
    return startSession(job, changed, visitor);
  });
}
