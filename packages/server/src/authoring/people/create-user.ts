import { buildEmailKey } from '../../content/email.ts';
import { buildId } from '../../content/ids.ts';
import type { Role } from '../../content/role.ts';
import { insertUser, selectUser, selectUserByEmail, type UserRow } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { UnhashedPassword } from '../prepare-work.ts';
import { hashPassword, SALT_BYTES } from './password-hash.ts';
import { findPasswordFaults } from './password-rule.ts';

export interface UserRequest {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

/** A user who is not there yet. The password is hashed before the transaction, which others wait for. */
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

/** Never inside a transaction. */
export async function hashAtDesk(
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
  // Emails are unique over all accounts, so this is all that may be said.
  if ((await job.run(selectUserByEmail(emailKey))) !== undefined) {
    throw new AuthoringRefusal('This email is taken.', { reason: 'conflict' });
  }
  await job.run(insertUser({ accountNo, id, email, emailKey, name, role, passwordHash, now: job.now }));
  await job.note({ action: 'user.create', subjectId: id, subjectName: name, details: { role } });
  const user = await job.run(selectUser(accountNo, id));
  if (user === undefined) throw new Error('A user who was added is not there');
  return user;
}
