// Creates, changes and deletes an account's users, and lets users change their own passwords.

import { buildId } from '../../content/ids.ts';
import type { Role } from '../../content/role.ts';
import { buildEmailKey } from '../../content/text-rules.ts';
import {
  countActiveOwners,
  deleteSessionsOf,
  deleteUser as deleteUserRow,
  insertUser,
  selectUser,
  selectUserByEmail,
  type UserRow,
  updateUser as updateUserRow,
} from '../../storage/accounts/accounts.ts';
import { DELETED_USER, forgetInAudit } from '../../storage/accounts/audit-entries.ts';
import { deleteCallsOf, forgetAnswers } from '../../storage/accounts/idempotent-calls.ts';
import { revokeManagementToken, selectTokensOf } from '../../storage/accounts/management-tokens.ts';
import { FIRST_VERSION, renameSaver } from '../../storage/contents/content-versions.ts';
import { deleteShareLinksOf } from '../../storage/keys/share-links.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import type { AuditNote } from '../audit-note.ts';
import { AuthoringRefusal, type RefusalParts, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';
import { inPortions, refuseUnconfirmed } from '../delete-for-good.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { UnhashedPassword } from '../prepare-work.ts';
import { findPasswordFaults, hashPassword, SALT_BYTES, verifyPassword } from './passwords.ts';
import { type StartedSession, startSession, type Visitor } from './sessions.ts';

/** Users in other accounts are reported as not found. */
export function* findUser(actor: Actor, userId: string): Procedure<UserRow> {
  const user = yield* selectUser(actor.accountNo, userId);
  if (user === undefined) throw refuseAbsent(`There is no user ${userId}.`);
  return user;
}

export interface UserRequest {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

/** A user to add. The password is hashed before the transaction, to keep the transaction short. */
export interface PreparedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
}

export async function createUser(desk: Desk, actor: Actor, request: UserRequest): Promise<UserRow> {
  const prepared = await prepareUser(desk, request);
  return work(desk, actor, (job) => addUser(job, prepared));
}

export async function prepareUser(
  desk: Pick<Desk, 'newUuid' | 'randomBytes' | 'prepared'>,
  { email, name, role, password }: UserRequest,
): Promise<PreparedUser> {
  const faults = findPasswordFaults('password', password, { email, name });
  if (faults.length > 0) throw refuseFaults(faults);
  const passwordHash = await hashAtDesk(desk, password);
  return { id: buildId('user', desk.newUuid()), email: email.trim(), name, role, passwordHash };
}

/** Never call this inside a transaction. */
async function hashAtDesk(
  { prepared, randomBytes }: Pick<Desk, 'randomBytes' | 'prepared'>,
  password: string,
): Promise<string> {
  const known = prepared?.hashes.get(password);
  if (known !== undefined) return known;
  const salt = randomBytes(SALT_BYTES);
  if (prepared !== undefined) throw new UnhashedPassword(password, salt);
  return hashPassword(password, salt);
}

export async function addUser(job: Job, { id, email, name, role, passwordHash }: PreparedUser): Promise<UserRow> {
  const { accountNo } = job.actor;
  const emailKey = buildEmailKey(email);
  // Emails are unique across accounts, so the message must not reveal who uses this email.
  if ((await job.run(selectUserByEmail(emailKey))) !== undefined) {
    throw new AuthoringRefusal('This email address is already in use.', { reason: 'conflict', code: 'taken' });
  }
  await job.run(insertUser({ accountNo, id, email, emailKey, name, role, passwordHash, now: job.now }));
  await job.note({ action: 'user.create', subjectId: id, subjectName: name, details: { role } });
  const user = await job.run(selectUser(accountNo, id));
  if (user === undefined) throw new Error('The user was added but could not be found');
  return user;
}

/** The properties of a user that an owner can change. Undefined properties stay as they are. */
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
    if (after.suspended_at !== null && before.suspended_at === null) await revokeShareLinksOf(job, userId);
    for (const note of notes) await job.note({ ...note, subjectId: after.id, subjectName: after.name });
    return { ...after, updated_at: job.now };
  });
}

/**
 * Call this before the transaction, because hashing inside it would block other writers. Returns undefined if the password does not
 * change.
 */
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
  if (after.role !== before.role) throw refuse('Users cannot change their own role.');
  if (after.suspended_at !== before.suspended_at) throw refuse('Users cannot suspend themselves.');
  // This call does not ask for the current password.
  if (after.password_hash !== before.password_hash) {
    throw refuse('Use PUT /session/password to change your own password.', { reason: 'own_password' });
  }
}

function refuse(message: string, details?: RefusalParts['details']): AuthoringRefusal {
  return new AuthoringRefusal(message, { reason: 'conflict', ...(details === undefined ? {} : { details }) });
}

/**
 * Ensures that an account always has at least one owner who can sign in.
 * @param after the changed user; undefined if the user is deleted
 */
async function refuseLastOwner(job: Job, before: UserRow, after: UserRow | undefined): Promise<void> {
  if (!isActiveOwner(before) || (after !== undefined && isActiveOwner(after))) return;
  if ((await job.run(countActiveOwners(before.account_no))) > 1) return;
  throw new AuthoringRefusal('This is the last active owner of the account. Make somebody else an owner first.', {
    reason: 'conflict',
    code: 'last_owner',
  });
}

function isActiveOwner(user: UserRow): boolean {
  return user.role === 'owner' && user.suspended_at === null;
}

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly visitor: Visitor;
}

/**
 * Changes the user's own password, ends all of their sessions and starts a new one.
 * Returns undefined if the current password is wrong.
 */
export async function changePassword(
  desk: Desk,
  actor: Actor,
  { currentPassword, newPassword, visitor }: PasswordChange,
): Promise<StartedSession | undefined> {
  const known = await desk.storage.read(selectUser(actor.accountNo, actor.id ?? ''));
  if (known === undefined) throw new Error('The user could not be found');
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
      throw new AuthoringRefusal('Somebody else has changed your password in the meantime.', { reason: 'conflict' });
    }
    const changed = { ...user, password_hash: passwordHash };
    await job.run(updateUserRow(user.no, changed, job.now));
    await job.run(deleteSessionsOf(user.no));
    await job.note({ action: 'user.change_password', subjectId: user.id, subjectName: user.name });
    return startSession(job, changed, visitor);
  });
}

/**
 * Permanently deletes a user. Their sessions, and the management tokens and share links that they created, stop working immediately. The content history
 * and the audit log keep a record of their actions, but not their name or network address.
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
    await revokeShareLinksOf(job, userId);
    for (const id of [userId, ...tokens]) await job.run(deleteCallsOf(actor.accountNo, id));
    const { accountNo } = actor;
    await inPortions(FIRST_VERSION, (after) => job.run(renameSaver(userId, DELETED_USER, after)));
    await inPortions(0, (after) => job.run(forgetInAudit(accountNo, { kind: 'user', id: userId }, after)));
    await job.note({ action: 'user.delete', subjectId: userId });
    // This must come last: a user who deletes themselves is also the actor in the entry above.
    await inPortions(0, (after) => job.run(forgetInAudit(accountNo, { kind: 'actor', id: userId }, after)));
    for (const id of tokens) {
      await inPortions(0, (after) => job.run(forgetInAudit(accountNo, { kind: 'token', id }, after)));
    }
  });
  await desk.storage.eraseTraces();
}

/** Includes the links that were created with the user's tokens. */
async function revokeShareLinksOf(job: Job, userId: string): Promise<void> {
  const tokens = await job.run(selectTokensOf(job.actor.accountNo, userId));
  for (const id of [userId, ...tokens]) await job.run(deleteShareLinksOf(id));
}

/** Returns the ids of the revoked tokens. */
async function revokeTokensOf(job: Job, userId: string): Promise<readonly string[]> {
  const tokens = await job.run(selectTokensOf(job.actor.accountNo, userId));
  for (const id of tokens) await job.run(revokeManagementToken(id, job.now));
  return tokens;
}
