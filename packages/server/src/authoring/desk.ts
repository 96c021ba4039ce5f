// Every operation that changes something is one transaction, which also writes the audit log. Once it is committed, readers see the
// change. If anything in it fails, nothing changes.

import { mayGrant } from '../content/role.ts';
import { selectUser } from '../storage/accounts/accounts.ts';
import { insertAuditEntry } from '../storage/accounts/audit-entries.ts';
import { findTokenState, selectManagementToken } from '../storage/accounts/management-tokens.ts';
import type { Transaction } from '../storage/engine.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Actor } from './actor.ts';
import { type AuditNote, buildAuditEntry } from './audit-note.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';
import { NOTHING_PREPARED, type Prepared, type Preparing, withPrepared } from './prepare-work.ts';

/** The external dependencies of operations: storage, time and randomness. */
export interface Desk extends Preparing {
  readonly now: () => number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /**
   * Refuses operations that are not allowed. It runs first in every transaction. An operation that reads before its transaction must
   * also call this function as soon as the object is found, because this refusal takes precedence over all others.
   */
  readonly precondition?: (job: Pick<Job, 'run'> & Partial<Pick<Job, 'prepared'>>) => Promise<void>;
  /** Removes files from the store soon after the transaction, unless something needs them. */
  readonly releaseFiles?: (digests: readonly string[]) => void;
  /** Whether the public URL of the service is set (`GALLEY_PUBLIC_URL`). */
  readonly hasPublicUrl?: boolean;
  /** Set if a transaction is already open. The code that opened it runs the missing long steps and restarts the operation. */
  readonly prepared?: Prepared | undefined;
}

/** One operation, inside its transaction. */
export interface Job {
  readonly actor: Actor;
  readonly now: number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /** The results of the long steps that were run for this operation. */
  readonly prepared: Prepared;
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /** Writes to the audit log, in the same transaction as the operation. */
  note(entry: AuditNote): Promise<void>;
  /** Releases the files of deleted assets. */
  releaseFiles(digests: readonly string[]): void;
}

export function work<Outcome>(desk: Desk, actor: Actor, task: (job: Job) => Promise<Outcome>): Promise<Outcome> {
  return prepareAt(desk, actor, (prepared) =>
    desk.storage.transaction(async (transaction) => {
      const job = { ...openJob(desk, actor, transaction), prepared };
      await refuseEnded(job);
      await desk.precondition?.(job);
      return task(job);
    }),
  );
}

/** Runs the task with the results of its long steps. The task may be run several times. */
export function prepareAt<Outcome>(
  desk: Desk,
  actor: Actor,
  task: (prepared: Prepared) => Promise<Outcome>,
): Promise<Outcome> {
  return desk.prepared === undefined ? withPrepared(desk, actor, task) : task(desk.prepared);
}

/** Runs an operation for somebody who has not signed in and may not have an account. */
export function workAsGuest<Outcome>(desk: Desk, actor: Actor, task: (job: Job) => Promise<Outcome>): Promise<Outcome> {
  return desk.storage.transaction((transaction) => task(openJob(desk, actor, transaction)));
}

/** The actor may have lost the right to perform the operation while the operation was waiting. */
async function refuseEnded(job: Job): Promise<void> {
  const { kind, id } = job.actor;
  if (id === null) return;
  const loss = kind === 'user' ? await findUserLoss(job, id) : await findTokenLoss(job, id);
  if (loss !== undefined) throw new AuthoringRefusal(loss, { reason: 'forbidden' });
}

async function findUserLoss({ actor, run }: Job, id: string): Promise<string | undefined> {
  const user = await run(selectUser(actor.accountNo, id));
  if (user === undefined) return 'This user was deleted.';
  if (user.suspended_at !== null) return 'This user was suspended.';
  return mayGrant(user.role, actor.role) ? undefined : 'Your role has changed. Try again.';
}

async function findTokenLoss({ actor, now, run }: Job, id: string): Promise<string | undefined> {
  const token = await run(selectManagementToken(actor.accountNo, id));
  const state = token === undefined ? 'revoked' : findTokenState(token, now);
  if (state === 'suspended') return 'The user who created this token is suspended or no longer has the token’s role.';
  return state === 'active' ? undefined : 'This token was revoked or has expired.';
}

/** Starts an operation as part of a larger transaction. */
export function openJob(desk: Omit<Desk, 'storage'>, actor: Actor, transaction: Transaction): Job {
  const { newUuid, randomBytes, releaseFiles = () => {} } = desk;
  // Read the time here, inside the transaction, which may have had to wait for others.
  const now = desk.now();
  return {
    actor,
    now,
    newUuid,
    randomBytes,
    prepared: NOTHING_PREPARED,
    run: (procedure) => transaction.run(procedure),
    note: (entry) => transaction.run(insertAuditEntry(buildAuditEntry(actor, now, entry))),
    releaseFiles,
  };
}

/** Reads on behalf of an actor, inside or outside an operation. */
export type Reader = Pick<Job, 'actor' | 'run'>;

/** For reading only. Each procedure sees the newest data, so reads that must be consistent with each other belong in one procedure. */
export function openReader({ storage }: Desk, actor: Actor): Reader {
  return { actor, run: (procedure) => storage.read(procedure) };
}
