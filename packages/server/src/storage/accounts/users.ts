// People who sign in. Their passwords are kept as hashes, their emails are theirs alone in the whole installation.

import { sql } from 'kysely';
import type { Role } from '../../content/role.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

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

const columns = sql.raw(`no, account_no, id, email, name, role, password_hash, created_at, updated_at, suspended_at,
  last_sign_in_at`);
const insertRow = defineStatement(
  () => sql`insert into users (account_no, id, email, email_key, name, role, password_hash, created_at, updated_at)
    values (${slot('accountNo')}, ${slot('id')}, ${slot('email')}, ${slot('emailKey')}, ${slot('name')}, ${slot('role')},
      ${slot('passwordHash')}, ${slot('now')}, ${slot('now')}) returning no`,
);
const selectByEmail = defineStatement(() => sql`select ${columns} from users where email_key = ${slot('emailKey')}`);
const selectById = defineStatement(
  () => sql`select ${columns} from users where account_no = ${slot('accountNo')} and id = ${slot('id')}`,
);
const selectPage = defineStatement(
  () => sql`select ${columns} from users where account_no = ${slot('accountNo')} and email_key > ${slot('after')}
    order by email_key limit ${slot('limit')} + 0`,
);
const countOwners = defineStatement(
  () => sql`select count(*) as count from users
    where account_no = ${slot('accountNo')} and role = 'owner' and suspended_at is null`,
);
const selectOfAccount = defineStatement(
  () => sql`select no from users where account_no = ${slot('accountNo')} limit 1`,
);
const selectAny = defineStatement(() => sql`select no from users limit 1`);
const updateRow = defineStatement(
  () => sql`update users set name = ${slot('name')}, role = ${slot('role')}, password_hash = ${slot('passwordHash')},
    suspended_at = ${slot('suspendedAt')}, updated_at = ${slot('now')}
    where no = ${slot('no')}`,
);
const updateSignIn = defineStatement(
  () => sql`update users set last_sign_in_at = ${slot('now')}, password_hash = ${slot('passwordHash')}
    where no = ${slot('no')}`,
);

const deleteRow = defineStatement(() => sql`delete from users where no = ${slot('no')}`);

export function* insertUser(user: NewUser): Procedure<number> {
  const [row] = yield* query<{ no: number }>(insertRow, { ...user });
  if (row === undefined) throw new Error('An insert returned no number');
  return row.no;
}

export function* selectUserByEmail(emailKey: string): Procedure<UserRow | undefined> {
  return (yield* query<UserRow>(selectByEmail, { emailKey }))[0];
}

export function* selectUser(accountNo: number, id: string): Procedure<UserRow | undefined> {
  return (yield* query<UserRow>(selectById, { accountNo, id }))[0];
}

/**
 * Users of an account in the order of their emails.
 * @param afterEmailKey empty for the first of them
 */
export function* selectUsers(accountNo: number, afterEmailKey: string, limit: number): Procedure<readonly UserRow[]> {
  return yield* query<UserRow>(selectPage, { accountNo, after: afterEmailKey, limit });
}

/** Whether anybody at all can sign in yet. */
export function* hasUsers(): Procedure<boolean> {
  return (yield* query(selectAny)).length > 0;
}

export function* hasUsersIn(accountNo: number): Procedure<boolean> {
  return (yield* query(selectOfAccount, { accountNo })).length > 0;
}

/** Those who can sign in. */
export function* countActiveOwners(accountNo: number): Procedure<number> {
  return (yield* query<{ count: number }>(countOwners, { accountNo }))[0]?.count ?? 0;
}

export type UserChange = Pick<UserRow, 'name' | 'role' | 'password_hash' | 'suspended_at'>;

export function* updateUser(no: number, user: UserChange, now: number): Procedure<void> {
  yield* query(updateRow, {
    no,
    name: user.name,
    role: user.role,
    passwordHash: user.password_hash,
    suspendedAt: user.suspended_at,
    now,
  });
}

/** @param passwordHash of the password that was just shown, made anew where it was of an older kind */
export function* markSignedIn(no: number, passwordHash: string, now: number): Procedure<void> {
  yield* query(updateSignIn, { no, passwordHash, now });
}

/** Their sessions must be deleted before. */
export function* deleteUser(no: number): Procedure<void> {
  yield* query(deleteRow, { no });
}
