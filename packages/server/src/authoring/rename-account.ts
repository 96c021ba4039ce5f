import { type AccountRow, renameAccount as renameAccountRow, selectAccount } from '../storage/port.ts';
import type { Actor } from './actor.ts';
import { type Desk, work } from './desk.ts';

export function renameAccount(desk: Desk, actor: Actor, name: string): Promise<AccountRow> {
  return work(desk, actor, async (job) => {
    const account = await job.run(selectAccount(actor.accountNo));
    if (account === undefined) throw new Error('An actor without an account');
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
