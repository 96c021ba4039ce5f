// The queue of pending calls, in the memory of the process that sends them. It decides which call is sent next. Calls about the same
// content are sent in order, and all others are sent in parallel. Slow receivers, however many there are, do not keep the calls to other
// webhooks waiting.

import type { WaitingCall } from '../storage/webhooks/outbox.ts';

interface QueuedCall {
  readonly no: number;
  readonly webhookNo: number;
  readonly contents: readonly string[];
  nextAt: number;
  /** Whether an attempt has failed. */
  isTried: boolean;
  /**
   * True from the start of an attempt until its outcome is recorded. Until then, no later call about the same content
   * is sent.
   */
  isBusy: boolean;
}

/** The calls of one webhook, in order. */
interface Line {
  readonly siteNo: number;
  readonly calls: QueuedCall[];
  /** The times at which the running attempts started, by call number. */
  readonly startedAt: Map<number, number>;
  /** Whether the webhook's last attempt failed or took a long time. */
  wasSlow: boolean;
  /** No call can be sent before this time, unless something changes; 0 if the time is not known. */
  idleUntil: number;
}

export interface StartedCall {
  readonly no: number;
  readonly webhookNo: number;
}

const MOST_OF_ONE = 8;
/**
 * The slots for attempts that have no slot of their own. Every webhook that is not slow has its own slot for one attempt, and each site has
 * one for an attempt to call a slow webhook.
 */
const SHARED_SLOTS = 32;
/** All slow webhooks together leave half of the shared slots free for the others. */
const MOST_OF_SLOW = 16;
/** Limits the memory used by calls that are being sent, even if a large number of receivers stop responding at the same moment. */
const MOST_AT_ONCE = 128;
/** The other half of the attempts is reserved for webhooks that are not slow, however many sites have slow webhooks. */
const MOST_SLOW_AT_ONCE = MOST_AT_ONCE / 2;
const SLOW_MS = 2000;

/** The attempts that are running. */
interface Load {
  total: number;
  /** The attempts to call slow webhooks. */
  slow: number;
  /** The attempts to call webhooks that are not slow, not counting one for each webhook. */
  quickShared: number;
  /** The attempts to call slow webhooks, not counting one for each site. */
  slowShared: number;
  /** The sites for which an attempt to call a slow webhook is running. */
  readonly slowSites: Set<number>;
}

export class CallQueue {
  readonly #calls = new Map<number, QueuedCall>();
  readonly #lines = new Map<number, Line>();
  /** The webhooks take turns. The webhook that was served last is at the end. */
  readonly #turns: number[] = [];
  #last = 0;

  get size(): number {
    return this.#calls.size;
  }

  /** The highest call number so far. */
  get last(): number {
    return this.#last;
  }

  /** The number of attempts that are running. */
  get running(): number {
    return this.#lines.values().reduce((count, { startedAt }) => count + startedAt.size, 0);
  }

  has(no: number): boolean {
    return this.#calls.has(no);
  }

  countOf(webhookNo: number): number {
    return this.#lines.get(webhookNo)?.calls.length ?? 0;
  }

  /**
   * The number of calls that have not been sent yet, except those that wait for an earlier call about their content.
   */
  countUntried(webhookNo: number): number {
    const line = this.#lines.get(webhookNo);
    return line === undefined ? 0 : listFirst(line).reduce((count, { isTried }) => (isTried ? count : count + 1), 0);
  }

  /**
   * Adds calls, or updates them. A call that was postponed here is not sent any earlier. @param contents the content of the new calls
   */
  add(waiting: readonly WaitingCall[], contents: ReadonlyMap<number, readonly string[]>): void {
    for (const { no, webhookNo, siteNo, nextAt, isTried } of waiting) {
      this.#last = Math.max(this.#last, no);
      const known = this.#calls.get(no);
      const call = { no, webhookNo, nextAt, contents: contents.get(no) ?? [], isTried, isBusy: false };
      if (known === undefined) this.#insert(call, siteNo);
      else if (!known.isBusy && known.nextAt < nextAt) this.#change(known, nextAt);
    }
  }

  /** Removes all calls that are not in the list, except those whose outcome has not been recorded. */
  keepOnly(waiting: readonly WaitingCall[]): void {
    const kept = new Set(waiting.map(({ no }) => no));
    for (const call of this.#calls.values()) if (!call.isBusy && !kept.has(call.no)) this.remove(call.no);
  }

  #insert(call: QueuedCall, siteNo: number): void {
    const line = this.#lines.get(call.webhookNo) ?? this.#addLine(call.webhookNo, siteNo);
    const after = line.calls.findLastIndex(({ no }) => no < call.no);
    line.calls.splice(after + 1, 0, call);
    line.idleUntil = 0;
    this.#calls.set(call.no, call);
  }

  #addLine(webhookNo: number, siteNo: number): Line {
    const line = { siteNo, calls: [], startedAt: new Map<number, number>(), wasSlow: false, idleUntil: 0 };
    this.#lines.set(webhookNo, line);
    this.#turns.push(webhookNo);
    return line;
  }

  #change(call: QueuedCall, nextAt: number): void {
    call.nextAt = nextAt;
    const line = this.#lines.get(call.webhookNo);
    if (line !== undefined) line.idleUntil = 0;
  }

  /** Starts the next call that can be sent now. Returns undefined if there is none. */
  begin(now: number): StartedCall | undefined {
    const load = this.#measureLoad(now);
    if (load.total >= MOST_AT_ONCE) return undefined;
    for (const [index, webhookNo] of this.#turns.entries()) {
      const line = this.#lines.get(webhookNo);
      const call = line === undefined || !hasSlot(line, load, now) ? undefined : findSendable(line, now);
      if (line === undefined || call === undefined) continue;
      call.isBusy = true;
      line.startedAt.set(call.no, now);
      this.#turns.splice(index, 1);
      this.#turns.push(webhookNo);
      return { no: call.no, webhookNo };
    }
    return undefined;
  }

  #measureLoad(now: number): Load {
    const load: Load = { total: 0, slow: 0, quickShared: 0, slowShared: 0, slowSites: new Set() };
    for (const line of this.#lines.values()) {
      const { size } = line.startedAt;
      if (size === 0) continue;
      load.total += size;
      if (isSlow(line, now)) {
        load.slow += size;
        load.slowShared += load.slowSites.has(line.siteNo) ? size : size - 1;
        load.slowSites.add(line.siteNo);
      } else load.quickShared += size - 1;
    }
    return load;
  }

  /** Call this when an attempt has ended, before its outcome is recorded. @param durationMs undefined if the attempt failed */
  end({ no, webhookNo }: StartedCall, durationMs?: number): void {
    const line = this.#lines.get(webhookNo);
    if (line === undefined) return;
    line.startedAt.delete(no);
    line.wasSlow = durationMs === undefined || durationMs > SLOW_MS;
  }

  /** Makes the call wait for another attempt. */
  postpone(no: number, nextAt: number): void {
    const call = this.#calls.get(no);
    if (call === undefined) return;
    call.isBusy = false;
    call.isTried = true;
    this.#change(call, nextAt);
  }

  remove(no: number): void {
    const call = this.#calls.get(no);
    if (call === undefined) return;
    this.#calls.delete(no);
    const line = this.#lines.get(call.webhookNo);
    if (line === undefined) return;
    line.calls.splice(line.calls.indexOf(call), 1);
    line.idleUntil = 0;
  }

  /** Whether an attempt is due. */
  hasDue(now: number): boolean {
    return this.#calls.values().some(({ isBusy, nextAt }) => !isBusy && nextAt <= now);
  }

  /**
   * How long the longest-waiting call has been ready to be sent; 0 if there is none. Calls that wait for an earlier call about the same
   * content, or for a free slot of a slow receiver, do not count, because a faster sender would not send them any sooner.
   */
  measureLag(now: number): number {
    const load = this.#measureLoad(now);
    const isHeldUp = (line: Line): boolean => isSlow(line, now) && !hasSlot(line, load, now);
    let lagMs = 0;
    for (const line of this.#lines.values()) {
      if (line.idleUntil > now || isHeldUp(line)) continue;
      for (const { nextAt } of listSendable(line, now)) lagMs = Math.max(lagMs, now - nextAt);
    }
    return lagMs;
  }

  /** The time of the next attempt that is not due yet; infinite if there is none. */
  nextTime(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { idleUntil } of this.#lines.values()) if (idleUntil > now) next = Math.min(next, idleUntil);
    return next;
  }

  /** Forgets all calls. Attempts that are already running still finish. */
  clear(): void {
    for (const no of this.#calls.keys()) this.remove(no);
    this.#last = 0;
  }
}

/** A webhook also counts as slow as soon as one of its running attempts has taken a long time. */
function isSlow({ wasSlow, startedAt }: Line, now: number): boolean {
  return wasSlow || startedAt.values().some((at) => now - at > SLOW_MS);
}

function hasSlot(line: Line, load: Load, now: number): boolean {
  if (line.idleUntil > now || line.startedAt.size >= MOST_OF_ONE) return false;
  const { slow, quickShared, slowShared, slowSites } = load;
  if (isSlow(line, now)) {
    if (slow >= MOST_SLOW_AT_ONCE) return false;
    return !slowSites.has(line.siteNo) || (slowShared < MOST_OF_SLOW && quickShared + slowShared < SHARED_SLOTS);
  }
  return line.startedAt.size === 0 || quickShared + Math.min(slowShared, MOST_OF_SLOW) < SHARED_SLOTS;
}

function findSendable(line: Line, now: number): QueuedCall | undefined {
  const [call] = listSendable(line, now);
  return call;
}

/** The calls that can be sent now. */
function* listSendable(line: Line, now: number): Generator<QueuedCall, void, undefined> {
  let isIdle = true;
  let next = Number.POSITIVE_INFINITY;
  for (const call of listFirst(line)) {
    if (call.isBusy) continue;
    if (call.nextAt <= now) {
      isIdle = false;
      yield call;
    }
    next = Math.min(next, call.nextAt);
  }
  if (isIdle) line.idleUntil = next;
}

/** The calls that do not wait for an earlier call about the same content. */
function* listFirst(line: Line): Generator<QueuedCall, void, undefined> {
  const taken = new Set<string>();
  for (const call of line.calls) {
    if (!call.contents.some((id) => taken.has(id))) yield call;
    for (const id of call.contents) taken.add(id);
  }
}
