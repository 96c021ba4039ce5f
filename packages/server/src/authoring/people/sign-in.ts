// Signing in. Whoever fails learns nothing: an unknown email, a wrong password and a suspended user cost the same work,
// take the same time and get the same answer.

import { setTimeout as wait } from 'node:timers/promises';
import { buildEmailKey } from '../../content/email.ts';
import { markSignedIn, selectUser, selectUserByEmail, type UserRow } from '../../storage/port.ts';
import { type Desk, workAsGuest } from '../desk.ts';
import { hashPassword, isHashCurrent, NOBODYS_HASH, SALT_BYTES, verifyPassword } from './password-hash.ts';
import { buildUserActor, type StartedSession, startSession, type Visitor } from './start-session.ts';

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly visitor: Visitor;
}

/** A failure is told at full multiples of this: noting it takes time that only a known email needs. */
const FAILURE_BEAT_MS = 250;

/** Undefined where it fails, for whatever reason. */
export async function signIn(desk: Desk, request: SignInRequest): Promise<StartedSession | undefined> {
  const startedAt = performance.now();
  const user = await desk.storage.read(selectUserByEmail(buildEmailKey(request.email)));
  const isRight = await verifyPassword(request.password, user?.password_hash ?? NOBODYS_HASH);
  const session = isRight && user !== undefined ? await openSession(desk, user, request) : undefined;
  if (session !== undefined) return session;
  if (user !== undefined) await noteFailure(desk, user, request.visitor, isRight ? 'suspended' : 'wrong password');
  const spent = performance.now() - startedAt;
  await wait(Math.ceil(spent / FAILURE_BEAT_MS) * FAILURE_BEAT_MS - spent);
  return undefined;
}

/** Undefined where the user has been suspended, or has another password by now. */
async function openSession(
  desk: Desk,
  known: UserRow,
  { password, visitor }: SignInRequest,
): Promise<StartedSession | undefined> {
  if (known.suspended_at !== null) return undefined;
  const passwordHash = isHashCurrent(known.password_hash)
    ? known.password_hash
    : await hashPassword(password, desk.randomBytes(SALT_BYTES));
  return workAsGuest(desk, buildUserActor(known, visitor.address), async (job) => {
    const user = await job.run(selectUser(known.account_no, known.id));
    if (user === undefined || user.suspended_at !== null || user.password_hash !== known.password_hash)
      return undefined;
    await job.run(markSignedIn(user.no, passwordHash, job.now));
    await job.note({ action: 'user.sign_in', subjectId: user.id, subjectName: user.name });
    return startSession(job, { ...user, last_sign_in_at: job.now }, visitor);
  });
}

function noteFailure(desk: Desk, user: UserRow, { address }: Visitor, reason: string): Promise<void> {
  return workAsGuest(desk, buildUserActor(user, address), async (job) => {
    // Deleted in the meantime: nothing may name them any more.
    if ((await job.run(selectUser(user.account_no, user.id))) === undefined) return;
    await job.note({
      action: 'user.sign_in_failed',
      subjectId: user.id,
      subjectName: user.name,
      details: { reason },
    });
  });
}
