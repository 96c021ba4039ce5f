// The audit log: who did what, when, and from where. An entry is added in the same transaction as the change that it records. Entries are
// changed only after a permanent deletion, when names and details are removed from them.

import { type RawBuilder, sql } from 'kysely';
import { defineStatement, type Procedure, query, type Statement, slot } from '../statement.ts';

export interface NewAuditEntry {
  readonly accountNo: number;
  readonly at: number;
  readonly actorKind: AuditEntryRow['actor_kind'];
  readonly actorId: string | null;
  readonly actorName: string;
  readonly address: string | null;
  /** Noun and verb, such as `content.publish`. */
  readonly action: string;
  readonly siteId: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** Encoded as JSON; null if there are none. */
  readonly details: string | null;
}

export interface AuditEntryRow {
  readonly no: number;
  readonly at: number;
  readonly actor_kind: 'user' | 'token' | 'command' | 'schedule' | 'guest';
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly address: string | null;
  readonly action: string;
  readonly site_id: string | null;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly details: string | null;
}

const insertRow = defineStatement(
  () => sql`insert into audit_entries (account_no, at, actor_kind, actor_id, actor_name, address, action, site_id,
      subject_id, subject_name, details)
    values (${slot('accountNo')}, ${slot('at')}, ${slot('actorKind')}, ${slot('actorId')}, ${slot('actorName')},
      ${slot('address')}, ${slot('action')}, ${slot('siteId')}, ${slot('subjectId')}, ${slot('subjectName')},
      ${slot('details')})`,
);

/** Each filter has its own index, so the log can be read without skipping over other entries. */
export interface AuditFilter {
  readonly by: 'action' | 'actor' | 'site';
  readonly value: string;
}

const selectAll = defineSelect(sql`1 = 1`);
const selectBy: Readonly<Record<AuditFilter['by'], Statement>> = {
  action: defineSelect(sql`action = ${slot('value')}`),
  actor: defineSelect(sql`actor_id = ${slot('value')}`),
  site: defineSelect(sql`site_id = ${slot('value')}`),
};

function defineSelect(condition: RawBuilder<unknown>): Statement {
  return defineStatement(
    () => sql`select no, at, actor_kind, actor_id, actor_name, address, action, site_id, subject_id, subject_name, details
      from audit_entries where account_no = ${slot('account')} and ${condition} and no < ${slot('before')}
      order by no desc limit ${slot('limit')} + 0`,
  );
}

const selectNext = defineStatement(
  () => sql`select no, at from audit_entries where account_no = ${slot('account')} and no >= ${slot('from')}
    order by no limit 1`,
);

export function* insertAuditEntry(entry: NewAuditEntry): Procedure<void> {
  yield* query(insertRow, { ...entry });
}

/** The entries before a given entry, newest first. */
export function* selectAuditEntries(
  accountNo: number,
  before: number | null,
  limit: number,
  filter?: AuditFilter,
): Procedure<readonly AuditEntryRow[]> {
  const page = { account: accountNo, before: before ?? Number.MAX_SAFE_INTEGER, limit };
  if (filter === undefined) return yield* query<AuditEntryRow>(selectAll, page);
  return yield* query<AuditEntryRow>(selectBy[filter.by], { ...page, value: filter.value });
}

/**
 * The value of `before` that selects the entries before a time. Entry numbers increase with time, so a binary search finds this value
 * in a few steps.
 */
export function* selectAuditPlace(accountNo: number, time: number): Procedure<number> {
  const [newest] = yield* selectAuditEntries(accountNo, null, 1);
  let [low, high] = [0, (newest?.no ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [entry] = yield* query<Pick<AuditEntryRow, 'no' | 'at'>>(selectNext, { account: accountNo, from: middle });
    if (entry === undefined || entry.at >= time) high = middle;
    else low = entry.no + 1;
  }
  return low;
}

/** Replaces the name of a deleted user. */
export const DELETED_USER = 'Deleted user';
const FORGOTTEN_AT_ONCE = 500;

/**
 * Selects the entries to change after a deletion. Data that could identify the deleted person or object is removed; the action and its
 * time are kept.
 */
export type Forgotten =
  | { readonly kind: 'actor' | 'token' | 'user'; readonly id: string }
  | { readonly kind: 'author' | 'content'; readonly siteId: string; readonly id: string }
  /** Entries whose details match the pattern. */
  | { readonly kind: 'failure'; readonly siteId: string; readonly pattern: string }
  | { readonly kind: 'site'; readonly siteId: string };

const withoutPerson = sql`actor_name = ${sql.lit(DELETED_USER)}, address = null`;
const withoutTexts = sql`subject_name = null, details = null`;
const isAbout = sql`subject_id = ${slot('id')}`;
const isOfSite = sql`site_id = ${slot('site')}`;

const forgets: Readonly<Record<Forgotten['kind'], { readonly select: Statement; readonly update: Statement }>> = {
  actor: defineForget(sql`actor_id = ${slot('id')}`, withoutPerson),
  // A token's name does not identify anybody, so it is kept.
  token: defineForget(sql`actor_id = ${slot('id')}`, sql`address = null`),
  user: defineForget(sql`${isAbout} and action like 'user.%'`, withoutTexts),
  author: defineForget(sql`${isAbout} and ${isOfSite} and action like 'author.%'`, withoutTexts),
  content: defineForget(
    sql`${isAbout} and ${isOfSite} and (action like 'content.%' or action like 'schedule.%')`,
    withoutTexts,
  ),
  failure: defineForget(
    sql`action = 'schedule.fail' and ${isOfSite} and details like ${slot('pattern')}`,
    sql`details = null`,
  ),
  site: defineForget(isOfSite, withoutTexts),
};

function defineForget(condition: RawBuilder<unknown>, change: RawBuilder<unknown>) {
  const isMeant = sql`account_no = ${slot('account')} and ${condition} and no > ${slot('after')}`;
  return {
    select: defineStatement(
      () => sql`select no from audit_entries where ${isMeant} order by no limit ${slot('limit')} + 0`,
    ),
    update: defineStatement(() => sql`update audit_entries set ${change} where ${isMeant} and no <= ${slot('last')}`),
  };
}

/**
 * Changes a batch of entries, oldest first.
 * @param after 0 for the first batch
 * @returns the start of the next batch; null if there are no more entries
 */
export function* forgetInAudit(accountNo: number, forgotten: Forgotten, after: number): Procedure<number | null> {
  const { select, update } = forgets[forgotten.kind];
  const values = {
    account: accountNo,
    after,
    ...('id' in forgotten && { id: forgotten.id }),
    ...('siteId' in forgotten && { site: forgotten.siteId }),
    ...('pattern' in forgotten && { pattern: forgotten.pattern }),
  };
  const rows = yield* query<{ no: number }>(select, { ...values, limit: FORGOTTEN_AT_ONCE });
  const last = rows.at(-1)?.no;
  if (last === undefined) return null;
  yield* query(update, { ...values, last });
  return rows.length < FORGOTTEN_AT_ONCE ? null : last;
}
