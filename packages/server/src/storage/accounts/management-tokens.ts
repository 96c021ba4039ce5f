// Tokens by which automation drives the management API. They open nothing else.

import { sql } from 'kysely';
import type { Role } from '../../content/role.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface NewManagementToken {
  readonly id: string;
  readonly accountNo: number;
  readonly name: string;
  readonly role: Role;
  readonly tokenHash: string;
  readonly prefix: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export interface ManagementTokenRow {
  readonly id: string;
  readonly account_no: number;
  readonly name: string;
  readonly role: Role;
  readonly prefix: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

const columns = sql.raw('id, account_no, name, role, prefix, created_at, expires_at, revoked_at, last_used_at');
const insertRow = defineStatement(
  () => sql`insert into management_tokens (id, account_no, name, role, token_hash, prefix, created_at, expires_at)
    values (${slot('id')}, ${slot('accountNo')}, ${slot('name')}, ${slot('role')}, ${slot('tokenHash')},
      ${slot('prefix')}, ${slot('createdAt')}, ${slot('expiresAt')})`,
);
const selectByHash = defineStatement(
  () => sql`select ${columns} from management_tokens where token_hash = ${slot('hash')}`,
);
const selectById = defineStatement(
  () => sql`select ${columns} from management_tokens where account_no = ${slot('account')} and id = ${slot('id')}`,
);
// Ids begin with their time.
const selectPage = defineStatement(
  () => sql`select ${columns} from management_tokens where account_no = ${slot('account')} and id > ${slot('after')}
    order by id limit ${slot('limit')} + 0`,
);
const updateRevoked = defineStatement(
  () => sql`update management_tokens set revoked_at = ${slot('now')} where id = ${slot('id')}`,
);
const updateLastUsed = defineStatement(
  () => sql`update management_tokens set last_used_at = ${slot('now')} where id = ${slot('id')}`,
);

export function* insertManagementToken(token: NewManagementToken): Procedure<void> {
  yield* query(insertRow, { ...token });
}

export function* selectManagementTokenByHash(tokenHash: string): Procedure<ManagementTokenRow | undefined> {
  return (yield* query<ManagementTokenRow>(selectByHash, { hash: tokenHash }))[0];
}

export function* selectManagementToken(accountNo: number, id: string): Procedure<ManagementTokenRow | undefined> {
  return (yield* query<ManagementTokenRow>(selectById, { account: accountNo, id }))[0];
}

export function isTokenLive({ revoked_at, expires_at }: ManagementTokenRow, now: number): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

/**
 * Tokens of an account, the oldest first.
 * @param afterId empty for the first of them
 */
export function* selectManagementTokens(
  accountNo: number,
  afterId: string,
  limit: number,
): Procedure<readonly ManagementTokenRow[]> {
  return yield* query<ManagementTokenRow>(selectPage, { account: accountNo, after: afterId, limit });
}

export function* revokeManagementToken(id: string, now: number): Procedure<void> {
  yield* query(updateRevoked, { id, now });
}

export function* markManagementTokenUsed(id: string, now: number): Procedure<void> {
  yield* query(updateLastUsed, { id, now });
}
