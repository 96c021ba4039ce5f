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
const selectOfAccount = defineStatement(
  () => sql`select ${columns} from users where account_no = ${slot('accountNo')} order by email_key`,
);
const selectAny = defineStatement(() => sql`select no from users limit 1`);
const updateRow = defineStatement(
  () => sql`update users set name = ${slot('name')}, role = ${slot('role')}, password_hash = ${slot('passwordHash')},
    suspended_at = ${slot('suspendedAt')}, last_sign_in_at = ${slot('lastSignInAt')}, updated_at = ${slot('now')}
    where no = ${slot('no')}`,
);

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

export function* selectUsers(accountNo: number): Procedure<readonly UserRow[]> {
  return yield* query<UserRow>(selectOfAccount, { accountNo });
}

/** Whether anybody at all can sign in yet. */
export function* hasUsers(): Procedure<boolean> {
  return (yield* query(selectAny)).length > 0;
}

export type UserChange = Pick<UserRow, 'name' | 'role' | 'password_hash' | 'suspended_at' | 'last_sign_in_at'>;

export function* updateUser(no: number, user: UserChange, now: number): Procedure<void> {
  yield* query(updateRow, {
    no,
    name: user.name,
    role: user.role,
    passwordHash: user.password_hash,
    suspendedAt: user.suspended_at,
    lastSignInAt: user.last_sign_in_at,
    now,
  });
}
