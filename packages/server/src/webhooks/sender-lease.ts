// The lease that decides which process sends webhook calls. A process that loses it no longer records outcomes: the next holder will send
// those calls again.

import { randomBytes } from 'node:crypto';
import type { Procedure } from '../storage/statement.ts';
import { isHeldElsewhere, type Lease, releaseLease, takeLease } from '../storage/webhooks/leases.ts';

export const LEASE = 'webhooks';
const LEASE_MS = 20_000;
/** The process that is working keeps its lease for this long after it last did any work, so that processes do not take turns. */
const IDLE_MS = 60_000;

export class SenderLease {
  readonly #holder = randomBytes(12).toString('hex');
  readonly #lastsMs: number;
  #heldUntil = 0;
  #renewedAt = 0;
  #workedAt = 0;

  /** @param lastsMs how long the lease lasts without being renewed */
  constructor(lastsMs = LEASE_MS) {
    this.#lastsMs = lastsMs;
  }

  /** Whether this process may send calls. */
  isHeld(at: number): boolean {
    return at < this.#heldUntil;
  }

  /** Whether this process had the lease when it last took or renewed it. */
  get wasHeld(): boolean {
    return this.#heldUntil > 0;
  }

  isElsewhere(lease: Lease | undefined, at: number): boolean {
    return isHeldElsewhere(lease, this.#holder, at);
  }

  /** Whether the stored lease is this process's own. */
  isOwn(lease: Lease | undefined): boolean {
    return lease?.holder === this.#holder;
  }

  /** When to renew the lease; infinity if this process does not have it, or has been idle for a while. */
  renewAt(at: number, isBusy: boolean): number {
    const isActive = isBusy || at - this.#workedAt < IDLE_MS;
    return isActive && this.isHeld(at) ? this.#renewedAt + this.#lastsMs / 4 : Number.POSITIVE_INFINITY;
  }

  /** Takes or renews the lease. Returns false if another process has it. Call `note` once this is committed. */
  take(at: number): Procedure<boolean> {
    return takeLease(LEASE, this.#holder, at, this.#lastsMs);
  }

  /** @param hasWorked whether any calls were created or have ended */
  note(at: number, hasWorked: boolean): void {
    this.#heldUntil = at + this.#lastsMs;
    this.#renewedAt = at;
    if (hasWorked) this.#workedAt = at;
  }

  release(): Procedure<void> {
    return releaseLease(LEASE, this.#holder);
  }

  lose(): void {
    this.#heldUntil = 0;
  }
}
