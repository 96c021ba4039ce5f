// The queue of pending calls, in the memory of the process that sends them. It decides which call is sent next. Calls about the same
// content are sent in order, all others are sent in parallel, and no webhook keeps the others waiting.

import type { WaitingCall } from '../storage/webhooks/outbox.ts';

interface QueuedCall {
  readonly no: number;
  readonly webhookNo: number;
  readonly contents: readonly string[];
  nextAt: number;
  /**
   * True from the start of an attempt until its outcome is recorded. Until then, no later call about the same content
   * is sent.
   */
  isBusy: boolean;
}

/** The calls of one webhook, in order. */
interface Line {
  readonly calls: QueuedCall[];
  /** The number of attempts that are running. */
  running: number;
  /** Whether the webhook's last attempt failed or took a long time. */
  isSlow: boolean;
  /** No call can be sent before this time, unless something changes; 0 if the time is not known. */
  idleUntil: number;
}

export interface StartedCall {
  readonly no: number;
  readonly webhookNo: number;
}

const MOST_AT_ONCE = 32;
const MOST_OF_ONE = 8;
/** All slow webhooks together leave half of the slots free for the others. */
const MOST_OF_SLOW = 16;
const SLOW_MS = 2000;

export class CallQueue {
  readonly #calls = new Map<number, QueuedCall>();
  readonly #lines = new Map<number, Line>();
  /** The webhooks take turns. The webhook that was served last is at the end. */
  readonly #turns: number[] = [];
  #running = 0;
  #last = 0;

  get size(): number {
    return this.#calls.size;
  }

  /** The highest call number so far. */
  get last(): number {
    return this.#last;
  }

  get running(): number {
    return this.#running;
  }

  has(no: number): boolean {
    return this.#calls.has(no);
  }

  countOf(webhookNo: number): number {
    return this.#lines.get(webhookNo)?.calls.length ?? 0;
  }

  /**
   * Adds calls, or updates them. A call that was postponed here is not sent any earlier. @param contents the content of the new calls
   */
  add(waiting: readonly WaitingCall[], contents: ReadonlyMap<number, readonly string[]>): void {
    for (const { no, webhookNo, nextAt } of waiting) {
      this.#last = Math.max(this.#last, no);
      const known = this.#calls.get(no);
      if (known === undefined) this.#insert({ no, webhookNo, nextAt, contents: contents.get(no) ?? [], isBusy: false });
      else if (!known.isBusy && known.nextAt < nextAt) this.#change(known, nextAt);
    }
  }

  /** Removes all calls that are not in the list, except those whose outcome has not been recorded. */
  keepOnly(waiting: readonly WaitingCall[]): void {
    const kept = new Set(waiting.map(({ no }) => no));
    for (const call of this.#calls.values()) if (!call.isBusy && !kept.has(call.no)) this.remove(call.no);
  }

  #insert(call: QueuedCall): void {
    const line = this.#findLine(call.webhookNo);
    const after = line.calls.findLastIndex(({ no }) => no < call.no);
    line.calls.splice(after + 1, 0, call);
    line.idleUntil = 0;
    this.#calls.set(call.no, call);
  }

  #findLine(webhookNo: number): Line {
    const known = this.#lines.get(webhookNo);
    if (known !== undefined) return known;
    const line = { calls: [], running: 0, isSlow: false, idleUntil: 0 };
    this.#lines.set(webhookNo, line);
    this.#turns.push(webhookNo);
    return line;
  }

  #change(call: QueuedCall, nextAt: number): void {
    call.nextAt = nextAt;
    this.#findLine(call.webhookNo).idleUntil = 0;
  }

  /** Starts the next call that can be sent now. Returns undefined if there is none. */
  begin(now: number): StartedCall | undefined {
    if (this.#running >= MOST_AT_ONCE) return undefined;
    for (const [index, webhookNo] of this.#turns.entries()) {
      const line = this.#lines.get(webhookNo);
      const call = line === undefined || !this.#hasRoom(line, now) ? undefined : findSendable(line, now);
      if (line === undefined || call === undefined) continue;
      call.isBusy = true;
      line.running += 1;
      this.#running += 1;
      this.#turns.splice(index, 1);
      this.#turns.push(webhookNo);
      return { no: call.no, webhookNo };
    }
    return undefined;
  }

  #hasRoom(line: Line, now: number): boolean {
    if (line.idleUntil > now || line.running >= MOST_OF_ONE) return false;
    return !line.isSlow || this.#countSlow() < MOST_OF_SLOW;
  }

  #countSlow(): number {
    let count = 0;
    for (const { isSlow, running } of this.#lines.values()) if (isSlow) count += running;
    return count;
  }

  /** Call this when an attempt has ended, before its outcome is recorded. @param durationMs undefined if the attempt failed */
  end({ webhookNo }: StartedCall, durationMs?: number): void {
    this.#running -= 1;
    const line = this.#findLine(webhookNo);
    line.running -= 1;
    line.isSlow = durationMs === undefined || durationMs > SLOW_MS;
  }

  /** Makes the call wait for another attempt. */
  postpone(no: number, nextAt: number): void {
    const call = this.#calls.get(no);
    if (call === undefined) return;
    call.isBusy = false;
    this.#change(call, nextAt);
  }

  remove(no: number): void {
    const call = this.#calls.get(no);
    if (call === undefined) return;
    this.#calls.delete(no);
    const line = this.#findLine(call.webhookNo);
    line.calls.splice(line.calls.indexOf(call), 1);
    line.idleUntil = 0;
  }

  /** Whether an attempt is due. */
  hasDue(now: number): boolean {
    return this.#calls.values().some(({ isBusy, nextAt }) => !isBusy && nextAt <= now);
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

function findSendable(line: Line, now: number): QueuedCall | undefined {
  const taken = new Set<string>();
  let next = Number.POSITIVE_INFINITY;
  for (const call of line.calls) {
    const isFree = !call.contents.some((id) => taken.has(id));
    if (isFree && !call.isBusy) {
      if (call.nextAt <= now) return call;
      next = Math.min(next, call.nextAt);
    }
    for (const id of call.contents) taken.add(id);
  }
  line.idleUntil = next;
  return undefined;
}
