// Leases for work that only one process does at a time. A process that stops without releasing its lease loses it when the lease ends.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

const takeRow = defineStatement(
  () => sql`insert into leases (name, holder, until) values (${slot('name')}, ${slot('holder')}, ${slot('until')})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where leases.holder = excluded.holder or leases.until <= ${slot('now')} or leases.until > ${slot('latest')}
    returning name`,
);
const deleteRow = defineStatement(
  () => sql`delete from leases where name = ${slot('name')} and holder = ${slot('holder')}`,
);

/**
 * No lease lasts this long. If a lease seems to last this long, it was taken by a process whose clock was wrong, so it is ignored.
 */
const MOST_MS = 10 * 60_000;

/** Takes or renews a lease. Returns false if another process holds it. */
export function* takeLease(name: string, holder: string, now: number, ms: number): Procedure<boolean> {
  return (yield* query(takeRow, { name, holder, now, latest: now + MOST_MS, until: now + ms })).length > 0;
}

/** Has no effect if another process has taken over the lease. */
export function* releaseLease(name: string, holder: string): Procedure<void> {
  yield* query(deleteRow, { name, holder });
}

const selectRow = defineStatement(() => sql`select holder, until from leases where name = ${slot('name')}`);

export interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** The lease may have ended. */
export function* selectLease(name: string): Procedure<Lease | undefined> {
  return (yield* query<Lease>(selectRow, { name }))[0];
}

/** Whether `takeLease` would return false. */
export function isHeldElsewhere(lease: Lease | undefined, holder: string, now: number): boolean {
  return lease !== undefined && lease.holder !== holder && lease.until > now && lease.until <= now + MOST_MS;
}
