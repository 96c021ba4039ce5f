// Manages all open streams in this process: sends heartbeats, and disconnects clients that do not read.

import type { ServerResponse } from 'node:http';
import type { UnreadAnswers } from '../../http/unread-answers.ts';
import { HEARTBEAT } from './render-changes.ts';

export interface StreamLimits {
  /** After this time without an event, a comment tells the client, and the proxies along the way, that the stream is alive. */
  readonly heartbeatMs: number;
  /** A client that does not read an event for this long is disconnected. */
  readonly unreadMs: number;
  readonly lookMs: number;
}

export const STREAM_LIMITS: StreamLimits = Object.freeze({
  heartbeatMs: 15_000,
  unreadMs: 60_000,
  lookMs: 1000,
});

export interface StreamParts {
  readonly unread: Pick<UnreadAnswers, 'noteAnswer' | 'noteShared'>;
  /** Whether the service is stopping. If so, it does not wait for clients that do not read. */
  readonly isStopping: () => boolean;
}

export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #parts: StreamParts;
  readonly #streams = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: StreamLimits, parts: StreamParts) {
    this.#limits = limits;
    this.#parts = parts;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Call this after the head of the response has been written. */
  open(response: ServerResponse): EventStream {
    const stream = new EventStream(response, this.#limits.heartbeatMs, this.#parts.unread);
    // The client may have disconnected before the stream began.
    if (stream.isOver) return stream;
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#look(), this.#limits.lookMs);
    response.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    return stream;
  }

  #look(): void {
    const { isStopping } = this.#parts;
    const now = performance.now();
    const mostMs = isStopping() ? this.#limits.lookMs : this.#limits.unreadMs;
    for (const stream of this.#streams) {
      const unreadMs = stream.unreadMs(now);
      if (unreadMs >= mostMs) stream.cut();
      else if (unreadMs > 0) stream.countUnread();
      else stream.beat(now);
    }
  }
}

/**
 * An open response to which events are written one at a time: the next event is not even read until the client has accepted the previous
 * one.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeatMs: number;
  readonly #unread: StreamParts['unread'];
  #beatAt: number;
  /** When the latest event was written, if it has not been sent yet. */
  #writtenAt: number | undefined;
  #settle: (() => void) | undefined;

  constructor(response: ServerResponse, heartbeatMs: number, unread: StreamParts['unread']) {
    this.#response = response;
    this.#heartbeatMs = heartbeatMs;
    this.#unread = unread;
    this.#beatAt = this.#drawBeat(performance.now());
    response.once('close', () => this.#settle?.());
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /**
   * Resolves when the operating system has accepted the bytes, or when the client has disconnected.
   * @param event other streams may get the same buffer
   */
  async send(event: Buffer | string): Promise<void> {
    if (this.isOver) return;
    const { socket } = this.#response;
    const { promise, resolve } = Promise.withResolvers<void>();
    const now = performance.now();
    this.#writtenAt = now;
    this.#beatAt = this.#drawBeat(now);
    this.#settle = resolve;
    if (socket !== null && typeof event !== 'string') this.#unread.noteShared(socket, event);
    this.#response.write(event, () => resolve());
    await promise;
    if (socket !== null) this.#unread.noteShared(socket, undefined);
    this.#settle = undefined;
    this.#writtenAt = undefined;
  }

  /**
   * Returns a random time slightly before the heartbeat is due, to allow for the delay until the next check. It is random so that streams
   * that get the same event do not all send their heartbeats at the same moment.
   */
  #drawBeat(now: number): number {
    return now + this.#heartbeatMs * (0.7 + Math.random() / 5);
  }

  /** How long the last event has been waiting for the client to accept it; 0 if it has been accepted. */
  unreadMs(now: number): number {
    return this.#writtenAt === undefined ? 0 : Math.max(1, now - this.#writtenAt);
  }

  countUnread(): void {
    const { socket } = this.#response;
    if (socket !== null) this.#unread.noteAnswer(socket);
  }

  beat(now: number): void {
    if (now < this.#beatAt || this.isOver) return;
    this.#beatAt = this.#drawBeat(now);
    this.#response.write(HEARTBEAT);
  }

  /** @param last a final event or comment */
  end(last = ''): void {
    if (!this.isOver) this.#response.end(last);
  }

  cut(): void {
    this.#response.destroy();
  }
}
