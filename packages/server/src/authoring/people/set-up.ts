// Sets up an installation: while there are no users, anyone with the set-up token can become the first owner.

import { buildToken, isSameSecret } from '../../content/api-token.ts';
import { hasUsers, MAIN_ACCOUNT_NO, renameAccount, selectAccount } from '../../storage/accounts/accounts.ts';
import type { Storage } from '../../storage/storage.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { type Desk, type Job, workAsGuest } from '../desk.ts';
import { buildUserActor, type StartedSession, startSession, type Visitor } from './sessions.ts';
import { addUser, prepareUser, type UserRequest } from './users.ts';

export interface SetUpRequest extends Omit<UserRequest, 'role'> {
  readonly token: string;
  /** Undefined leaves the account name unchanged. */
  readonly accountName: string | undefined;
  readonly visitor: Visitor;
}

/** Returns undefined if the token is wrong. */
export async function setUp(desk: Desk, request: SetUpRequest): Promise<StartedSession | undefined> {
  const { token, accountName, visitor, ...person } = request;
  if (await desk.storage.read(hasUsers())) throw refuseSetUp();
  // Check the token before hashing the password: strangers must not be able to trigger that work.
  if (!isSameSecret(token, buildSetUpToken(desk.storage))) return undefined;
  const prepared = await prepareUser(desk, { ...person, role: 'owner' });
  const actor = buildUserActor({ ...prepared, account_no: MAIN_ACCOUNT_NO }, visitor.address);
  return workAsGuest(desk, actor, async (job) => {
    if (await job.run(hasUsers())) throw refuseSetUp();
    const user = await addUser(job, prepared);
    if (accountName !== undefined) await nameAccount(job, accountName);
    return startSession(job, user, visitor);
  });
}

function refuseSetUp(): AuthoringRefusal {
  return new AuthoringRefusal('Galley is already set up. Sign in, or ask an owner for access.', {
    reason: 'conflict',
  });
}

async function nameAccount(job: Job, name: string): Promise<void> {
  const account = await job.run(selectAccount(MAIN_ACCOUNT_NO));
  if (account === undefined || account.name === name) return;
  await job.run(renameAccount(MAIN_ACCOUNT_NO, name));
  await job.note({
    action: 'account.rename',
    subjectId: account.id,
    subjectName: name,
    details: { before: account.name },
  });
}

/** A 160-bit token cannot be guessed, and its link fits on one line in a terminal. */
const SET_UP_TOKEN_BYTES = 20;

/**
 * The service prints this token, so only the operator has it. It is derived from a key, so it is the same on all nodes and after every
 * restart. It is useless once there is a user.
 */
export function buildSetUpToken(storage: Pick<Storage, 'deriveKey'>): string {
  return buildToken('setUp', storage.deriveKey('set-up token').subarray(0, SET_UP_TOKEN_BYTES));
}
