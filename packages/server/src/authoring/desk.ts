// Where authors' work is done: one transaction that changes something and tells the audit log about it. When it has
// ended, readers see it; when anything in it fails, nothing has happened.

import { mayGrant } from '../content/role.ts';
import {
  findTokenState,
  insertAuditEntry,
  type Procedure,
  selectManagementToken,
  selectUser,
  type Transaction,
} from '../storage/port.ts';
import type { Actor } from './actor.ts';
import { type AuditNote, buildAuditEntry } from './audit-note.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';
import { NOTHING_PREPARED, type Prepared, type Preparing, withPrepared } from './prepare-work.ts';

/** What work needs of the world. */
export interface Desk extends Preparing {
  readonly now: () => number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /**
   * Refuses the work that must not be done. It runs first in every transaction. Work that looks at what is there before its
   * transaction runs it before that, too, once it has found the thing: no other refusal hides this one.
   */
  readonly precondition?: (job: Pick<Job, 'run'> & Partial<Pick<Job, 'prepared'>>) => Promise<void>;
  /** Set where a transaction is open already: whoever opened it prepares what is missing and starts the work again. */
  readonly prepared?: Prepared | undefined;
}

/** One piece of work, inside its transaction. */
export interface Job {
  readonly actor: Actor;
  readonly now: number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /** The long steps that were done for this work. */
  readonly prepared: Prepared;
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /** Tells the audit log; kept only together with the work itself. */
  note(entry: AuditNote): Promise<void>;
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

/** Runs the task with what was prepared for it. The task may run several times. */
export function prepareAt<Outcome>(
  desk: Desk,
  actor: Actor,
  task: (prepared: Prepared) => Promise<Outcome>,
): Promise<Outcome> {
  return desk.prepared === undefined ? withPrepared(desk, actor, task) : task(desk.prepared);
}

/** For a user who has not signed in yet, and may not be there. */
export function workAsGuest<Outcome>(desk: Desk, actor: Actor, task: (job: Job) => Promise<Outcome>): Promise<Outcome> {
  return desk.storage.transaction((transaction) => task(openJob(desk, actor, transaction)));
}

/** While the work waited for its turn, the actor may have lost the right to do it: then it must not be done. */
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
  if (state === 'suspended') return 'The user who created this token is suspended or no longer has its role.';
  return state === 'active' ? undefined : 'This token was revoked or has expired.';
}

/** A piece of work as part of a larger transaction. */
export function openJob(desk: Omit<Desk, 'storage'>, actor: Actor, transaction: Transaction): Job {
  const { newUuid, randomBytes } = desk;
  // Read inside: the transaction may have waited for others.
  const now = desk.now();
  return {
    actor,
    now,
    newUuid,
    randomBytes,
    prepared: NOTHING_PREPARED,
    run: (procedure) => transaction.run(procedure),
    note: (entry) => transaction.run(insertAuditEntry(buildAuditEntry(actor, now, entry))),
  };
}

/** What looks things up for an actor, inside a piece of work or without one. */
export type Reader = Pick<Job, 'actor' | 'run'>;

/** For what changes nothing: every look-up sees the newest data, so what belongs together must be one procedure. */
export function openReader({ storage }: Desk, actor: Actor): Reader {
  return { actor, run: (procedure) => storage.read(procedure) };
}
