// Writes failed sign-ins to the audit log. The response does not wait for this: waiting for the write lock takes time, which would
// reveal that an email is known. A flood of failures cannot fill the disk: per hour, each network address gets one entry for each user
// and one for all unknown emails. Further failures are counted, and written at the end of the hour or when the service stops. Unknown
// emails are not stored, because people sometimes type their password into the wrong field.

import type { Logger } from 'pino';
import { buildEmailKey } from '../../content/text-rules.ts';
import { selectUser, type UserRow } from '../../storage/accounts/accounts.ts';
import { insertAuditEntry } from '../../storage/accounts/audit-entries.ts';
import { StorageFault } from '../../storage/engine.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Actor, GUEST_ACTOR } from '../actor.ts';
import { type AuditNote, buildAuditEntry } from '../audit-note.ts';
import { buildAddressKey } from './address-key.ts';
import { buildUserActor } from './sessions.ts';

const HOUR_MS = 60 * 60_000;
const WRITE_EVERY_MS = 30_000;
/** The maximum number of network addresses counted separately in an hour. Failures from any others are counted together. */
const MOST_ADDRESSES = 200;
const MOST_EMAILS_COUNTED = 1000;
/** The maximum number of tallies kept while the database is not writable. Further failures from any address are counted together. */
const MOST_WAITING = 1000;

export interface FailedSignIn {
  readonly email: string;
  /** Undefined if no user has this email. */
  readonly user: UserRow | undefined;
  readonly reason: 'wrong password' | 'suspended' | 'unknown email';
  readonly address: string;
}

/** Failures of one kind within an hour. */
interface Tally {
  readonly user: UserRow | undefined;
  readonly reason: FailedSignIn['reason'];
  /** Null if the tally covers several addresses. */
  readonly address: string | null;
  /** The emails of failed sign-ins that have not been written yet. */
  emails: Set<string>;
  unwritten: number;
  hasEntry: boolean;
}

interface Parts {
  readonly storage: Pick<Storage, 'writeUnseen'>;
  readonly now: () => number;
  readonly log: Logger;
}

export class FailedSignIns {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #hour = 0;
  #tallies = new Map<string, Tally>();
  /** Tallies from past hours that have not been written yet. */
  #finished: Tally[] = [];
  #writing: Promise<void> = Promise.resolve();
  #isWriteWaiting = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#write(), WRITE_EVERY_MS).unref();
  }

  note(failure: FailedSignIn): void {
    this.#beginHour();
    const tally = this.#findTally(failure);
    add(tally, { count: 1, emails: [buildEmailKey(failure.email)] });
    if (!tally.hasEntry) this.#write();
  }

  /** Resolves once everything has been written or writing has failed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#finishHour();
    await this.#write();
  }

  #beginHour(): void {
    const hour = Math.floor(this.#parts.now() / HOUR_MS);
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#finishHour();
  }

  #finishHour(): void {
    for (const tally of this.#tallies.values()) this.#finish(tally);
    this.#tallies = new Map();
  }

  #finish(tally: Tally): void {
    if (tally.unwritten === 0) return;
    if (this.#finished.length < MOST_WAITING) {
      this.#finished.push(tally);
      return;
    }
    const { user, reason } = tally;
    const alike = this.#finished.find(
      (one) => one.address === null && one.user?.id === user?.id && one.reason === reason,
    );
    const sum = alike ?? { ...tally, address: null, emails: new Set<string>(), unwritten: 0 };
    if (alike === undefined) this.#finished.push(sum);
    add(sum, { count: tally.unwritten, emails: tally.emails });
    tally.unwritten = 0;
  }

  #findTally({ user, reason, address }: FailedSignIn): Tally {
    const build = (from: string | null): Tally => {
      const key = JSON.stringify([user?.id ?? null, reason, from === null ? null : buildAddressKey(from)]);
      const known = this.#tallies.get(key);
      if (known !== undefined) return known;
      if (from !== null && this.#tallies.size >= MOST_ADDRESSES) return build(null);
      const tally = { user, reason, address: from, emails: new Set<string>(), unwritten: 0, hasEntry: false };
      this.#tallies.set(key, tally);
      return tally;
    };
    return build(address);
  }

  /**
   * Only one of these writes runs at a time, so other work never waits for more than one. The next write includes everything that has
   * accumulated.
   */
  #write(): Promise<void> {
    if (this.#isWriteWaiting) return this.#writing;
    this.#isWriteWaiting = true;
    this.#writing = this.#writing.then(() => {
      this.#isWriteWaiting = false;
      return this.#writeDue();
    });
    return this.#writing;
  }

  async #writeDue(): Promise<void> {
    this.#beginHour();
    const finished = this.#finished;
    this.#finished = [];
    const fresh = [...this.#tallies.values()].filter(({ hasEntry }) => !hasEntry);
    const due = [...finished, ...fresh.filter(({ unwritten }) => unwritten > 0)];
    if (due.length === 0) return;
    const counts = due.map((tally) => ({ tally, count: tally.unwritten, emails: tally.emails }));
    for (const { tally } of counts) {
      tally.unwritten = 0;
      tally.hasEntry = true;
      tally.emails = new Set();
    }
    try {
      await this.#parts.storage.writeUnseen(insertEntries(counts, this.#parts.now));
    } catch (error) {
      // The next write includes these failures again, along with any newer ones.
      for (const { tally, ...part } of counts) add(tally, part);
      for (const tally of fresh) tally.hasEntry = false;
      // The hour may have ended while the write was running.
      const current = new Set(this.#tallies.values());
      const waiting = new Set([...due, ...this.#finished].filter((tally) => !current.has(tally)));
      this.#finished = [];
      for (const tally of waiting) this.#finish(tally);
      // The write watch reports storage faults.
      if (error instanceof StorageFault) return;
      this.#parts.log.warn({ err: error }, 'failed sign-ins could not be written to the audit log');
    }
  }
}

interface Count {
  readonly tally: Tally;
  readonly count: number;
  readonly emails: ReadonlySet<string>;
}

function add(tally: Tally, { count, emails }: { readonly count: number; readonly emails: Iterable<string> }): void {
  tally.unwritten += count;
  for (const email of emails) if (tally.emails.size < MOST_EMAILS_COUNTED) tally.emails.add(email);
}

function* insertEntries(counts: readonly Count[], now: () => number): Procedure<void> {
  for (const counted of counts) {
    const { user } = counted.tally;
    // The user has since been deleted, so the log must not name them.
    if (user !== undefined && (yield* selectUser(user.account_no, user.id)) === undefined) continue;
    yield* insertAuditEntry(buildAuditEntry(buildActor(counted.tally), now(), buildNote(counted)));
  }
}

function buildActor({ user, address }: Tally): Actor {
  return user === undefined ? { ...GUEST_ACTOR, address } : buildUserActor(user, address);
}

function buildNote({ tally: { user, reason }, count, emails }: Count): AuditNote {
  const times = count === 1 ? {} : { count };
  if (user === undefined) return { action: 'user.sign_in_unknown', details: { reason, ...times, emails: emails.size } };
  const subject = { subjectId: user.id, subjectName: user.name };
  return { action: 'user.sign_in_failed', ...subject, details: { reason, ...times } };
}
