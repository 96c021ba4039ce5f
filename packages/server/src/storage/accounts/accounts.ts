// Accounts own sites, users and keys. What belongs to one account is not there for another.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** The account that every installation has. */
export const MAIN_ACCOUNT_NO = 1;

export interface AccountRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

const columns = sql.raw('no, id, name, created_at');
const selectByNo = defineStatement(() => sql`select ${columns} from accounts where no = ${slot('no')}`);
const selectById = defineStatement(() => sql`select ${columns} from accounts where id = ${slot('id')}`);
const insertRow = defineStatement(
  () => sql`insert into accounts (id, name, created_at) values (${slot('id')}, ${slot('name')}, ${slot('now')})
    returning no`,
);
const updateName = defineStatement(() => sql`update accounts set name = ${slot('name')} where no = ${slot('no')}`);

export function* selectAccount(no: number): Procedure<AccountRow | undefined> {
  return (yield* query<AccountRow>(selectByNo, { no }))[0];
}

export function* selectAccountById(id: string): Procedure<AccountRow | undefined> {
  return (yield* query<AccountRow>(selectById, { id }))[0];
}

export function* insertAccount(id: string, name: string, now: number): Procedure<number> {
  const [row] = yield* query<{ no: number }>(insertRow, { id, name, now });
  if (row === undefined) throw new Error('An insert returned no number');
  return row.no;
}

export function* renameAccount(no: number, name: string): Procedure<void> {
  yield* query(updateName, { no, name });
}
