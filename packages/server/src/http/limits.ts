// Limits of the HTTP layer for clients.

export interface HttpLimits {
  /** The request line and all header fields together, in bytes. */
  readonly headerBytes: number;
  /** The request target, in characters. */
  readonly urlLength: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A client that reads nothing of its answer for this long gets disconnected. */
  readonly unreadTimeoutMs: number;
  /** How many bytes all clients together may leave unread before lists have to wait. Everything else waits at twice as much. */
  readonly unreadBytes: number;
  readonly timeoutCheckMs: number;
  /** How long we read from a client that is still sending after its answer has left. */
  readonly lingerMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = Object.freeze({
  headerBytes: 16 * 1024,
  urlLength: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than the 60 seconds of common load balancers, so that they close idle connections before we do.
  keepAliveTimeoutMs: 72_000,
  unreadTimeoutMs: 60_000,
  unreadBytes: 32 * 1024 * 1024,
  timeoutCheckMs: 1_000,
  lingerMs: 2_000,
});
