// Tracks a server's latest stamp, and when it was confirmed. The watch queries the server a few times a second on a separate connection,
// and each read reports the stamp that it saw. A listener on another connection is notified of new stamps, so the watch can query the
// server immediately.

import type { Client } from 'pg';
import { createClient, cutClient, withinTime } from './connections.ts';
import { LISTEN_FOR_MOMENTS, readMoment, SELECT_MOMENT } from './moments.ts';
import { sendText } from './run-procedure.ts';

const LONGEST_LOOK_PAUSE_MS = 250;
const SHORTEST_LOOK_PAUSE_MS = 20;
/** A server that does not respond to the simplest query within this time counts as unreachable. */
const LONGEST_ANSWER_MS = 700;

export interface WatchOptions {
  /** How long a stamp counts as the latest after the server has confirmed it. */
  readonly freshnessMs: number;
  /** Called each time the server fails to respond. */
  readonly onFailure?: () => void;
  /** Called each time a newer stamp is seen. */
  readonly onNewest?: (stamp: number) => void;
}

export class StampWatch {
  readonly #url: string;
  readonly #freshnessMs: number;
  readonly #onFailure: () => void;
  readonly #onNewest: (stamp: number) => void;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #mustLookAgain = false;
  #isRunning = false;
  #isClosed = false;
  #newest: number | undefined;
  /** The latest stamp reported by the server itself, and the time of that report. */
  #shown = Number.NEGATIVE_INFINITY;
  #shownSince = 0;
  #verifiedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isStandby = false;
  #failures = 0;

  constructor(url: string, { freshnessMs, onFailure = () => {}, onNewest = () => {} }: WatchOptions) {
    this.#url = url;
    this.#freshnessMs = freshnessMs;
    this.#onFailure = onFailure;
    this.#onNewest = onNewest;
  }

  /** The latest stamp seen so far, even if that was long ago. */
  get newest(): number | undefined {
    return this.#newest;
  }

  /** Whether the server is a replica, according to its last response. */
  get isStandby(): boolean {
    return this.#isStandby;
  }

  /** The number of queries without a response. */
  get failures(): number {
    return this.#failures;
  }

  /** How long ago the latest stamp was confirmed; undefined before the first confirmation. */
  get ageMs(): number | undefined {
    return this.#newest === undefined ? undefined : performance.now() - this.#verifiedAt;
  }

  /** Whether the latest stamp was confirmed within the configured freshness period. */
  get isFresh(): boolean {
    return performance.now() - this.#verifiedAt < this.#freshnessMs;
  }

  /** The latest stamp, if it is fresh. */
  peek(): number | undefined {
    return this.isFresh ? this.#newest : undefined;
  }

  /** How long ago the server was last reached, if the last attempt to reach it failed; otherwise undefined. */
  get outageMs(): number | undefined {
    return this.#isRunning && this.#failedAt > this.#verifiedAt ? performance.now() - this.#verifiedAt : undefined;
  }

  /**
   * @param stamp the stamp that a read saw
   * @param askedAt when the read was requested; no newer stamp existed at that time
   */
  note(stamp: number, askedAt: number): void {
    // The server had reported a newer stamp before this request, so it now has a different history, for example after a restore.
    const isOtherHistory = stamp < this.#shown && askedAt > this.#shownSince;
    if (stamp > this.#shown || isOtherHistory) {
      this.#shown = stamp;
      this.#shownSince = performance.now();
    }
    if (isOtherHistory) this.#newest = undefined;
    this.raise(stamp);
    this.#verifiedAt = Math.max(this.#verifiedAt, askedAt);
  }

  /** Records a stamp that was seen on another server. From now on, no older stamp counts as the latest. */
  raise(stamp: number): void {
    if (this.#newest !== undefined && stamp <= this.#newest) return;
    this.#newest = stamp;
    this.#onNewest(stamp);
  }

  noteFailure(): void {
    this.#failedAt = performance.now();
  }

  start(): void {
    this.#isRunning = true;
    this.look();
  }

  /** Queries the server now, or after the current query if one is running. */
  look(): void {
    if (this.#isClosed) return;
    if (this.#looking !== undefined) {
      this.#mustLookAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#looking = this.#ask().finally(() => this.#pause());
  }

  #pause(): void {
    this.#looking = undefined;
    if (this.#isClosed) return;
    const pauseMs = this.#mustLookAgain ? 0 : Math.max(SHORTEST_LOOK_PAUSE_MS, this.#freshnessMs / 4);
    this.#mustLookAgain = false;
    this.#timer = setTimeout(() => this.look(), Math.min(LONGEST_LOOK_PAUSE_MS, pauseMs));
  }

  async #ask(): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      const client = this.#client;
      const askedAt = performance.now();
      const rows = await withinTime(client, LONGEST_ANSWER_MS, () => sendText(client, SELECT_MOMENT));
      const { stamp, isStandby } = readMoment(rows);
      this.#isStandby = isStandby;
      this.note(stamp, askedAt);
    } catch {
      this.#cut();
      this.#failures += 1;
      this.noteFailure();
      this.#onFailure();
    }
  }

  async #connect(): Promise<Client> {
    const client = createClient(this.#url, LONGEST_ANSWER_MS);
    try {
      await client.connect();
      return client;
    } catch (error) {
      cutClient(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#cut();
    await this.#looking;
    this.#cut();
  }

  #cut(): void {
    if (this.#client !== undefined) cutClient(this.#client);
    this.#client = undefined;
  }
}

const LONGEST_CONNECT_MS = 2000;
const FIRST_CONNECT_PAUSE_MS = 50;
const LONGEST_CONNECT_PAUSE_MS = 2000;

/**
 * Only provides hints. If the connection is closed or a pooler does not forward notifications, the watch finds new stamps a little
 * later.
 */
export class MomentListener {
  readonly #url: string;
  readonly #onMoment: () => void;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_CONNECT_PAUSE_MS;
  #isUp = false;
  #isClosed = false;

  /** @param onMoment is also called if notifications may have been missed */
  constructor(url: string, onMoment: () => void) {
    this.#url = url;
    this.#onMoment = onMoment;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  start(): void {
    const client = createClient(this.#url, LONGEST_CONNECT_MS);
    this.#client = client;
    client.on('notification', this.#onMoment);
    client.once('end', () => this.#startAgain());
    this.#listen(client).catch(() => cutClient(client));
  }

  async #listen(client: Client): Promise<void> {
    await client.connect();
    await client.query(LISTEN_FOR_MOMENTS);
    this.#isUp = true;
    this.#pauseMs = FIRST_CONNECT_PAUSE_MS;
    this.#onMoment();
  }

  #startAgain(): void {
    this.#isUp = false;
    if (this.#isClosed) return;
    // The pause is random, so nodes that lose their connections at the same time do not all reconnect together.
    this.#timer = setTimeout(() => this.start(), this.#pauseMs * (0.5 + Math.random() / 2));
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_CONNECT_PAUSE_MS);
  }

  /** Closes the connection. A new connection is opened afterwards. */
  cut(): void {
    if (this.#client !== undefined) cutClient(this.#client);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.cut();
  }
}
