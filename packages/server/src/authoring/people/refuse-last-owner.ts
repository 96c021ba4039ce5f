// An account always keeps an owner who can sign in.

import { countActiveOwners, type UserRow } from '../../storage/port.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';

/** @param after the user as they are to be; undefined where they are deleted */
export async function refuseLastOwner(job: Job, before: UserRow, after: UserRow | undefined): Promise<void> {
  if (!isActiveOwner(before) || (after !== undefined && isActiveOwner(after))) return;
  if ((await job.run(countActiveOwners(before.account_no))) > 1) return;
  throw new AuthoringRefusal('This is the last active owner of the account. Make somebody else an owner first.', {
    reason: 'conflict',
  });
}

function isActiveOwner(user: UserRow): boolean {
  return user.role === 'owner' && user.suspended_at === null;
}
