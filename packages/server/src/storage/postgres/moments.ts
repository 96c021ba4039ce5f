// Moments of the database. Each transaction that writes gives its moment a stamp, a number that no other moment has:
// it grows, and it is a time, so that no other history of the same database (a backup that was brought back, a replica
// that was promoted) has used it.

import { sql } from 'kysely';
import { StorageUnavailable } from '../engine.ts';
import { type Cells, defineStatement, type Procedure, query } from '../statement.ts';

/** Transactions that write come one at a time, over all nodes: each of them takes this lock first. */
const WRITER_LOCK = 7_190_113_206_514;
/** Says that there is a new moment; what is told is its stamp. A hint: nothing depends on its being heard. */
const MOMENT_CHANNEL = 'galley_moment';

/** Compiling a statement takes longer than any read of ours. */
const READ_LIMITS = { statement_timeout: '10s', idle_in_transaction_session_timeout: '60s', jit: 'off' };

/** All that readers ask for is a walk on indexes; where statistics are old or few, the planner may think otherwise. */
const WALKS_ONLY = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_sort: 'off',
  max_parallel_workers_per_gather: '0',
};

export const BEGIN_READING = buildBeginReading(READ_LIMITS);
export const BEGIN_REQUEST = buildBeginReading({ ...READ_LIMITS, ...WALKS_ONLY });
/** On a server that is no replica any more, there is no stamp. */
export const BEGIN_REPLICA_REQUEST = `${BEGIN_REQUEST} and pg_is_in_recovery()`;
/** For reads that take their time. */
export const BEGIN_SNAPSHOT = buildBeginReading({
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '10min',
});

/** The only cell that comes back is the stamp. */
function buildBeginReading(settings: Readonly<Record<string, string>>): string {
  // A column more costs the driver more than the setting costs the server.
  return `begin isolation level repeatable read read only;
    select stamp from database_moments where num_nulls(${buildSettings(settings)}) = 0`;
}

/** For the transaction alone: behind a pooler, the connection is somebody else's afterwards. */
function buildSettings(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ');
}

const WRITE_LIMITS = { statement_timeout: '0', idle_in_transaction_session_timeout: '60s' };

export function buildBeginWriting(longestWaitMs: number): string {
  return `begin;
    select num_nulls(${buildSettings({ ...WRITE_LIMITS, lock_timeout: String(longestWaitMs) })})`;
}

export const LOCK_WRITERS = `select pg_advisory_xact_lock(${WRITER_LOCK})`;

const MOVE_STAMP = `update database_moments
  set stamp = greatest(stamp + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`;

/** The only row has the stamp. */
export const COMMIT_MOMENT = `${MOVE_STAMP};
  with told as (select pg_notify('${MOMENT_CHANNEL}', stamp::text) from database_moments)
    select stamp from database_moments, told;
  commit`;

/** The moment keeps its stamp: nothing was written, or nothing that is remembered under one. */
export const COMMIT_UNSEEN = 'commit';

/** Whether the server follows another one stands beside the stamp. */
export const SELECT_MOMENT = 'select stamp, case when pg_is_in_recovery() then 1 else 0 end from database_moments';
export const LISTEN_FOR_MOMENTS = `listen ${MOMENT_CHANNEL}`;

export interface Moment {
  readonly stamp: number;
  readonly isStandby: boolean;
}

export function readMoment(rows: readonly Cells[]): Moment {
  return { stamp: readStamp(rows), isStandby: rows[0]?.[1] === 1 };
}

export function readStamp(rows: readonly Cells[]): number {
  const stamp = rows[0]?.[0];
  if (typeof stamp !== 'number') throw new StorageUnavailable('The database has no stamp yet');
  return stamp;
}

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
