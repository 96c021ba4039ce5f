// Responses that clients have not read yet stay in our memory, so their total size is limited. While it is over the limit, large
// responses wait before they are built; small ones wait only above twice the limit. If a response waits for more than a moment, we
// disconnect clients that read hardly anything. A client that reads nothing for a minute is always disconnected.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { countWaiting } from './wait-for-turn.ts';

/** The approximate amount of memory that Node needs for a parsed request and its response. */
const WAITING_REQUEST_BYTES = 4 * 1024;
/** How often we check for room while a response is waiting for it. */
const ROOM_CHECK_MS = 50;
/** We check for room this many times before we disconnect anybody, to give clients time to read. */
const PATIENT_LOOKS = 10;
/** A client reads too slowly if, at its current speed, reading the rest would take more checks than this (half a minute). */
const MOST_LOOKS = 600;
/** No well-behaved client has this many bytes of requests waiting. */
const MOST_WAITING_REQUESTS_BYTES = 256 * WAITING_REQUEST_BYTES;
const LONGEST_WAIT_MS = 10_000;

export interface UnreadAnswersOptions {
  readonly connections: ReadonlySet<Socket>;
  readonly log: Logger;
  readonly limits?: HttpLimits;
}

/** The reading progress of a client with unread responses. */
interface Reading {
  /** Bytes left to send at the last check. */
  left: number;
  /** When we last saw bytes being sent. */
  readAt: number;
  looks: number;
  /** Bytes sent since the first check. */
  taken: number;
}

/** The size class of a response, estimated before it is built. */
type ExpectedSize = 'small' | 'large';

interface Waiting {
  /** The response may be built while no more than this many bytes are unread. */
  readonly mostBytes: number;
  readonly response: ServerResponse;
  readonly since: number;
  looks: number;
  readonly settle: (isAdmitted: boolean) => void;
}

export class UnreadAnswers {
  readonly #connections: ReadonlySet<Socket>;
  readonly #log: Logger;
  readonly #limits: HttpLimits;
  readonly #readings = new WeakMap<Socket, Reading>();
  /** Bytes that were written to this connection and possibly to others too. There is only one copy of them in memory. */
  readonly #shared = new WeakMap<Socket, Buffer>();
  /** An upper bound: the unread bytes at the last count, plus all bytes added since. */
  #bytes = 0;
  /** Whether the last response is still waiting to be sent: nothing is sent before the next turn of the event loop. */
  #isLeaving = false;
  /** Newest last. */
  #waiting: Waiting[] = [];
  #isAdmitting = false;
  #lookedAt = 0;

  constructor({ connections, log, limits = DEFAULT_LIMITS }: UnreadAnswersOptions) {
    this.#connections = connections;
    this.#log = log;
    this.#limits = limits;
  }

  /** Call this for each response that could not be sent immediately. */
  noteAnswer(socket: Socket): void {
    this.#bytes += socket.writableLength;
    if (!this.#readings.has(socket)) this.#look(socket, performance.now());
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    setImmediate(() => {
      this.#isLeaving = false;
    });
  }

  /** Call this when bytes that may also go to other connections are written to a connection, and again when they have been sent. */
  noteShared(socket: Socket, bytes: Buffer | undefined): void {
    if (bytes === undefined) this.#shared.delete(socket);
    else this.#shared.set(socket, bytes);
  }

  /** Call this for each request that has to wait for the previous response. */
  noteWaiting(): void {
    this.#bytes += WAITING_REQUEST_BYTES;
  }

  /**
   * Whether even small responses must wait. Large responses start to wait earlier, so on their own they never make
   * small responses wait.
   */
  isOverfull(): boolean {
    return this.#isOver(this.#mostBytesFor('small'));
  }

  #mostBytesFor(size: ExpectedSize): number {
    return size === 'large' ? this.#limits.unreadBytes : 2 * this.#limits.unreadBytes;
  }

  /** Resolves to true when there is room, or to false if the wait is too long or the client has disconnected. */
  waitForRoom(response: ServerResponse, size: ExpectedSize = 'small'): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const mostBytes = this.#mostBytesFor(size);
    this.#waiting.push({ mostBytes, response, since: performance.now(), looks: 0, settle: resolve });
    this.#admitSoon();
    return promise;
  }

  /** Watches the server from the time it starts listening until it closes. */
  watch(server: Server): void {
    server.on('listening', () => {
      const timer = setInterval(() => this.#dropStalled(), this.#limits.timeoutCheckMs);
      timer.unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  #dropStalled(): void {
    const now = performance.now();
    const stalled = [...this.#connections].filter((socket) => {
      const reading = this.#look(socket, now);
      return reading !== undefined && now - reading.readAt >= this.#limits.unreadTimeoutMs;
    });
    for (const socket of stalled) socket.destroy();
    this.#tell(stalled, 'clients were disconnected because they did not read their responses');
  }

  /** Admits one response at a time, because the size of a response is unknown until it is built. */
  #admitSoon(): void {
    if (this.#isAdmitting || this.#waiting.length === 0) return;
    this.#isAdmitting = true;
    const admit = (): void => {
      this.#isAdmitting = false;
      this.#admit();
      this.#admitSoon();
    };
    if (this.#findAdmissible().length === 0) setTimeout(admit, ROOM_CHECK_MS);
    else setImmediate(admit);
  }

  #admit(): void {
    const now = performance.now();
    if (now - this.#lookedAt >= ROOM_CHECK_MS) this.#lookAtAll(now);
    if (this.#isLeaving) return;
    const admissible = this.#findAdmissible();
    // After a long wait, the clients that sent the most recent requests are the most likely to still be connected.
    const next = admissible.some(isPressing) ? admissible.at(-1) : admissible[0];
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    next.settle(true);
  }

  #findAdmissible(): readonly Waiting[] {
    if (!this.#isOver(this.#limits.unreadBytes)) return this.#waiting;
    return this.#waiting.filter(({ mostBytes }) => this.#bytes <= mostBytes);
  }

  #lookAtAll(now: number): void {
    this.#lookedAt = now;
    for (const socket of this.#connections) this.#look(socket, now);
    for (const each of this.#waiting) each.looks += 1;
    const isLate = ({ since }: Waiting): boolean => now - since >= LONGEST_WAIT_MS;
    const waitsInVain = (each: Waiting): boolean => isLate(each) || each.response.destroyed;
    for (const { settle } of this.#waiting.filter(waitsInVain)) settle(false);
    this.#waiting = this.#waiting.filter((each) => !waitsInVain(each));
    if (this.#waiting.some(isPressing)) this.#makeRoom();
  }

  /**
   * Disconnects clients one by one, starting with those that have read the least. If several have read the same amount, the one with the
   * most unread bytes comes first.
   */
  #makeRoom(): void {
    const slow = [...this.#connections]
      .map((socket) => ({ socket, unread: measureUnread(socket), reading: this.#readings.get(socket) }))
      .filter(({ unread, reading }) => hardlyReads(unread, reading))
      .sort((one, other) => (one.reading?.taken ?? 0) - (other.reading?.taken ?? 0) || other.unread - one.unread);
    const doomed: Socket[] = [];
    for (const { socket } of slow) {
      if (!this.#isOver(this.#limits.unreadBytes)) break;
      doomed.push(socket);
      socket.destroy();
    }
    this.#tell(doomed, 'clients were disconnected because of too many unread responses');
  }

  #isOver(most: number): boolean {
    return this.#bytes > most && this.#add() > most;
  }

  #add(): number {
    const counted = new Set<Buffer>();
    this.#bytes = 0;
    for (const socket of this.#connections) {
      this.#bytes += measureUnread(socket);
      const shared = socket.destroyed ? undefined : this.#shared.get(socket);
      if (shared === undefined) continue;
      if (counted.has(shared)) this.#bytes -= Math.min(shared.length, socket.writableLength);
      counted.add(shared);
    }
    return this.#bytes;
  }

  #look(socket: Socket, now: number): Reading | undefined {
    if (socket.writableLength === 0) {
      this.#readings.delete(socket);
      return undefined;
    }
    const left = measureLeft(socket);
    const reading = this.#readings.get(socket);
    if (reading === undefined) {
      const first = { left, readAt: now, looks: 0, taken: 0 };
      this.#readings.set(socket, first);
      return first;
    }
    if (reading.left !== left) reading.readAt = now;
    reading.looks += 1;
    reading.taken += Math.max(0, reading.left - left);
    reading.left = left;
    return reading;
  }

  #tell(disconnected: readonly Socket[], message: string): void {
    if (disconnected.length > 0) this.#log.warn({ connections: disconnected.length }, message);
  }
}

function isPressing({ looks }: Waiting): boolean {
  return looks >= PATIENT_LOOKS;
}

function hardlyReads(unread: number, reading: Reading | undefined): boolean {
  if (reading === undefined) return unread >= MOST_WAITING_REQUESTS_BYTES;
  return reading.looks >= PATIENT_LOOKS && (reading.taken / reading.looks) * MOST_LOOKS < reading.left;
}

/** The memory that a connection's unread responses take up. */
function measureUnread(socket: Socket): number {
  return socket.destroyed ? 0 : socket.writableLength + countWaiting(socket) * WAITING_REQUEST_BYTES;
}

/**
 * The bytes that the operating system has not accepted yet. A stream counts a whole chunk as unsent until its last byte has been sent,
 * and a response is one chunk. The handle counts individual bytes. Node does not document the property, but its own timeout reads it too.
 */
function measureLeft(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const queued: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return socket.writableLength + (typeof queued === 'number' ? queued : 0);
}
