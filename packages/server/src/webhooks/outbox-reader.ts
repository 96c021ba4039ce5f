// Keeps the queue up to date with the database, where other processes add calls and remove them.

import type { Procedure } from '../storage/statement.ts';
import type { Storage } from '../storage/storage.ts';
import { type Lease, selectLease } from '../storage/webhooks/leases.ts';
import {
  selectContentsOfCalls,
  selectWaitingCalls,
  selectWebhookPlaces,
  type WaitingCall,
  type WebhookPlace,
} from '../storage/webhooks/outbox.ts';
import type { CallQueue } from './call-queue.ts';
import { LEASE, type SenderLease } from './sender-lease.ts';

export interface OutboxState {
  readonly lease: Lease | undefined;
  /** Whether another process has the lease. If so, nothing else is read. */
  readonly isElsewhere: boolean;
  readonly places: readonly WebhookPlace[];
}

interface ReadState extends OutboxState {
  readonly waiting: readonly WaitingCall[];
  readonly contents: ReadonlyMap<number, readonly string[]>;
}

/** How often to check the lease, and to read everything that is waiting, because calls may have been removed. */
export const READ_ALL_EVERY_MS = 1000;
/** The more calls are waiting, the less often they are read: each waiting call lengthens the interval by this much. */
const READ_ALL_LATER_MS = 0.5;
const READ_ALL_SELDOM_MS = 30_000;

export class OutboxReader {
  readonly #storage: Storage;
  readonly #queue: CallQueue;
  readonly #lease: SenderLease;
  #readAllAt = 0;

  constructor(storage: Storage, queue: CallQueue, lease: SenderLease) {
    this.#storage = storage;
    this.#queue = queue;
    this.#lease = lease;
  }

  /** Makes the next read include all waiting calls, not only new ones. */
  readAllNext(): void {
    this.#readAllAt = 0;
  }

  get readsAllNext(): boolean {
    return this.#readAllAt === 0;
  }

  async read(at: number): Promise<OutboxState> {
    const everyMs = Math.min(READ_ALL_SELDOM_MS, READ_ALL_EVERY_MS + this.#queue.size * READ_ALL_LATER_MS);
    const readsAll = at - this.#readAllAt >= everyMs || at < this.#readAllAt;
    const state = await this.#storage.read(this.#select(at, readsAll ? 0 : this.#queue.last));
    if (state.isElsewhere) return state;
    this.#queue.add(state.waiting, state.contents);
    if (readsAll) {
      this.#queue.keepOnly(state.waiting);
      this.#readAllAt = at;
    }
    return state;
  }

  /** @param after only calls with a higher number are read */
  *#select(at: number, after: number): Procedure<ReadState> {
    const lease = yield* selectLease(LEASE);
    const isElsewhere = this.#lease.isElsewhere(lease, at);
    if (isElsewhere) return { lease, isElsewhere, places: [], waiting: [], contents: new Map() };
    const places = yield* selectWebhookPlaces();
    const waiting = yield* selectWaitingCalls(after);
    const contents = yield* selectContentsOfCalls(waiting.map(({ no }) => no).filter((no) => !this.#queue.has(no)));
    return { lease, isElsewhere, places, waiting, contents };
  }
}
