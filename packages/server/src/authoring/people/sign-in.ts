// Signing in. A failure reveals nothing: an unknown email, a wrong password and a suspended user require the same work, take the same
// time and get the same response. Only starting a session needs the database's write lock.

import { setTimeout as wait } from 'node:timers/promises';
import { buildEmailKey } from '../../content/text-rules.ts';
import { markSignedIn, selectUser, selectUserByEmail, type UserRow } from '../../storage/accounts/accounts.ts';
import { type Desk, workAsGuest } from '../desk.ts';
import type { FailedSignIn } from './failed-sign-ins.ts';
import { hashPassword, isHashCurrent, NOBODYS_HASH, SALT_BYTES, verifyPassword } from './passwords.ts';
import { buildUserActor, type StartedSession, startSession, type Visitor } from './sessions.ts';

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly visitor: Visitor;
}

/** Responses to failures are sent at multiples of this interval, so their timing reveals nothing. */
const FAILURE_BEAT_MS = 250;

/** Returns undefined if the sign-in fails for any reason. */
export async function signIn(
  desk: Desk,
  request: SignInRequest,
  onFailure: (failure: FailedSignIn) => void,
): Promise<StartedSession | undefined> {
  const startedAt = performance.now();
  const { email, password, visitor } = request;
  const user = await desk.storage.read(selectUserByEmail(buildEmailKey(email)));
  const isRight = await verifyPassword(password, user?.password_hash ?? NOBODYS_HASH);
  const session = isRight && user !== undefined ? await openSession(desk, user, request) : undefined;
  if (session !== undefined) return session;
  onFailure({ email, user, reason: findReason(user, isRight), address: visitor.address });
  const spent = performance.now() - startedAt;
  await wait(Math.ceil(spent / FAILURE_BEAT_MS) * FAILURE_BEAT_MS - spent);
  return undefined;
}

function findReason(user: UserRow | undefined, isRight: boolean): FailedSignIn['reason'] {
  if (user === undefined) return 'unknown email';
  return isRight ? 'suspended' : 'wrong password';
}

/** Returns undefined if the user has been suspended or their password has changed. */
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
    return startSession(job, { ...user, password_hash: passwordHash, last_sign_in_at: job.now }, visitor);
  });
}
