// Answers that clients do not read stay in our memory. A client that reads nothing for a minute is disconnected. All clients together
// may leave so many bytes unread; beyond that, those that have not read for the longest time are disconnected at once, so
// that nobody else has to wait for them.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { HttpLimits } from './limits.ts';
import { countWaiting } from './wait-for-turn.ts';

/** About what Node keeps of a parsed request and its response. */
const WAITING_REQUEST_BYTES = 4 * 1024;

interface Reading {
  /** What was left to send when we last looked. */
  left: number;
  /** When some of it was last seen to leave. */
  readAt: number;
}

export interface UnreadAnswersOptions {
  readonly connections: ReadonlySet<Socket>;
  readonly limits: HttpLimits;
  readonly log: Logger;
}

export class UnreadAnswers {
  readonly #connections: ReadonlySet<Socket>;
  readonly #limits: HttpLimits;
  readonly #log: Logger;
  readonly #readings = new WeakMap<Socket, Reading>();
  /** No less than what is unread now: what was unread when it was last added up, and all that came since. */
  #mostUnread = 0;

  constructor({ connections, limits, log }: UnreadAnswersOptions) {
    this.#connections = connections;
    this.#limits = limits;
    this.#log = log;
  }

  /** Told of each answer that did not leave at once. */
  noteAnswer(socket: Socket): void {
    this.#update(socket);
    this.#add(socket.writableLength);
  }

  /** Told of each request that has to wait for the answer before it. */
  noteWaiting(): void {
    this.#add(WAITING_REQUEST_BYTES);
  }

  watch(server: Server): void {
    server.on('listening', () => {
      const timer = setInterval(() => this.#look(), this.#limits.timeoutCheckMs);
      timer.unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  #add(bytes: number): void {
    this.#mostUnread += bytes;
    if (this.#mostUnread > this.#limits.unreadBytes) this.#makeRoom();
  }

  #look(): void {
    const longestMs = this.#limits.unreadTimeoutMs;
    const stalled = [...this.#connections].filter((socket) => this.#update(socket) >= longestMs);
    this.#disconnect(stalled, 'clients were disconnected, they did not read their answers');
  }

  #makeRoom(): void {
    const slow = [...this.#connections]
      .map((socket) => ({ socket, unread: measureUnread(socket), idleMs: this.#update(socket) }))
      .filter(({ unread }) => unread > 0)
      .sort((one, other) => other.idleMs - one.idleMs || other.unread - one.unread);
    this.#mostUnread = slow.reduce((sum, { unread }) => sum + unread, 0);
    const doomed: Socket[] = [];
    for (const { socket, unread } of slow) {
      if (this.#mostUnread <= this.#limits.unreadBytes) break;
      this.#mostUnread -= unread;
      doomed.push(socket);
    }
    this.#disconnect(doomed, 'clients were disconnected, too many answers were unread');
  }

  /** For how long nothing of what waits for the client has left, as far as we have seen. */
  #update(socket: Socket): number {
    if (socket.writableLength === 0) {
      this.#readings.delete(socket);
      return 0;
    }
    const now = performance.now();
    const left = measureLeft(socket);
    const reading = this.#readings.get(socket);
    if (reading?.left === left) return now - reading.readAt;
    this.#readings.set(socket, { left, readAt: now });
    return 0;
  }

  #disconnect(sockets: readonly Socket[], message: string): void {
    if (sockets.length === 0) return;
    const unreadBytes = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0);
    this.#log.warn({ connections: sockets.length, unreadBytes }, message);
    for (const socket of sockets) socket.destroy();
  }
}

/** What a connection takes of our memory. */
function measureUnread(socket: Socket): number {
  return socket.writableLength + countWaiting(socket) * WAITING_REQUEST_BYTES;
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
