// Sends webhook calls. Every process has a sender, and a lease in the database decides which one is active. The active sender creates calls
// from the change log, sends those that are due, and records the outcomes in groups.

import { setTimeout as wait } from 'node:timers/promises';
import type { Procedure } from '../storage/statement.ts';
import type { Lease } from '../storage/webhooks/leases.ts';
import { Backlog } from './backlog.ts';
import { CallQueue } from './call-queue.ts';
import { type MadeCalls, makeCalls } from './make-calls.ts';
import { OutboxReader, READ_ALL_EVERY_MS } from './outbox-reader.ts';
import { chooseSpeed, Pace } from './pace.ts';
import { type AttemptResult, type RecordedResult, recordResults } from './record-results.ts';
import { RETRY_AFTER_MS } from './retry-plan.ts';
import { type AttemptParts, RunningAttempts } from './running-attempts.ts';
import { SenderLease } from './sender-lease.ts';

export interface SenderParts extends AttemptParts, SenderOptions {
  /** Returns the id of a new call. */
  readonly newCallId: () => string;
  readonly watch?: SenderWatch | undefined;
}

/** A sender's time limits and intervals, which tests shorten. */
export interface SenderOptions extends Pick<AttemptParts, 'attemptMs'> {
  readonly retryAfterMs?: readonly number[];
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

/** How often to check for writes. */
const LOOK_EVERY_MS = 50;
const LOOK_SELDOM_MS = 500;
const RETRY_AFTER_OUTAGE_MS = 1000;
/** Approximately how long an attempt keeps the main thread busy. */
const ATTEMPT_COST_MS = 0.7;

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

interface Settled {
  readonly recorded: readonly RecordedResult[];
  readonly made: MadeCalls;
  readonly at: number;
}

class RunningSender {
  readonly #parts: SenderParts;
  readonly #lease: SenderLease;
  readonly #queue = new CallQueue();
  readonly #backlog = new Backlog(this.#queue);
  readonly #pace = new Pace();
  readonly #outbox: OutboxReader;
  readonly #attempts: RunningAttempts;
  readonly #stopping = new AbortController();
  #lookAt = 0;
  #stamp: number | undefined;
  #hasWork = false;
  #isElsewhere = false;
  #isOnHold = false;
  #wake = (): void => {};

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#lease = new SenderLease(parts.leaseMs);
    this.#outbox = new OutboxReader(parts.storage, this.#queue, this.#lease);
    this.#attempts = new RunningAttempts(parts, {
      queue: this.#queue,
      lease: this.#lease,
      onStart: () => this.#pace.spend(ATTEMPT_COST_MS),
      onEnd: () => this.#wake(),
    });
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
      const pauseMs = this.#pace.pause(this.#backlog);
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
    if (this.#attempts.results.length > 0 || this.#parts.now() >= this.#lookAt) return true;
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
    const { lease, isElsewhere, places } = await this.#outbox.read(now());
    const at = now();
    this.#isElsewhere = isElsewhere;
    this.#backlog.look(places, at);
    if (isElsewhere) {
      this.#lose();
      this.#hasWork = false;
      this.#lookAt = Math.min(lease?.until ?? at, at + READ_ALL_EVERY_MS);
      watch?.looked(0);
      return;
    }
    const behind = this.#backlog.list(places, at);
    const mustRenew = at >= this.#lease.renewAt(at, this.#queue.running > 0);
    const mustTake = !this.#lease.isHeld(at) && this.#queue.hasDue(at);
    if (behind.length > 0 || this.#attempts.results.length > 0 || mustRenew || mustTake) {
      await this.#settle(behind, lease);
    }
    this.#attempts.start(chooseSpeed(this.#backlog).calls);
    this.#hasWork = places.length > 0 || this.#queue.size > 0;
    this.#lookAt = this.#findNextLook(now());
    watch?.looked(this.#queue.size);
  }

  async #settle(behind: readonly number[], lease: Lease | undefined): Promise<void> {
    const { storage, log, now } = this.#parts;
    const { results } = this.#attempts;
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
      this.#outbox.readAllNext();
      if (!this.#lease.isOwn(lease)) log.info('this process now sends the webhook calls');
    }
    this.#lease.note(at, recorded.length > 0 || made.count > 0);
    this.#attempts.forgetResults(results.length);
    for (const each of recorded) this.#note(each);
    this.#backlog.note(made, at);
    for (const { id } of made.skipped) {
      const about = { webhook: id };
      log.warn(
        about,
        'a webhook missed changes because they are no longer in the change log; it continues from the end',
      );
    }
    if (made.count > 0 || this.#outbox.readsAllNext) await this.#outbox.read(now());
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
    const { calls: most } = chooseSpeed(this.#backlog);
    const made = yield* makeCalls(behind, { reads: storage.delivery, newCallId, now: at, most });
    tell({ recorded, made, at });
  }

  #note({ result, outcome, nextAt, offReason }: RecordedResult): void {
    const { log, now, watch } = this.#parts;
    const { call, attempt } = result;
    if (outcome === 'dropped') {
      // The attempt may already have been recorded by a commit whose outcome was unknown. In that case, the call may still be waiting, and
      // later calls about its content must wait too. The next read corrects or removes the call.
      this.#queue.postpone(call.no, now() + RETRY_AFTER_OUTAGE_MS);
      this.#outbox.readAllNext();
    } else if (nextAt === null) this.#queue.remove(call.no);
    else this.#queue.postpone(call.no, nextAt);
    watch?.attempted(outcome);
    const about = { webhook: call.webhook.id, call: call.id, type: call.type, status: attempt.status };
    if (outcome === 'failed') log.warn({ ...about, reason: attempt.error }, 'a webhook call failed');
    else log.debug({ ...about, ms: attempt.durationMs, outcome, reason: attempt.error }, 'a webhook call was sent');
    if (offReason === null) return;
    log.warn({ webhook: call.webhook.id, reason: offReason }, 'a webhook was switched off');
    // The webhook's pending calls have been marked as failed.
    this.#outbox.readAllNext();
  }

  #findNextLook(at: number): number {
    const renewAt = this.#lease.renewAt(at, this.#queue.running > 0);
    return Math.min(at + READ_ALL_EVERY_MS, this.#queue.nextTime(at), renewAt, this.#backlog.nextTime);
  }

  #loseIfLapsed(): void {
    if (this.#lease.wasHeld && !this.#lease.isHeld(this.#parts.now())) this.#lose();
  }

  #lose(): void {
    if (this.#lease.wasHeld && this.#attempts.areRunning) {
      this.#parts.log.warn('this process no longer sends the webhook calls, because it has lost its lease');
    }
    this.#lease.lose();
    this.#outbox.readAllNext();
    this.#attempts.abandon();
    this.#backlog.clear();
    this.#queue.clear();
  }

  async stop(running: Promise<void>): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await Promise.all([running, this.#attempts.stop()]);
    if (!this.#lease.isHeld(this.#parts.now())) return;
    try {
      await this.#parts.storage.writeUnseen(this.#buildRelease());
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the outcomes of the last webhook calls could not be saved');
    }
  }

  *#buildRelease(): Procedure<void> {
    let isHeld = false;
    yield* this.#buildSettling(this.#attempts.results, [], () => {
      isHeld = true;
    });
    if (isHeld) yield* this.#lease.release();
  }
}
