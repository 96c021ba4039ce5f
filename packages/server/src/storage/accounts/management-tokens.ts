// Tokens that let automation use the management API, and nothing else. A token works only as long as its creator would still be
// allowed to create it.

import { sql } from 'kysely';
import { mayGrant, type Role } from '../../content/role.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** The creator of a token: a user, or the command line. Both properties are null if the creator is unknown. */
export interface TokenMaker {
  readonly makerKind: 'user' | 'command' | null;
  /** The id of the user. */
  readonly makerId: string | null;
}

export interface NewManagementToken extends TokenMaker {
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
  readonly maker_kind: TokenMaker['makerKind'];
  readonly maker_id: string | null;
  /** Null if the creator is not a user, or was deleted. In these cases, the creator's role and suspension time are null too. */
  readonly maker_name: string | null;
  readonly maker_role: Role | null;
  readonly maker_suspended_at: number | null;
}

const selection =
  sql.raw(`select m.id, m.account_no, m.name, m.role, m.prefix, m.created_at, m.expires_at, m.revoked_at,
    m.last_used_at, m.maker_kind, m.maker_id, u.name as maker_name, u.role as maker_role,
    u.suspended_at as maker_suspended_at
  from management_tokens as m left join users as u on u.account_no = m.account_no and u.id = m.maker_id`);
const insertRow = defineStatement(
  () => sql`insert into management_tokens (id, account_no, name, role, token_hash, prefix, created_at, expires_at,
      maker_kind, maker_id)
    values (${slot('id')}, ${slot('accountNo')}, ${slot('name')}, ${slot('role')}, ${slot('tokenHash')},
      ${slot('prefix')}, ${slot('createdAt')}, ${slot('expiresAt')}, ${slot('makerKind')}, ${slot('makerId')})`,
);
const selectByHash = defineStatement(() => sql`${selection} where m.token_hash = ${slot('hash')}`);
const selectById = defineStatement(
  () => sql`${selection} where m.account_no = ${slot('account')} and m.id = ${slot('id')}`,
);
// An id starts with the token's creation time.
const selectPage = defineStatement(
  () => sql`${selection} where m.account_no = ${slot('account')} and m.id > ${slot('after')}
    order by m.id limit ${slot('limit')} + 0`,
);
const selectByMaker = defineStatement(
  () => sql`select id from management_tokens
    where account_no = ${slot('account')} and maker_kind = 'user' and maker_id = ${slot('user')}`,
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

/** A suspended token works again when its creator is active and has a sufficient role. Expired and revoked tokens never work again. */
export type TokenState = 'active' | 'suspended' | 'expired' | 'revoked';

export function findTokenState(token: ManagementTokenRow, now: number): TokenState {
  if (token.revoked_at !== null) return 'revoked';
  if (token.expires_at !== null && token.expires_at <= now) return 'expired';
  return token.maker_kind !== 'user' || couldMakerMake(token) ? 'active' : 'suspended';
}

function couldMakerMake({ role, maker_role, maker_suspended_at }: ManagementTokenRow): boolean {
  return maker_role !== null && maker_suspended_at === null && mayGrant(maker_role, role);
}

/** The ids of the tokens that a user created, directly or with another token. */
export function* selectTokensOf(accountNo: number, userId: string): Procedure<readonly string[]> {
  return (yield* query<{ id: string }>(selectByMaker, { account: accountNo, user: userId })).map(({ id }) => id);
}

/**
 * An account's tokens, oldest first.
 * @param afterId empty for the first page
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
