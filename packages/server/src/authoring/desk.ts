// Where authors' work is done: one transaction that changes something and tells the audit log about it. When it has
// ended, readers see it; when anything in it fails, nothing has happened.

import {
  insertAuditEntry,
  isTokenLive,
  type Procedure,
  type Storage,
  selectManagementToken,
  selectUser,
  type Transaction,
} from '../storage/port.ts';
import type { Actor } from './actor.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';
import { type CleanedTexts, withCleanTexts } from './clean-texts.ts';

/** What work needs of the world. */
export interface Desk {
  readonly storage: Storage;
  readonly now: () => number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /**
   * Refuses the work that must not be done. It runs first in every transaction. Work that looks at what is there before its
   * transaction runs it before that, too, once it has found the thing: no other refusal hides this one.
   */
  readonly precondition?: (job: Pick<Job, 'run'>) => Promise<void>;
}

export interface AuditNote {
  /** Noun and verb, like `content.publish`. */
  readonly action: string;
  readonly siteId?: string;
  readonly subjectId?: string;
  /** What the subject is called now. */
  readonly subjectName?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One piece of work, inside its transaction. */
export interface Job {
  readonly actor: Actor;
  readonly now: number;
  readonly newUuid: () => string;
  readonly randomBytes: (count: number) => Buffer;
  /** HTML that was cleaned for this work. */
  readonly cleaned: CleanedTexts;
  run<Outcome>(procedure: Procedure<Outcome>): Promise<Outcome>;
  /** Tells the audit log; kept only together with the work itself. */
  note(entry: AuditNote): Promise<void>;
}

export function work<Outcome>(desk: Desk, actor: Actor, task: (job: Job) => Promise<Outcome>): Promise<Outcome> {
  return withCleanTexts((cleaned) =>
    desk.storage.transaction(async (transaction) => {
      const job = { ...openJob(desk, actor, transaction), cleaned };
      await refuseEnded(job);
      await desk.precondition?.(job);
      return task(job);
    }),
  );
}

/** For a user who has not signed in yet, and may not be there. */
export function workAsGuest<Outcome>(desk: Desk, actor: Actor, task: (job: Job) => Promise<Outcome>): Promise<Outcome> {
  return desk.storage.transaction((transaction) => task(openJob(desk, actor, transaction)));
}

/** While the work waited for its turn, the user may have been deleted, or the token revoked: then it must not be done. */
async function refuseEnded({ actor, now, run }: Job): Promise<void> {
  const { kind, accountNo, id } = actor;
  if (id === null) return;
  if (kind === 'user' && (await run(selectUser(accountNo, id))) === undefined) {
    throw new AuthoringRefusal('This user was deleted.', { reason: 'forbidden' });
  }
  if (kind === 'token') {
    const token = await run(selectManagementToken(accountNo, id));
    if (token !== undefined && isTokenLive(token, now)) return;
    throw new AuthoringRefusal('This token was revoked or has expired.', { reason: 'forbidden' });
  }
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
    cleaned: new Map(),
    run: (procedure) => transaction.run(procedure),
    note: (entry) => transaction.run(insertAuditEntry(buildEntry(actor, now, entry))),
  };
}

function buildEntry(actor: Actor, now: number, note: AuditNote): Parameters<typeof insertAuditEntry>[0] {
  return {
    accountNo: actor.accountNo,
    at: now,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    address: actor.address,
    action: note.action,
    siteId: note.siteId ?? null,
    subjectId: note.subjectId ?? null,
    subjectName: note.subjectName ?? null,
    details: note.details === undefined ? null : JSON.stringify(note.details),
  };
}
