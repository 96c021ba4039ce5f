// Moments of the database. Each transaction that writes gives its moment a stamp, a number that no other moment has:
// it grows, and it is a time, so that no other history of the same database (a backup that was brought back, a replica
// that was promoted) has used it.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query } from '../statement.ts';

/** Transactions that write come one at a time, over all nodes: each of them takes this lock first. */
const WRITER_LOCK = 7_190_113_206_514;
/** Says that there is a new moment; what is told is its stamp. A hint: nothing depends on its being heard. */
const MOMENT_CHANNEL = 'galley_moment';

const READ_LIMITS = [
  `set_config('statement_timeout', '10s', true)`,
  `set_config('idle_in_transaction_session_timeout', '60s', true)`,
].join(', ');

/**
 * Limits are set for the transaction alone: behind a pooler, the connection is somebody else's afterwards.
 * The first cell of the row is the stamp.
 */
export const BEGIN_READING = `begin isolation level repeatable read read only;
  select stamp, ${READ_LIMITS} from database_moments`;

/** For reads that take their time. */
export const BEGIN_SNAPSHOT = `begin isolation level repeatable read read only;
  select stamp, set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '10min', true) from database_moments`;

export function buildBeginWriting(longestWaitMs: number): string {
  return `begin;
    select set_config('lock_timeout', '${longestWaitMs}', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '60s', true);
    select pg_advisory_xact_lock(${WRITER_LOCK})`;
}

const MOVE_STAMP = `update database_moments
  set stamp = greatest(stamp + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`;

/** The only row has the stamp. */
export const COMMIT_MOMENT = `${MOVE_STAMP};
  with told as (select pg_notify('${MOMENT_CHANNEL}', stamp::text) from database_moments)
    select stamp from database_moments, told;
  commit`;

const createTable = defineStatement(
  () => sql`create table if not exists database_moments (
    no integer primary key check (no = 1), stamp bigint not null
  )`,
);
const insertFirst = defineStatement(
  () => sql`insert into database_moments (no, stamp) values (1, 1) on conflict (no) do nothing`,
);

/** To be run before anything else in the transaction that creates the schema. */
export function* createMoments(): Procedure<void> {
  yield* query(createTable);
  yield* query(insertFirst);
}
