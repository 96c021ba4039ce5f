// What an owner changes about a user.

import type { Role } from '../../content/role.ts';
import { deleteSessionsOf, type UserRow, updateUser as updateUserRow } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type AuditNote, type Desk, work } from '../desk.ts';
import { hashAtDesk } from './create-user.ts';
import { findUser } from './find-user.ts';
import { findPasswordFaults } from './password-rule.ts';
import { refuseLastOwner } from './refuse-last-owner.ts';

/** What is undefined stays as it is. */
export interface UserChanges {
  readonly name: string | undefined;
  readonly role: Role | undefined;
  readonly isSuspended: boolean | undefined;
  readonly password: string | undefined;
}

export async function updateUser(desk: Desk, actor: Actor, userId: string, changes: UserChanges): Promise<UserRow> {
  const passwordHash = await prepareHash(desk, actor, userId, changes);
  return work(desk, actor, async (job) => {
    const before = await job.run(findUser(actor, userId));
    const after = applyChanges(before, changes, passwordHash, job.now);
    const notes = listNotes(before, after);
    if (notes.length === 0) return before;
    refuseOwnChanges(actor, before, after);
    await refuseLastOwner(job, before, after);
    await job.run(updateUserRow(before.no, after, job.now));
    if (after.suspended_at !== null || after.password_hash !== before.password_hash) {
      await job.run(deleteSessionsOf(before.no));
    }
    for (const note of notes) await job.note({ ...note, subjectId: after.id, subjectName: after.name });
    return { ...after, updated_at: job.now };
  });
}

/** Before the transaction, which others wait for. Undefined where the password stays. */
async function prepareHash(
  desk: Desk,
  actor: Actor,
  userId: string,
  { name, password }: UserChanges,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const user = await desk.storage.read(findUser(actor, userId));
  const faults = findPasswordFaults('password', password, { email: user.email, name: name ?? user.name });
  if (faults.length > 0) throw refuseFaults(faults);
  return hashAtDesk(desk, password);
}

function applyChanges(
  user: UserRow,
  { name, role, isSuspended = user.suspended_at !== null }: UserChanges,
  passwordHash: string | undefined,
  now: number,
): UserRow {
  return {
    ...user,
    name: name ?? user.name,
    role: role ?? user.role,
    password_hash: passwordHash ?? user.password_hash,
    suspended_at: isSuspended ? (user.suspended_at ?? now) : null,
  };
}

function listNotes(before: UserRow, after: UserRow): readonly AuditNote[] {
  const notes: AuditNote[] = [];
  if (after.name !== before.name) notes.push({ action: 'user.rename', details: { before: before.name } });
  if (after.role !== before.role) {
    notes.push({ action: 'user.change_role', details: { before: before.role, after: after.role } });
  }
  if (after.password_hash !== before.password_hash) notes.push({ action: 'user.reset_password' });
  if (after.suspended_at !== before.suspended_at) {
    notes.push({ action: after.suspended_at === null ? 'user.reinstate' : 'user.suspend' });
  }
  return notes;
}

function refuseOwnChanges(actor: Actor, before: UserRow, after: UserRow): void {
  if (actor.kind !== 'user' || actor.id !== before.id) return;
  if (after.role !== before.role) throw refuse('Nobody can change their own role.');
  if (after.suspended_at !== before.suspended_at) throw refuse('Nobody can suspend themselves.');
  // Here the current password is not asked for.
  if (after.password_hash !== before.password_hash) {
    throw refuse('Your own password is changed with PUT /session/password.');
  }
}

function refuse(message: string): AuthoringRefusal {
  return new AuthoringRefusal(message, { reason: 'conflict' });
}
