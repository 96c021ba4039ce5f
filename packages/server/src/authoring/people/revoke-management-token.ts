import {
  type ManagementTokenRow,
  revokeManagementToken as revokeRow,
  selectManagementToken,
} from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';

/** When it has returned, no further request with the token is answered. Revoking twice changes nothing. */
export function revokeManagementToken(desk: Desk, actor: Actor, tokenId: string): Promise<ManagementTokenRow> {
  return work(desk, actor, async (job) => {
    const row = await job.run(selectManagementToken(actor.accountNo, tokenId));
    if (row === undefined) throw refuseAbsent(`There is no token ${tokenId}.`);
    if (row.revoked_at !== null) return row;
    await job.run(revokeRow(row.id, job.now));
    await job.note({ action: 'token.revoke', subjectId: row.id, subjectName: row.name });
    return { ...row, revoked_at: job.now };
  });
}
