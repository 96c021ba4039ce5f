// The limits that the HTTP layer sets for clients.

export interface HttpLimits {
  /** The request line and all header fields together, in bytes. */
  readonly headerBytes: number;
  /** The request target, in characters. */
  readonly urlLength: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A client that reads none of its response for this long is disconnected. */
  readonly unreadTimeoutMs: number;
  /** The number of unread bytes, across all clients, above which lists have to wait. Above twice this number, everything else waits too. */
  readonly unreadBytes: number;
  readonly timeoutCheckMs: number;
  /** How long we keep reading from a client that is still sending after its response has been sent. */
  readonly lingerMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = Object.freeze({
  headerBytes: 16 * 1024,
  urlLength: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than the 60 seconds that load balancers commonly use: they must close idle connections before we do.
  keepAliveTimeoutMs: 72_000,
  unreadTimeoutMs: 60_000,
  unreadBytes: 32 * 1024 * 1024,
  timeoutCheckMs: 1_000,
  lingerMs: 2_000,
});
