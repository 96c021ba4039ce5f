// Sends webhook calls. Every process has a sender, and a lease in the database decides which one is active. The active sender creates calls
// from the change log, sends those that are due, and records the outcomes in groups.

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AddressRules } from '../files/guarded-request.ts';
import { decodePosition } from '../listing/change-position.ts';
import { StorageUnavailable } from '../storage/engine.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Storage } from '../storage/storage.ts';
import { type Lease, selectLease } from '../storage/webhooks/leases.ts';
import {
  selectContentsOfCalls,
  selectDueCall,
  selectWaitingCalls,
  selectWebhookPlaces,
  type WaitingCall,
  type WebhookPlace,
} from '../storage/webhooks/outbox.ts';
import { CallQueue, type StartedCall } from './call-queue.ts';
import { CHANGES_AT_ONCE, type MadeCalls, makeCalls } from './make-calls.ts';
import { Pace } from './pace.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { type AttemptResult, buildUnprepared, type RecordedResult, recordResults } from './record-results.ts';
import { RETRY_AFTER_MS } from './retry-plan.ts';
import { sendAttempt } from './send-attempt.ts';
import { LEASE, SenderLease } from './sender-lease.ts';

export interface SenderParts extends SenderOptions {
  readonly storage: Storage;
  readonly log: Logger;
  readonly now: () => number;
  /** Returns the id of a new call. */
  readonly newCallId: () => string;
  /** The base of the URLs in content. */
  readonly publicUrl: string | null;
  readonly rules: AddressRules;
  readonly watch?: SenderWatch | undefined;
}

/** A sender's time limits and intervals, which tests shorten. */
export interface SenderOptions {
  readonly retryAfterMs?: readonly number[];
  /** The time limit for an attempt. */
  readonly attemptMs?: number;
  /** How long a lease lasts without being renewed. */
  readonly leaseMs?: number;
}

/** Observes the sender. */
export interface SenderWatch {
  /** @param waiting the number of waiting calls; 0 if another process sends them */
  readonly looked: (waiting: number) => void;
  readonly attempted: (outcome: RecordedResult['outcome']) => void;
}

export interface Sender {
  /** Gives running attempts a moment to end, then abandons them. Resolves once nothing is running any more. */
  readonly stop: () => Promise<void>;
}

const ATTEMPT_MS = 15_000;
/** How often to check for writes. */
const LOOK_EVERY_MS = 50;
const LOOK_SELDOM_MS = 500;
/** How often to check the lease, and to read everything that is waiting, because calls may have been removed. */
const READ_ALL_EVERY_MS = 1000;
/** If many calls are waiting, they are read less often: each of them delays the next read by this much. */
const READ_ALL_LATER_MS = 0.5;
const READ_ALL_SELDOM_MS = 30_000;
const RETRY_AFTER_OUTAGE_MS = 1000;
const RETRY_AFTER_BUG_MS = 60_000;
/** The maximum number of waiting calls per webhook. Further changes stay in the change log until there is room. */
const MOST_WAITING = 1000;
/** While this many outcomes have not been recorded, no further calls are sent. */
const MOST_UNRECORDED = 200;
/** The approximate time for which an attempt keeps the main thread busy. */
const ATTEMPT_COST_MS = 0.7;
/** Attempts that are running when the service stops get this long to finish. */
const STOP_MS = 2000;

export function startSender(parts: SenderParts): Sender {
  const sender = new RunningSender(parts);
  const running = sender.run();
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= sender.stop(running);
      return stopped;
    },
  };
}

interface Outbox {
  readonly lease: Lease | undefined;
  /** Whether another process has the lease. If so, nothing else is read. */
  readonly isElsewhere: boolean;
  readonly places: readonly WebhookPlace[];
  readonly waiting: readonly WaitingCall[];
  readonly contents: ReadonlyMap<number, readonly string[]>;
}

interface Settled {
  readonly recorded: readonly RecordedResult[];
  readonly made: MadeCalls;
  readonly at: number;
}

class RunningSender {
  readonly #parts: SenderParts;
  readonly #lease: SenderLease;
  readonly #queue = new CallQueue();
  readonly #pace = new Pace();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Abandons all attempts. This controller is replaced when the lease is lost. */
  #abandoning = new AbortController();
  #results: AttemptResult[] = [];
  #readAllAt = 0;
  #lookAt = 0;
  #stamp: number | undefined;
  #hasWork = false;
  #isElsewhere = false;
  #isOnHold = false;
  #lastEnds = 0;
  #isPublishing = false;
  #lagMs = 0;
  /** When a webhook's next batch will be complete, keyed by the webhook's number. */
  #readyAt: ReadonlyMap<number, number> = new Map();
  #lastRead: Promise<unknown> = Promise.resolve();
  /** The webhooks whose calls are sent without content, although their settings ask for it. */
  readonly #light = new Set<number>();
  #wake = (): void => {};

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#lease = new SenderLease(parts.leaseMs);
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const lapse = setInterval(() => this.#loseIfLapsed(), READ_ALL_EVERY_MS);
    while (!signal.aborted) {
      const startedAt = performance.now();
      let leastPauseMs = 0;
      try {
        await this.#look();
        if (this.#isOnHold) this.#parts.log.info('webhook calls have resumed');
        this.#isOnHold = false;
      } catch (error) {
        this.#hold(error);
        leastPauseMs = RETRY_AFTER_OUTAGE_MS;
      }
      this.#pace.spend(performance.now() - startedAt);
      const pauseMs = this.#pace.pause({ isPublishing: this.#isPublishing, lagMs: this.#lagMs });
      await wait(Math.max(leastPauseMs, pauseMs), undefined, { signal }).catch(() => undefined);
      while (!signal.aborted && !this.#hasReason()) await this.#nap();
    }
    clearInterval(lapse);
  }

  #hold(error: unknown): void {
    if (!this.#isOnHold) this.#parts.log.error({ err: error }, 'webhook calls are on hold because an error occurred');
    this.#isOnHold = true;
  }

  #hasReason(): boolean {
    if (this.#results.length > 0 || this.#parts.now() >= this.#lookAt) return true;
    if (this.#isElsewhere) return false;
    try {
      const stamp = this.#parts.storage.delivery.peekStamp();
      return stamp !== undefined && stamp !== this.#stamp;
    } catch {
      // The next check will encounter the same error and handle it.
      return true;
    }
  }

  #nap(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#hasWork ? LOOK_EVERY_MS : LOOK_SELDOM_MS);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  /** Creates calls, records outcomes, and starts the calls that are due. */
  async #look(): Promise<void> {
    const { storage, now, watch } = this.#parts;
    this.#stamp = storage.delivery.peekStamp();
    const { lease, isElsewhere, places } = await this.#readOutbox();
    const at = now();
    this.#isElsewhere = isElsewhere;
    if (isElsewhere) {
      this.#lose();
      this.#hasWork = false;
      this.#isPublishing = false;
      this.#lookAt = Math.min(lease?.until ?? at, at + READ_ALL_EVERY_MS);
      watch?.looked(0);
      return;
    }
    this.#notePublishing(places);
    const behind = this.#listBehind(places, at);
    const mustRenew = at >= this.#lease.renewAt(at, this.#queue.running > 0);
    const mustTake = !this.#lease.isHeld(at) && this.#queue.hasDue(at);
    if (behind.length > 0 || this.#results.length > 0 || mustRenew || mustTake) {
      await this.#settle(behind, lease);
    }
    this.#start();
    this.#hasWork = places.length > 0 || this.#queue.size > 0;
    this.#lookAt = this.#findNextLook(now());
    watch?.looked(this.#queue.size);
  }

  async #readOutbox(): Promise<Outbox> {
    const { storage, now } = this.#parts;
    const at = now();
    const everyMs = Math.min(READ_ALL_SELDOM_MS, READ_ALL_EVERY_MS + this.#queue.size * READ_ALL_LATER_MS);
    const readsAll = at - this.#readAllAt >= everyMs || at < this.#readAllAt;
    const after = readsAll ? 0 : this.#queue.last;
    const outbox = await storage.read(
      selectOutbox({ own: this.#lease, at, after, isNew: (no) => !this.#queue.has(no) }),
    );
    if (outbox.isElsewhere) return outbox;
    this.#queue.add(outbox.waiting, outbox.contents);
    if (readsAll) {
      this.#queue.keepOnly(outbox.waiting);
      this.#readAllAt = at;
    }
    return outbox;
  }

  #notePublishing(places: readonly WebhookPlace[]): void {
    const ends = places.reduce((sum, { last }) => sum + last, 0);
    this.#isPublishing = ends !== this.#lastEnds;
    this.#lastEnds = ends;
  }

  /**
   * The webhooks that have changes to catch up on, if there is room for their calls. Those with the fewest waiting calls come first, so
   * that a webhook with many changes does not keep the others waiting.
   */
  #listBehind(places: readonly WebhookPlace[], at: number): readonly number[] {
    const behind = places.filter(({ no, position, last }) => {
      if ((this.#readyAt.get(no) ?? 0) > at || this.#queue.countOf(no) > MOST_WAITING - CHANGES_AT_ONCE) return false;
      const decoded = decodePosition(position);
      return decoded === undefined || decoded.mode !== 'changes' || decoded.row !== last || decoded.inside !== null;
    });
    const compare = (a: WebhookPlace, b: WebhookPlace): number =>
      this.#queue.countOf(a.no) - this.#queue.countOf(b.no) || readRow(a) - readRow(b);
    return behind.toSorted(compare).map(({ no }) => no);
  }

  async #settle(behind: readonly number[], lease: Lease | undefined): Promise<void> {
    const { storage, log } = this.#parts;
    const results = [...this.#results];
    let settled: Settled | undefined;
    const settle = this.#buildSettling(results, behind, (outcome) => {
      settled = outcome;
    });
    await storage.writeUnseen(settle);
    if (settled === undefined) {
      this.#lose();
      return;
    }
    const { recorded, made, at } = settled;
    if (!this.#lease.wasHeld) {
      // Another process may have been active in the meantime.
      this.#readAllAt = 0;
      if (!this.#lease.isOwn(lease)) log.info('this process now sends the webhook calls');
    }
    this.#lease.note(at, recorded.length > 0 || made.count > 0);
    this.#results = this.#results.slice(results.length);
    for (const each of recorded) this.#note(each);
    this.#lagMs = made.lagMs;
    this.#readyAt = new Map([...this.#readyAt, ...made.readyAt].filter(([, readyAt]) => readyAt > at));
    for (const { id } of made.skipped) {
      const about = { webhook: id };
      log.warn(
        about,
        'a webhook missed changes because they are no longer in the change log; it continues from the end',
      );
    }
    if (made.count > 0 || this.#readAllAt === 0) await this.#readOutbox();
  }

  /** Leaves everything unchanged if another process has the lease. */
  *#buildSettling(
    results: readonly AttemptResult[],
    behind: readonly number[],
    tell: (settled: Settled) => void,
  ): Procedure<void> {
    const { storage, now, newCallId, retryAfterMs = RETRY_AFTER_MS } = this.#parts;
    const at = now();
    if (!(yield* this.#lease.take(at))) return;
    const recorded = yield* recordResults(results, { now: at, retryAfterMs, random: Math.random });
    const made = yield* makeCalls(behind, { reads: storage.delivery, newCallId, now: at });
    tell({ recorded, made, at });
  }

  #note({ result, outcome, nextAt, offReason }: RecordedResult): void {
    const { log, now, watch } = this.#parts;
    const { call, attempt } = result;
    if (outcome === 'dropped') {
      // The attempt may already have been recorded by a commit whose outcome was unknown. In that case, the call may still be waiting, and
      // later calls about its content must wait too. The next read corrects or removes the call.
      this.#queue.postpone(call.no, now() + RETRY_AFTER_OUTAGE_MS);
      this.#readAllAt = 0;
    } else if (nextAt === null) this.#queue.remove(call.no);
    else this.#queue.postpone(call.no, nextAt);
    watch?.attempted(outcome);
    const about = { webhook: call.webhook.id, call: call.id, type: call.type, status: attempt.status };
    if (outcome === 'failed') log.warn({ ...about, reason: attempt.error }, 'a webhook call failed');
    else log.debug({ ...about, ms: attempt.durationMs, outcome, reason: attempt.error }, 'a webhook call was sent');
    if (offReason === null) return;
    log.warn({ webhook: call.webhook.id, reason: offReason }, 'a webhook was switched off');
    // The webhook's pending calls have ended.
    this.#readAllAt = 0;
  }

  #findNextLook(at: number): number {
    const renewAt = this.#lease.renewAt(at, this.#queue.running > 0);
    const times = [at + READ_ALL_EVERY_MS, this.#queue.nextTime(at), renewAt, ...this.#readyAt.values()];
    return Math.min(...times);
  }

  #start(): void {
    while (this.#maySend()) {
      const call = this.#queue.begin(this.#parts.now());
      if (call === undefined) return;
      this.#pace.spend(ATTEMPT_COST_MS);
      const sending = this.#send(call, this.#abandoning.signal).finally(() => {
        this.#running.delete(sending);
        this.#start();
        this.#wake();
      });
      this.#running.add(sending);
    }
  }

  #maySend(): boolean {
    if (this.#stopping.signal.aborted || this.#results.length >= MOST_UNRECORDED) return false;
    return this.#lease.isHeld(this.#parts.now());
  }

  async #send(started: StartedCall, signal: AbortSignal): Promise<void> {
    const { now, rules, attemptMs: mostMs = ATTEMPT_MS } = this.#parts;
    let durationMs: number | undefined;
    try {
      const attemptAt = now();
      const prepared = await this.#prepare(started.no, attemptAt);
      if (prepared === undefined) {
        this.#queue.remove(started.no);
        return;
      }
      this.#warnIfLight(prepared);
      if (!signal.aborted && !this.#lease.isHeld(now())) {
        // The lease ended while the call was being prepared, so another process may be sending it.
        this.#queue.postpone(started.no, attemptAt);
        return;
      }
      const attempt = await sendAttempt(prepared.outgoing, { rules, mostMs, signal });
      if (attempt === undefined) return;
      if (attempt.error === null) durationMs = attempt.durationMs;
      // If the lease was lost during the attempt, the next holder will send the call again.
      if (!signal.aborted || this.#stopping.signal.aborted) this.#results.push({ ...prepared, attempt, attemptAt });
    } catch (error) {
      await this.#noteUnprepared(started.no, error, signal);
    } finally {
      this.#queue.end(started, durationMs);
    }
  }

  /** The public URL may have been removed from the settings after the webhook was created. Each webhook is reported once. */
  #warnIfLight({ call: { webhook } }: PreparedCall): void {
    const { log, publicUrl } = this.#parts;
    if (webhook.payload !== 'full' || publicUrl !== null || this.#light.has(webhook.no)) return;
    this.#light.add(webhook.no);
    log.warn(
      { webhook: webhook.id },
      'a webhook should receive content, but its calls contain none because GALLEY_PUBLIC_URL is not set',
    );
  }

  /**
   * A call that cannot be prepared counts as a failed attempt, so that it does not keep later calls about its content
   * waiting forever.
   */
  async #noteUnprepared(no: number, error: unknown, signal: AbortSignal): Promise<void> {
    const { storage, log, now } = this.#parts;
    if (error instanceof StorageUnavailable) {
      this.#queue.postpone(no, now() + RETRY_AFTER_OUTAGE_MS);
      return;
    }
    log.error({ err: error }, 'a webhook call could not be prepared');
    // If the call cannot even be read, its failure cannot be recorded.
    const call = await storage.read(selectDueCall(no)).catch(() => undefined);
    if (call === undefined) this.#queue.postpone(no, now() + RETRY_AFTER_BUG_MS);
    else if (!signal.aborted) this.#results.push(buildUnprepared(call, now()));
  }

  /** Reads one call at a time, so that requests do not wait for a connection to the database. */
  #prepare(no: number, now: number): Promise<PreparedCall | undefined> {
    const { storage, publicUrl } = this.#parts;
    const read = () => storage.read(prepareCall(no, { reads: storage.delivery, publicUrl, now }));
    const prepared = this.#lastRead.then(read, read);
    this.#lastRead = prepared;
    return prepared;
  }

  #loseIfLapsed(): void {
    if (this.#lease.wasHeld && !this.#lease.isHeld(this.#parts.now())) this.#lose();
  }

  #lose(): void {
    if (this.#lease.wasHeld && this.#running.size > 0) {
      this.#parts.log.warn('this process no longer sends the webhook calls, because it has lost its lease');
    }
    this.#lease.lose();
    this.#readAllAt = 0;
    this.#abandoning.abort();
    this.#abandoning = new AbortController();
    this.#results = [];
    this.#readyAt = new Map();
    this.#queue.clear();
  }

  async stop(running: Promise<void>): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await running;
    const isHeld = this.#lease.isHeld(this.#parts.now());
    const ended = Promise.allSettled(this.#running);
    await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })]);
    this.#abandoning.abort();
    await ended;
    if (!isHeld) return;
    try {
      await this.#parts.storage.writeUnseen(this.#buildRelease());
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the outcomes of the last webhook calls could not be saved');
    }
  }

  *#buildRelease(): Procedure<void> {
    let isHeld = false;
    yield* this.#buildSettling(this.#results, [], () => {
      isHeld = true;
    });
    if (isHeld) yield* this.#lease.release();
  }
}

interface OutboxSelection {
  readonly own: SenderLease;
  readonly at: number;
  /** Only calls with a higher number are read. */
  readonly after: number;
  readonly isNew: (no: number) => boolean;
}

function* selectOutbox({ own, at, after, isNew }: OutboxSelection): Procedure<Outbox> {
  const lease = yield* selectLease(LEASE);
  const isElsewhere = own.isElsewhere(lease, at);
  if (isElsewhere) return { lease, isElsewhere, places: [], waiting: [], contents: new Map() };
  const places = yield* selectWebhookPlaces();
  const waiting = yield* selectWaitingCalls(after);
  const contents = yield* selectContentsOfCalls(waiting.map(({ no }) => no).filter(isNew));
  return { lease, isElsewhere, places, waiting, contents };
}

function readRow({ position }: WebhookPlace): number {
  return decodePosition(position)?.row ?? 0;
}
