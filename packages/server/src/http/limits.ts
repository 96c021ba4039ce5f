// How much of everything a client may ask of the HTTP layer before it is turned away.

export interface HttpLimits {
  /** The request line and all header fields together, in bytes. */
  readonly headerBytes: number;
  /** The request target, in characters. */
  readonly urlLength: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A client that reads nothing of its answer for this long is disconnected. */
  readonly unreadTimeoutMs: number;
  /** What all clients together may leave unread before lists have to wait; twice as much before all else has to. */
  readonly unreadBytes: number;
  readonly timeoutCheckMs: number;
  /** How long a client that still sends is listened to after its answer has left. */
  readonly lingerMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = Object.freeze({
  headerBytes: 16 * 1024,
  urlLength: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than the 60 seconds of common load balancers, so that they close idle connections and not we.
  keepAliveTimeoutMs: 72_000,
  unreadTimeoutMs: 60_000,
  unreadBytes: 32 * 1024 * 1024,
  timeoutCheckMs: 1_000,
  lingerMs: 2_000,
});
