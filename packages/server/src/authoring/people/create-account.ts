import { buildId } from '../../content/ids.ts';
import { insertAccount, type UserRow } from '../../storage/port.ts';
import { COMMAND_ACTOR } from '../actor.ts';
import { type Desk, openJob } from '../desk.ts';
import { addUser, prepareUser, type UserRequest } from './create-user.ts';

export interface CreatedAccount {
  readonly id: string;
  readonly user: UserRow;
}

/** A new account with its first user, or neither of them. */
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
