// Runs the attempts to deliver calls: starts those that the queue chooses, and keeps their outcomes until the sender has recorded them.

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AddressRules } from '../files/guarded-request.ts';
import { StorageUnavailable } from '../storage/engine.ts';
import type { Storage } from '../storage/storage.ts';
import { selectDueCall } from '../storage/webhooks/outbox.ts';
import type { CallQueue, StartedCall } from './call-queue.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { type AttemptResult, buildUnprepared } from './record-results.ts';
import { sendAttempt } from './send-attempt.ts';
import type { SenderLease } from './sender-lease.ts';

export interface AttemptParts {
  readonly storage: Storage;
  readonly log: Logger;
  readonly now: () => number;
  /** The base of the URLs in content. */
  readonly publicUrl: string | null;
  readonly rules: AddressRules;
  /** The time limit for an attempt. Tests shorten it. */
  readonly attemptMs?: number;
}

interface AttemptContext {
  readonly queue: CallQueue;
  readonly lease: SenderLease;
  readonly onStart: () => void;
  readonly onEnd: () => void;
}

export const ATTEMPT_MS = 15_000;
const RETRY_AFTER_OUTAGE_MS = 1000;
const RETRY_AFTER_BUG_MS = 60_000;
/** Attempts that are running when the service stops get this long to finish. */
const STOP_MS = 2000;

export class RunningAttempts {
  readonly #parts: AttemptParts;
  readonly #context: AttemptContext;
  readonly #running = new Set<Promise<void>>();
  /** How many more calls may be sent. */
  #left = 0;
  /** Used to abandon all attempts. Replaced when the lease is lost. */
  #abandoning = new AbortController();
  #isStopping = false;
  #results: readonly AttemptResult[] = [];
  #lastRead: Promise<unknown> = Promise.resolve();
  /** The webhooks whose calls lack content because no public URL is set. */
  readonly #light = new Set<number>();

  constructor(parts: AttemptParts, context: AttemptContext) {
    this.#parts = parts;
    this.#context = context;
  }

  get areRunning(): boolean {
    return this.#running.size > 0;
  }

  /** The outcomes that have not been recorded. */
  get results(): readonly AttemptResult[] {
    return this.#results;
  }

  /** @param count how many outcomes have been recorded, starting with the oldest */
  forgetResults(count: number): void {
    this.#results = this.#results.slice(count);
  }

  /** Sends up to this many calls, as soon as each of them can be sent. */
  start(most: number): void {
    this.#left = most;
    this.#startAll();
  }

  #startAll(): void {
    const { queue, onStart, onEnd } = this.#context;
    while (this.#mayStart()) {
      const call = queue.begin(this.#parts.now());
      if (call === undefined) return;
      this.#left -= 1;
      onStart();
      const sending = this.#send(call, this.#abandoning.signal).finally(() => {
        this.#running.delete(sending);
        this.#startAll();
        onEnd();
      });
      this.#running.add(sending);
    }
  }

  #mayStart(): boolean {
    if (this.#isStopping || this.#left === 0) return false;
    return this.#context.lease.isHeld(this.#parts.now());
  }

  async #send(started: StartedCall, signal: AbortSignal): Promise<void> {
    const { now, rules, attemptMs: mostMs = ATTEMPT_MS } = this.#parts;
    const { queue, lease } = this.#context;
    let durationMs: number | undefined;
    try {
      const attemptAt = now();
      const prepared = await this.#prepare(started.no, attemptAt);
      if (prepared === undefined) {
        queue.remove(started.no);
        return;
      }
      this.#warnIfLight(prepared);
      if (!signal.aborted && !lease.isHeld(now())) {
        // The lease ended while the call was being prepared, so another process may be sending it.
        queue.postpone(started.no, attemptAt);
        return;
      }
      const attempt = await sendAttempt(prepared.outgoing, { rules, mostMs, signal });
      if (attempt === undefined) return;
      if (attempt.error === null) durationMs = attempt.durationMs;
      // If the lease was lost during the attempt, the next holder will send the call again.
      if (!signal.aborted || this.#isStopping) this.#keep({ ...prepared, attempt, attemptAt });
    } catch (error) {
      await this.#noteUnprepared(started.no, error, signal);
    } finally {
      queue.end(started, durationMs);
    }
  }

  /** Reads one call at a time, so that requests do not wait for a connection to the database. */
  #prepare(no: number, now: number): Promise<PreparedCall | undefined> {
    const { storage, publicUrl } = this.#parts;
    const read = () => storage.read(prepareCall(no, { reads: storage.delivery, publicUrl, now }));
    const prepared = this.#lastRead.then(read, read);
    this.#lastRead = prepared;
    return prepared;
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

  #keep(result: AttemptResult): void {
    this.#results = [...this.#results, result];
  }

  /**
   * A call that cannot be prepared counts as a failed attempt, so that it does not keep later calls about its content
   * waiting forever.
   */
  async #noteUnprepared(no: number, error: unknown, signal: AbortSignal): Promise<void> {
    const { storage, log, now } = this.#parts;
    const { queue } = this.#context;
    if (error instanceof StorageUnavailable) {
      queue.postpone(no, now() + RETRY_AFTER_OUTAGE_MS);
      return;
    }
    log.error({ err: error }, 'a webhook call could not be prepared');
    // If the call cannot even be read, its failure cannot be recorded.
    const call = await storage.read(selectDueCall(no)).catch(() => undefined);
    if (call === undefined) queue.postpone(no, now() + RETRY_AFTER_BUG_MS);
    else if (!signal.aborted) this.#keep(buildUnprepared(call, now()));
  }

  /** Abandons the running attempts and forgets the outcomes, because another process has the lease. */
  abandon(): void {
    this.#abandoning.abort();
    this.#abandoning = new AbortController();
    this.#results = [];
  }

  /** Starts nothing more, gives running attempts a moment to end, and then abandons them. Keeps their outcomes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ended = Promise.allSettled(this.#running);
    await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })]);
    this.#abandoning.abort();
    await ended;
  }
}
