// The outcomes of calls with an `Idempotency-Key`, kept for as long as clients may retry the calls.

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';

/** Identifies a call by its caller and its key. */
export interface CallName {
  readonly accountNo: number;
  readonly actorId: string;
  readonly keyHash: string;
}

export interface MadeCall {
  /**
   * A digest of the request, keyed with the idempotency key. Without that key, nobody can use the digest to guess a password that the
   * request contains.
   */
  readonly digest: string;
  readonly status: number;
  readonly etag: string | null;
  /** The body as it was sent; null if the response has no body. */
  readonly body: string | null;
  /** Whether the response can be sent again. */
  readonly isKept: boolean;
  readonly madeAt: number;
}

interface CallRow {
  readonly digest: string;
  readonly status: number;
  readonly etag: string | null;
  readonly body: string | null;
  readonly is_kept: number;
  readonly made_at: number;
}

const selectRow = defineStatement(
  () => sql`select digest, status, etag, body, is_kept, made_at from idempotent_calls
    where account_no = ${slot('accountNo')} and actor_id = ${slot('actorId')} and key_hash = ${slot('keyHash')}
      and made_at > ${slot('after')}`,
);
const selectOldRow = defineStatement(
  () => sql`select 1 as found from idempotent_calls where made_at <= ${slot('before')} limit 1`,
);
const deleteOldRows = defineStatement(() => sql`delete from idempotent_calls where made_at <= ${slot('before')}`);
const insertRow = defineStatement(
  () => sql`insert into idempotent_calls
      (account_no, actor_id, key_hash, digest, status, etag, body, is_kept, made_at)
    values (${slot('accountNo')}, ${slot('actorId')}, ${slot('keyHash')}, ${slot('digest')}, ${slot('status')},
      ${slot('etag')}, ${slot('body')}, ${slot('isKept')}, ${slot('madeAt')})`,
);
const forgetBodies = defineStatement(
  () => sql`update idempotent_calls set body = null, is_kept = 0
    where account_no = ${slot('accountNo')} and body is not null`,
);
const deleteOfActor = defineStatement(
  () => sql`delete from idempotent_calls where account_no = ${slot('accountNo')} and actor_id = ${slot('actorId')}`,
);

/** @param after only calls made after this time are returned */
export function* selectCall({ accountNo, actorId, keyHash }: CallName, after: number): Procedure<MadeCall | undefined> {
  const [row] = yield* query<CallRow>(selectRow, { accountNo, actorId, keyHash, after });
  if (row === undefined) return undefined;
  const { digest, status, etag, body, is_kept, made_at } = row;
  return { digest, status, etag, body, isKept: is_kept === 1, madeAt: made_at };
}

/** @param before calls made up to this time are deleted */
export function* insertCall(name: CallName, { isKept, ...call }: MadeCall, before: number): Procedure<void> {
  yield* deleteCallsBefore(before);
  yield* query(insertRow, { ...name, ...call, isKept: isKept ? 1 : 0 });
}

export function* hasCallsBefore(before: number): Procedure<boolean> {
  return (yield* query(selectOldRow, { before })).length > 0;
}

export function* deleteCallsBefore(before: number): Procedure<void> {
  yield* query(deleteOldRows, { before });
}

/** Deletes saved responses, since any of them may contain permanently deleted data. Even so, a retried call is not carried out again. */
export function* forgetAnswers(accountNo: number): Procedure<void> {
  yield* query(forgetBodies, { accountNo });
}

export function* deleteCallsOf(accountNo: number, actorId: string): Procedure<void> {
  yield* query(deleteOfActor, { accountNo, actorId });
}

/** No account has this number. */
const NOBODY = { accountNo: 0, actorId: '', keyHash: '' };
/** Too many bytes to fit in a partly filled page. They are random, because some engines would compress anything else. */
const TRIAL_BYTES = 16 * 1024;

/** Tests whether the database can be written to: inserts data that needs disk space, and deletes it again. */
export function* tryWriting(): Procedure<void> {
  const body = randomBytes(TRIAL_BYTES).toString('hex');
  yield* query(insertRow, { ...NOBODY, digest: '', status: 0, etag: null, body, isKept: 0, madeAt: 0 });
  yield* query(deleteOfActor, NOBODY);
}
