import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../../content/api-token.ts';
import type { Fault } from '../../content/fault.ts';
import { buildId } from '../../content/ids.ts';
import { mayGrant, type Role } from '../../content/role.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { insertManagementToken, type ManagementTokenRow, selectManagementToken } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';

export interface ManagementTokenRequest {
  readonly name: string;
  readonly role: Role;
  /** Null means that it does not expire. */
  readonly expiresAt: number | null;
}

export interface CreatedManagementToken {
  readonly row: ManagementTokenRow;
  /** To be shown once: it is not kept. */
  readonly token: string;
}

/** A token makes no token that may do more than itself, or that lives longer. */
export function createManagementToken(
  desk: Desk,
  actor: Actor,
  { name, role, expiresAt }: ManagementTokenRequest,
): Promise<CreatedManagementToken> {
  return work(desk, actor, async (job) => {
    if (!mayGrant(actor.role, role)) {
      throw new AuthoringRefusal(`Only an owner can create a token for an ${role}.`, { reason: 'forbidden' });
    }
    const faults = await findExpiryFaults(job, expiresAt);
    if (faults.length > 0) throw refuseFaults(faults);
    const { accountNo } = actor;
    const id = buildId('managementToken', job.newUuid());
    const token = buildToken('management', job.randomBytes(TOKEN_BYTES));
    const kept = { tokenHash: hashToken(token), prefix: shortenToken(token), createdAt: job.now };
    await job.run(insertManagementToken({ id, accountNo, name, role, expiresAt, ...kept }));
    await job.note({
      action: 'token.create',
      subjectId: id,
      subjectName: name,
      details: { role, expires_at: formatOptionalTimestamp(expiresAt) },
    });
    const row = await job.run(selectManagementToken(accountNo, id));
    if (row === undefined) throw new Error('A token that was added is not there');
    return { row, token };
  });
}

async function findExpiryFaults(job: Job, expiresAt: number | null): Promise<readonly Fault[]> {
  if (expiresAt !== null && expiresAt <= job.now) {
    return [{ path: 'expires_at', message: `must be in the future; now it is ${formatTimestamp(job.now)}` }];
  }
  const { kind, id, accountNo } = job.actor;
  const own = kind === 'token' && id !== null ? await job.run(selectManagementToken(accountNo, id)) : undefined;
  const last = own?.expires_at ?? null;
  if (last === null || (expiresAt !== null && expiresAt <= last)) return [];
  return [
    {
      path: 'expires_at',
      message: `must not be later than ${formatTimestamp(last)}, when the token that asks expires`,
    },
  ];
}
