import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../../content/api-token.ts';
import type { Fault } from '../../content/fault.ts';
import { buildId } from '../../content/ids.ts';
import { mayGrant, type Role } from '../../content/role.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import {
  insertManagementToken,
  type ManagementTokenRow,
  revokeManagementToken as revokeRow,
  selectManagementToken,
  type TokenMaker,
} from '../../storage/accounts/management-tokens.ts';
import { deleteShareLinksOf } from '../../storage/keys/share-links.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';

export interface ManagementTokenRequest {
  readonly name: string;
  readonly role: Role;
  /** Null means that the token does not expire. */
  readonly expiresAt: number | null;
}

export interface CreatedManagementToken {
  readonly row: ManagementTokenRow;
  /** Shown once and not stored. */
  readonly token: string;
}

/** A token cannot create a token with more rights or a later expiry time than its own. The new token has the same creator. */
export function createManagementToken(
  desk: Desk,
  actor: Actor,
  { name, role, expiresAt }: ManagementTokenRequest,
): Promise<CreatedManagementToken> {
  return work(desk, actor, async (job) => {
    if (!mayGrant(actor.role, role)) {
      throw new AuthoringRefusal(`Only an owner can create a token for an ${role}.`, { reason: 'forbidden' });
    }
    const { accountNo } = actor;
    const own = actor.kind === 'token' ? await job.run(selectManagementToken(accountNo, actor.id ?? '')) : undefined;
    const faults = findExpiryFaults(expiresAt, own, job.now);
    if (faults.length > 0) throw refuseFaults(faults);
    const id = buildId('managementToken', job.newUuid());
    const token = buildToken('management', job.randomBytes(TOKEN_BYTES));
    const kept = { tokenHash: hashToken(token), prefix: shortenToken(token), createdAt: job.now };
    await job.run(insertManagementToken({ id, accountNo, name, role, expiresAt, ...findMaker(actor, own), ...kept }));
    await job.note({
      action: 'token.create',
      subjectId: id,
      subjectName: name,
      details: { role, expires_at: formatOptionalTimestamp(expiresAt) },
    });
    const row = await job.run(selectManagementToken(accountNo, id));
    if (row === undefined) throw new Error('The token was added but could not be found');
    return { row, token };
  });
}

/** @param own the token that authenticates the call, if there is one */
function findMaker({ kind, id }: Actor, own: ManagementTokenRow | undefined): TokenMaker {
  if (own !== undefined) return { makerKind: own.maker_kind, makerId: own.maker_id };
  return kind === 'user' ? { makerKind: kind, makerId: id } : { makerKind: 'command', makerId: null };
}

function findExpiryFaults(
  expiresAt: number | null,
  own: ManagementTokenRow | undefined,
  now: number,
): readonly Fault[] {
  if (expiresAt !== null && expiresAt <= now) {
    const message = `must be in the future; the current time is ${formatTimestamp(now)}`;
    return [{ path: 'expires_at', message, code: 'in_past' }];
  }
  const last = own?.expires_at ?? null;
  if (last === null || (expiresAt !== null && expiresAt <= last)) return [];
  return [
    {
      path: 'expires_at',
      message: `must not be later than ${formatTimestamp(last)}, when the calling token expires`,
    },
  ];
}

/** Once this returns, the token and the share links that it created no longer work. Revoking it again has no effect. */
export function revokeManagementToken(desk: Desk, actor: Actor, tokenId: string): Promise<ManagementTokenRow> {
  return work(desk, actor, async (job) => {
    const row = await job.run(selectManagementToken(actor.accountNo, tokenId));
    if (row === undefined) throw refuseAbsent(`There is no token ${tokenId}.`);
    if (row.revoked_at !== null) return row;
    await job.run(revokeRow(row.id, job.now));
    await job.run(deleteShareLinksOf(row.id));
    await job.note({ action: 'token.revoke', subjectId: row.id, subjectName: row.name });
    return { ...row, revoked_at: job.now };
  });
}
