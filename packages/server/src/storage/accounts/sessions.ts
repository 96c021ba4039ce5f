// Sessions of users who have signed in. The browser holds a token, the database its hash.

import { sql } from 'kysely';
import type { Role } from '../../content/role.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

export interface NewSession {
  readonly tokenHash: string;
  readonly userNo: number;
  readonly csrfToken: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly agent: string | null;
}

/** A session with the user that it is of. */
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

const insertRow = defineStatement(
  () => sql`insert into sessions (token_hash, user_no, csrf_token, created_at, expires_at, address, agent)
    values (${slot('tokenHash')}, ${slot('userNo')}, ${slot('csrfToken')}, ${slot('createdAt')}, ${slot('expiresAt')},
      ${slot('address')}, ${slot('agent')})`,
);
const selectRow = defineStatement(
  () => sql`select s.csrf_token, s.expires_at, u.no as user_no, u.id as user_id, u.email, u.name, u.role, u.account_no,
      u.suspended_at
    from sessions as s join users as u on u.no = s.user_no where s.token_hash = ${slot('hash')}`,
);
const deleteRow = defineStatement(() => sql`delete from sessions where token_hash = ${slot('hash')}`);
const deleteOfUser = defineStatement(() => sql`delete from sessions where user_no = ${slot('user')}`);
const deleteExpiredRows = defineStatement(() => sql`delete from sessions where expires_at <= ${slot('now')}`);

export function* insertSession(session: NewSession): Procedure<void> {
  yield* query(insertRow, { ...session });
}

export function* selectSession(tokenHash: string): Procedure<SessionRow | undefined> {
  return (yield* query<SessionRow>(selectRow, { hash: tokenHash }))[0];
}

export function* deleteSession(tokenHash: string): Procedure<void> {
  yield* query(deleteRow, { hash: tokenHash });
}

export function* deleteSessionsOf(userNo: number): Procedure<void> {
  yield* query(deleteOfUser, { user: userNo });
}

export function* deleteExpiredSessions(now: number): Procedure<void> {
  yield* query(deleteExpiredRows, { now });
}
