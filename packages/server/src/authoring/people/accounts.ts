// Accounts are created with their first user, and can be renamed.

import { buildId } from '../../content/ids.ts';
import {
  type AccountRow,
  insertAccount,
  renameAccount as renameAccountRow,
  selectAccount,
  type UserRow,
} from '../../storage/accounts/accounts.ts';
import { type Actor, COMMAND_ACTOR } from '../actor.ts';
import { type Desk, openJob, work } from '../desk.ts';
import { addUser, prepareUser, type UserRequest } from './users.ts';

export interface CreatedAccount {
  readonly id: string;
  readonly user: UserRow;
}

/** Creates an account and its first user, or neither. */
export async function createAccount(desk: Desk, name: string, request: UserRequest): Promise<CreatedAccount> {
  const prepared = await prepareUser(desk, request);
  return desk.storage.transaction(async (transaction) => {
    const id = buildId('account', desk.newUuid());
    const accountNo = await transaction.run(insertAccount(id, name, desk.now()));
    const job = openJob(desk, { ...COMMAND_ACTOR, accountNo }, transaction);
    await job.note({ action: 'account.create', subjectId: id, subjectName: name });
    return { id, user: await addUser(job, prepared) };
  });
}

export function renameAccount(desk: Desk, actor: Actor, name: string): Promise<AccountRow> {
  return work(desk, actor, async (job) => {
    const account = await job.run(selectAccount(actor.accountNo));
    if (account === undefined) throw new Error('The actor has no account');
    await job.run(renameAccountRow(account.no, name));
    await job.note({
      action: 'account.rename',
      subjectId: account.id,
      subjectName: name,
      details: { before: account.name },
    });
    return { ...account, name };
  });
}
