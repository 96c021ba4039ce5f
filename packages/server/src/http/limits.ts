// How much of everything a client may ask of the HTTP layer before it is turned away.

export interface HttpLimits {
  /** The request line and all header fields together, in bytes. */
  readonly headerBytes: number;
  /** The request target, in characters. */
  readonly urlLength: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A client that reads nothing of its answer from one check to the next is dropped. */
  readonly stalledCheckMs: number;
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
  stalledCheckMs: 60_000,
  timeoutCheckMs: 1_000,
  lingerMs: 2_000,
});
