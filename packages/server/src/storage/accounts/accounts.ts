// Accounts, the users who sign in to them, and their sessions. An account owns sites, users and keys, and has no access to other
// accounts. An email address is unique across the whole installation. Passwords and session tokens are stored only as hashes.

import { sql } from 'kysely';
import type { Role } from '../../content/role.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** The account that exists in every installation. */
export const MAIN_ACCOUNT_NO = 1;

export interface AccountRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

const accountColumns = sql.raw('no, id, name, created_at');
const selectAccountRow = defineStatement(() => sql`select ${accountColumns} from accounts where no = ${slot('no')}`);
const selectAccountRowById = defineStatement(
  () => sql`select ${accountColumns} from accounts where id = ${slot('id')}`,
);
const insertAccountRow = defineStatement(
  () => sql`insert into accounts (id, name, created_at) values (${slot('id')}, ${slot('name')}, ${slot('now')})
    returning no`,
);
const updateAccountName = defineStatement(
  () => sql`update accounts set name = ${slot('name')} where no = ${slot('no')}`,
);

export function* selectAccount(no: number): Procedure<AccountRow | undefined> {
  return (yield* query<AccountRow>(selectAccountRow, { no }))[0];
}

export function* selectAccountById(id: string): Procedure<AccountRow | undefined> {
  return (yield* query<AccountRow>(selectAccountRowById, { id }))[0];
}

export function* insertAccount(id: string, name: string, now: number): Procedure<number> {
  const [row] = yield* query<{ no: number }>(insertAccountRow, { id, name, now });
  if (row === undefined) throw new Error('The insert returned no number');
  return row.no;
}

export function* renameAccount(no: number, name: string): Procedure<void> {
  yield* query(updateAccountName, { no, name });
}

export interface UserRow {
  readonly no: number;
  readonly account_no: number;
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password_hash: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly suspended_at: number | null;
  readonly last_sign_in_at: number | null;
}

export interface NewUser {
  readonly accountNo: number;
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly now: number;
}

const userColumns = sql.raw(`no, account_no, id, email, name, role, password_hash, created_at, updated_at, suspended_at,
  last_sign_in_at`);
const insertUserRow = defineStatement(
  () => sql`insert into users (account_no, id, email, email_key, name, role, password_hash, created_at, updated_at)
    values (${slot('accountNo')}, ${slot('id')}, ${slot('email')}, ${slot('emailKey')}, ${slot('name')}, ${slot('role')},
      ${slot('passwordHash')}, ${slot('now')}, ${slot('now')}) returning no`,
);
const selectUserRowByEmail = defineStatement(
  () => sql`select ${userColumns} from users where email_key = ${slot('emailKey')}`,
);
const selectUserRow = defineStatement(
  () => sql`select ${userColumns} from users where account_no = ${slot('accountNo')} and id = ${slot('id')}`,
);
const selectUserPage = defineStatement(
  () => sql`select ${userColumns} from users where account_no = ${slot('accountNo')} and email_key > ${slot('after')}
    order by email_key limit ${slot('limit')} + 0`,
);
const countOwners = defineStatement(
  () => sql`select count(*) as count from users
    where account_no = ${slot('accountNo')} and role = 'owner' and suspended_at is null`,
);
const selectAnyUserIn = defineStatement(
  () => sql`select no from users where account_no = ${slot('accountNo')} limit 1`,
);
const selectAnyUser = defineStatement(() => sql`select no from users limit 1`);
const updateUserRow = defineStatement(
  () => sql`update users set name = ${slot('name')}, role = ${slot('role')}, password_hash = ${slot('passwordHash')},
    suspended_at = ${slot('suspendedAt')}, updated_at = ${slot('now')}
    where no = ${slot('no')}`,
);
const updateSignIn = defineStatement(
  () => sql`update users set last_sign_in_at = ${slot('now')}, password_hash = ${slot('passwordHash')}
    where no = ${slot('no')}`,
);

const deleteUserRow = defineStatement(() => sql`delete from users where no = ${slot('no')}`);

export function* insertUser(user: NewUser): Procedure<number> {
  const [row] = yield* query<{ no: number }>(insertUserRow, { ...user });
  if (row === undefined) throw new Error('The insert returned no number');
  return row.no;
}

export function* selectUserByEmail(emailKey: string): Procedure<UserRow | undefined> {
  return (yield* query<UserRow>(selectUserRowByEmail, { emailKey }))[0];
}

export function* selectUser(accountNo: number, id: string): Procedure<UserRow | undefined> {
  return (yield* query<UserRow>(selectUserRow, { accountNo, id }))[0];
}

/**
 * The users in an account, sorted by email.
 * @param afterEmailKey empty for the first page
 */
export function* selectUsers(accountNo: number, afterEmailKey: string, limit: number): Procedure<readonly UserRow[]> {
  return yield* query<UserRow>(selectUserPage, { accountNo, after: afterEmailKey, limit });
}

/** Whether any user exists yet. */
export function* hasUsers(): Procedure<boolean> {
  return (yield* query(selectAnyUser)).length > 0;
}

export function* hasUsersIn(accountNo: number): Procedure<boolean> {
  return (yield* query(selectAnyUserIn, { accountNo })).length > 0;
}

/** Owners who can sign in. */
export function* countActiveOwners(accountNo: number): Procedure<number> {
  return (yield* query<{ count: number }>(countOwners, { accountNo }))[0]?.count ?? 0;
}

export type UserChange = Pick<UserRow, 'name' | 'role' | 'password_hash' | 'suspended_at'>;

export function* updateUser(no: number, user: UserChange, now: number): Procedure<void> {
  yield* query(updateUserRow, {
    no,
    name: user.name,
    role: user.role,
    passwordHash: user.password_hash,
    suspendedAt: user.suspended_at,
    now,
  });
}

/** @param passwordHash the stored hash, or a new hash of the same password if the stored one used an older algorithm */
export function* markSignedIn(no: number, passwordHash: string, now: number): Procedure<void> {
  yield* query(updateSignIn, { no, passwordHash, now });
}

/** The user's sessions must be deleted first. */
export function* deleteUser(no: number): Procedure<void> {
  yield* query(deleteUserRow, { no });
}

export interface NewSession {
  readonly tokenHash: string;
  readonly userNo: number;
  readonly csrfToken: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly agent: string | null;
}

/** A session with its user. */
export interface SessionRow {
  readonly csrf_token: string;
  readonly expires_at: number;
  readonly user_no: number;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly account_no: number;
  readonly suspended_at: number | null;
}

const insertSessionRow = defineStatement(
  () => sql`insert into sessions (token_hash, user_no, csrf_token, created_at, expires_at, address, agent)
    values (${slot('tokenHash')}, ${slot('userNo')}, ${slot('csrfToken')}, ${slot('createdAt')}, ${slot('expiresAt')},
      ${slot('address')}, ${slot('agent')})`,
);
const selectSessionRow = defineStatement(
  () => sql`select s.csrf_token, s.expires_at, u.no as user_no, u.id as user_id, u.email, u.name, u.role, u.account_no,
      u.suspended_at
    from sessions as s join users as u on u.no = s.user_no where s.token_hash = ${slot('hash')}`,
);
const deleteSessionRow = defineStatement(() => sql`delete from sessions where token_hash = ${slot('hash')}`);
const deleteSessionRowsOf = defineStatement(() => sql`delete from sessions where user_no = ${slot('user')}`);
const deleteExpiredRows = defineStatement(() => sql`delete from sessions where expires_at <= ${slot('now')}`);

export function* insertSession(session: NewSession): Procedure<void> {
  yield* query(insertSessionRow, { ...session });
}

export function* selectSession(tokenHash: string): Procedure<SessionRow | undefined> {
  return (yield* query<SessionRow>(selectSessionRow, { hash: tokenHash }))[0];
}

export function* deleteSession(tokenHash: string): Procedure<void> {
  yield* query(deleteSessionRow, { hash: tokenHash });
}

export function* deleteSessionsOf(userNo: number): Procedure<void> {
  yield* query(deleteSessionRowsOf, { user: userNo });
}

export function* deleteExpiredSessions(now: number): Procedure<void> {
  yield* query(deleteExpiredRows, { now });
}
