// Connections to one server. Each process uses only a few of them, to allow many nodes to share the server. The waiting time and the length
// of the queue are limited.

import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { type PoolFigures, StorageUnavailable } from '../engine.ts';
import { translatePostgresError } from './postgres-errors.ts';
import { findSession } from './session.ts';

/**
 * The maximum number of connections for one process. By default a server allows a hundred, and nodes have several processes. The files
 * in deploy/ and docs/guides/scaling.md use these numbers in their calculations.
 */
export const MOST_READERS = 8;
export const MOST_CONNECTIONS = {
  /**
   * Connections for the readers, one for the writer, one to listen for notifications, one to query the latest stamp, two for the thread
   * that handles large saves, and one for the thread that builds large responses.
   */
  toPrimary: MOST_READERS + 6,
  /** Connections for the readers, and one to query the latest stamp. */
  toReplica: MOST_READERS + 1,
} as const;

/** If no connection becomes available within this time, the database counts as unavailable. */
const LONGEST_WAIT_MS = 1000;
/**
 * If this many requests are already waiting for a connection, further requests are refused immediately, because they
 * would not get a connection in time.
 */
const MOST_WAITING = 500;
const IDLE_MS = 30_000;
/** When connections are closed, queries in flight have this long to finish. */
const LONGEST_END_MS = 2000;

export class Connections {
  readonly #pool: Pool;
  readonly #clients = new Set<PoolClient>();
  readonly #used = new Set<PoolClient>();
  readonly #longestWaitMs: number;

  /** @param onConnect receives each new connection before it is used */
  constructor(
    url: string,
    most: number,
    onConnect: (client: Client) => void = () => {},
    longestWaitMs = LONGEST_WAIT_MS,
  ) {
    this.#longestWaitMs = longestWaitMs;
    this.#pool = new Pool({
      ...buildConfig(url),
      max: most,
      connectionTimeoutMillis: longestWaitMs,
      idleTimeoutMillis: IDLE_MS,
      // Queries are sent without waiting for the results of earlier ones.
      pipeline: true,
    });
    // Errors on unused connections can be ignored. Errors on connections in use are reported to the code that uses them.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => {
      client.on('error', () => {});
      this.#clients.add(client);
      client.once('end', () => this.#clients.delete(client));
      onConnect(client);
    });
    this.#pool.on('acquire', (client) => this.#used.add(client));
    this.#pool.on('release', (_error, client) => this.#used.delete(client));
  }

  /** @param longestWaitMs the maximum wait, if it is shorter than usual */
  async open(longestWaitMs = this.#longestWaitMs): Promise<PoolClient> {
    if (this.#pool.waitingCount >= MOST_WAITING) {
      throw new StorageUnavailable(`More than ${MOST_WAITING} callers are waiting for a database connection`);
    }
    const mayHaveToWait = longestWaitMs < this.#longestWaitMs && this.#pool.idleCount === 0;
    try {
      return await (mayHaveToWait ? this.#openWithin(longestWaitMs) : this.#pool.connect());
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  #openWithin(limitMs: number): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const timer = setTimeout(() => reject(new StorageUnavailable('Connecting to the database took too long')), limitMs);
    const opening = this.#pool.connect();
    opening.then(resolve, reject).finally(() => clearTimeout(timer));
    // A connection that becomes available too late is returned to the pool.
    promise.catch(() => opening.then((client) => client.release())).catch(() => {});
    return promise;
  }

  /** Closes all connections without notifying the server. Queries in flight fail. */
  cut(): void {
    for (const client of this.#clients) cutClient(client);
  }

  /** Closes idle connections, because some of them may be dead. */
  cutIdle(): void {
    for (const client of this.#clients) if (!this.#used.has(client)) cutClient(client);
  }

  get figures(): PoolFigures {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async end(): Promise<void> {
    // An unreachable server never confirms that a connection has closed.
    const timer = setTimeout(() => this.cut(), LONGEST_END_MS);
    await this.#pool.end();
    await Promise.all([...this.#clients].map((client) => new Promise((resolve) => client.once('end', resolve))));
    clearTimeout(timer);
  }
}

/** A connection outside the pool. */
export function createClient(url: string, longestWaitMs: number): Client {
  const client = new Client({ ...buildConfig(url), connectionTimeoutMillis: longestWaitMs });
  client.on('error', () => {});
  return client;
}

function buildConfig(url: string): ClientConfig {
  return {
    connectionString: asLibpqReadsIt(url),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'galley',
  };
}

/** `sslmode` has the same meaning as in libpq: `require` encrypts, and `verify-full` also checks the certificate. */
function asLibpqReadsIt(url: string): string {
  if (!url.includes('sslmode=') || url.includes('uselibpqcompat=')) return url;
  return `${url}&uselibpqcompat=true`;
}

/** Ends the transaction and releases the connection. This is not awaited, because the next query is sent right after it. */
export function endTransaction(client: PoolClient, word: 'commit' | 'rollback'): void {
  client.query(word).catch(() => {});
  releaseClient(client);
}

/** Returns the connection to the pool, or closes it if it should be replaced. */
export function releaseClient(client: PoolClient): void {
  client.release(findSession(client)?.mustEnd(performance.now()));
}

/** If the work is not done in time, its connection is closed and the work fails. */
export async function withinTime<Outcome>(
  client: Client,
  limitMs: number,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  let isDone = false;
  let isCut = false;
  const end = (): void => {
    if (isDone) return;
    isCut = true;
    cutClient(client);
  };
  // If the process was busy, the response may have arrived already, so it is read first.
  const timer = setTimeout(() => setImmediate(end), limitMs);
  try {
    return await work();
  } catch (error) {
    // The driver's own error would wrongly say that the server closed the connection.
    throw isCut ? new StorageUnavailable('The database is not responding', { cause: error }) : error;
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

export function cutClient(client: Client): void {
  client.connection.stream.destroy();
}

/** The part of a URL that can be shown, without the user, password or parameters. */
export function nameDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
