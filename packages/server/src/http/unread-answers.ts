// Answers that clients have not read yet stay in our memory, so there is room for so many bytes of them. While there is no
// room, large answers wait before they are made; small ones wait only while more than twice as much is unread. If any of them wait
// for longer than a moment, the clients that hardly read are disconnected. A client that reads nothing for a minute is disconnected
// anyway.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { countWaiting } from './wait-for-turn.ts';

/** About what Node keeps of a parsed request and its response. */
const WAITING_REQUEST_BYTES = 4 * 1024;
/** How often we look whether there is room, while somebody waits for it. */
const ROOM_CHECK_MS = 50;
/** How many looks an answer waits for room, and how many a client gets to read, before anybody is disconnected for it. */
const PATIENT_LOOKS = 10;
/** A client hardly reads if it would need more looks than this for the rest: half a minute. */
const MOST_LOOKS = 600;
/** So much of requests that wait for their turn is no honest client's. */
const MOST_WAITING_REQUESTS_BYTES = 256 * WAITING_REQUEST_BYTES;
const LONGEST_WAIT_MS = 10_000;

export interface UnreadAnswersOptions {
  readonly connections: ReadonlySet<Socket>;
  readonly log: Logger;
  readonly limits?: HttpLimits;
}

/** What we have seen of a client that leaves something unread. */
interface Reading {
  /** What was left to send at the last look. */
  left: number;
  /** When some of it was last seen to leave. */
  readAt: number;
  looks: number;
  /** What has left since the first look. */
  taken: number;
}

/** What is known of an answer before it is made. */
type ExpectedSize = 'small' | 'large';

interface Waiting {
  /** It is admitted while no more than this is unread. */
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
  /** No less than what is unread: what was unread when it was last added up, and all that came since. */
  #bytes = 0;
  /** Whether what was last made has had no chance to leave: nothing does before the event loop turns. */
  #isLeaving = false;
  /** The newest is the last. */
  #waiting: Waiting[] = [];
  #isAdmitting = false;
  #lookedAt = 0;

  constructor({ connections, log, limits = DEFAULT_LIMITS }: UnreadAnswersOptions) {
    this.#connections = connections;
    this.#log = log;
    this.#limits = limits;
  }

  /** Told of each answer that did not leave at once. */
  noteAnswer(socket: Socket): void {
    this.#bytes += socket.writableLength;
    if (!this.#readings.has(socket)) this.#look(socket, performance.now());
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    setImmediate(() => {
      this.#isLeaving = false;
    });
  }

  /** Told of each request that has to wait for the answer before it. */
  noteWaiting(): void {
    this.#bytes += WAITING_REQUEST_BYTES;
  }

  /** Whether any answer that is not made yet must wait. Large ones wait earlier, so nobody else waits because of them alone. */
  isOverfull(): boolean {
    return this.#isOver(this.#mostBytesFor('small'));
  }

  #mostBytesFor(size: ExpectedSize): number {
    return size === 'large' ? this.#limits.unreadBytes : 2 * this.#limits.unreadBytes;
  }

  /** Resolves when there is room; with false when there was none for too long, or the client has gone. */
  waitForRoom(response: ServerResponse, size: ExpectedSize = 'small'): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const mostBytes = this.#mostBytesFor(size);
    this.#waiting.push({ mostBytes, response, since: performance.now(), looks: 0, settle: resolve });
    this.#admitSoon();
    return promise;
  }

  /** From when it listens until it is closed. */
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
    this.#tell(stalled, 'clients were disconnected, they did not read their answers');
  }

  /** One at a time: before it is made, nobody knows how large an answer is. */
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
    // Where all have to wait for long, the newest are the ones whose clients still wait for them.
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

  /** The clients that have read least go first, of these the ones with most unread. */
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
    this.#tell(doomed, 'clients were disconnected, too many answers were unread');
  }

  #isOver(most: number): boolean {
    return this.#bytes > most && this.#add() > most;
  }

  #add(): number {
    this.#bytes = 0;
    for (const socket of this.#connections) this.#bytes += measureUnread(socket);
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

/** What a connection takes of our memory. */
function measureUnread(socket: Socket): number {
  return socket.destroyed ? 0 : socket.writableLength + countWaiting(socket) * WAITING_REQUEST_BYTES;
}

/**
 * The bytes that the system has not taken yet. A stream counts a chunk until the last byte of it has left, and an answer is one
 * chunk; the handle counts bytes. It is not in Node's documentation, though Node's own timeout reads the same property.
 */
function measureLeft(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const queued: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return socket.writableLength + (typeof queued === 'number' ? queued : 0);
}
