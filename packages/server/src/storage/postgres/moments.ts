// A moment is a state of the database. Each writing transaction creates a new moment and assigns it a stamp, which is a unique number.
// Stamps are increasing timestamps, so no other copy of the database (a restored backup, a promoted replica) has used them.

import { sql } from 'kysely';
import { StorageUnavailable } from '../engine.ts';
import { type Cells, defineStatement, type Procedure, query } from '../statement.ts';
import {
  buildSettings,
  KEPT_PLAN_SETTINGS,
  READ_SETTINGS,
  REQUEST_SETTINGS,
  type Settings,
  SNAPSHOT_SETTINGS,
} from './session.ts';

/** Only one transaction writes at a time, across all nodes. Each writing transaction acquires this lock first. */
const WRITER_LOCK = 7_190_113_206_514;
/** An import also acquires this lock, so other writers can tell that they are waiting for an import. */
const IMPORT_LOCK = 7_190_113_206_515;
/** Announces a new moment and its stamp. The announcement is only a hint; nothing depends on it. */
const MOMENT_CHANNEL = 'galley_moment';

/** The SQL that begins one kind of read. */
export interface Beginning {
  /** For any connection. */
  readonly anywhere: string;
  /** Used on a connection that already has the settings for requests. */
  readonly inSession: string;
}

const BEGIN_AT_ONE_MOMENT = 'begin isolation level repeatable read read only';

export const BEGIN_READING = buildBeginReading(READ_SETTINGS);
export const BEGIN_SNAPSHOT = buildBeginReading(SNAPSHOT_SETTINGS);

/** The stamp is the only cell of this query's result. */
export const SELECT_STAMP = 'select stamp from database_moments';

export const BEGIN_REQUEST: Beginning = {
  anywhere: buildBeginReading(REQUEST_SETTINGS),
  inSession: `${BEGIN_AT_ONE_MOMENT}; ${SELECT_STAMP}`,
};
/** Returns no stamp if the server is no longer a replica. */
export const BEGIN_REPLICA_REQUEST: Beginning = {
  anywhere: `${BEGIN_REQUEST.anywhere} and pg_is_in_recovery()`,
  inSession: `${BEGIN_REQUEST.inSession} where pg_is_in_recovery()`,
};

/**
 * The stamp is the only cell of this query's result.
 * @param settings the settings for this transaction only: behind a pooler, other clients use the connection afterwards
 */
function buildBeginReading(settings: Settings): string {
  // The settings are changed in the condition, because the driver takes longer to read an additional column.
  return `${BEGIN_AT_ONE_MOMENT};
    select stamp from database_moments where ${buildSettings(settings)} = 0`;
}

const WRITE_LIMITS = { statement_timeout: '0', idle_in_transaction_session_timeout: '60s' };

/**
 * The lock timeout is at least 1, because in PostgreSQL a timeout of 0 means no limit.
 * @param keepsPlans whether statements may be planned once for all transactions on the connection
 */
export function buildBeginWriting(longestWaitMs: number, keepsPlans = false): string {
  const limits = { ...WRITE_LIMITS, lock_timeout: String(Math.max(1, Math.ceil(longestWaitMs))) };
  return `begin; select ${buildSettings(keepsPlans ? { ...limits, ...KEPT_PLAN_SETTINGS } : limits)}`;
}

export const LOCK_WRITERS = `select pg_advisory_xact_lock(${WRITER_LOCK})`;

export const LOCK_IMPORTS = `select pg_advisory_xact_lock(${IMPORT_LOCK})`;

/** Returns a single cell, which is 1 if an import is running in another transaction. */
export const SELECT_IMPORT = `select case when pg_try_advisory_xact_lock_shared(${IMPORT_LOCK}) then 0 else 1 end`;

const MOVE_STAMP = `update database_moments
  set stamp = greatest(stamp + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`;

/** Returns a single row with the new stamp. */
export const COMMIT_MOMENT = `${MOVE_STAMP};
  with told as (select pg_notify('${MOMENT_CHANNEL}', stamp::text) from database_moments)
    select stamp from database_moments, told;
  commit`;

/** Ends a transaction whose data is never cached under a stamp. The stamp does not change. */
export const COMMIT_UNSEEN = 'commit';

/** Returns the stamp, and whether the server is a replica. */
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

/** Must run first in the transaction that creates the schema. */
export function* createMoments(): Procedure<void> {
  yield* query(createTable);
  yield* query(insertFirst);
}
