// Connections to one server: only a few, so that many nodes can share it. The wait for one is limited, and so is the queue.

import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { type PoolFigures, StorageUnavailable } from '../engine.ts';
import { translatePostgresError } from './postgres-errors.ts';
import { findSession } from './session.ts';

/**
 * The most connections of one process. By default a server allows a hundred, and nodes have several processes. The files in deploy/
 * and docs/guides/scaling.md calculate with these numbers.
 */
export const MOST_READERS = 8;
export const MOST_CONNECTIONS = {
  /**
   * Readers, one writer, one that listens for notifications, one that asks for the newest moment, two for the thread for large calls,
   * and one for the thread for large answers.
   */
  toPrimary: MOST_READERS + 6,
  /** Readers, and one that asks for the newest moment. */
  toReplica: MOST_READERS + 1,
} as const;

/** Without a connection after this time, the database counts as unavailable. */
const LONGEST_WAIT_MS = 1000;
/** More are refused at once, since they would not get a connection in time. */
const MOST_WAITING = 500;
const IDLE_MS = 30_000;
/** Queries in flight get this long to finish. */
const LONGEST_END_MS = 2000;

export class Connections {
  readonly #pool: Pool;
  readonly #clients = new Set<PoolClient>();
  readonly #used = new Set<PoolClient>();

  /** @param onConnect gets each new connection before anybody else uses it */
  constructor(url: string, most: number, onConnect: (client: Client) => void = () => {}) {
    this.#pool = new Pool({
      ...buildConfig(url),
      max: most,
      connectionTimeoutMillis: LONGEST_WAIT_MS,
      idleTimeoutMillis: IDLE_MS,
      // Queries are sent without waiting for the answers to the ones before.
      pipeline: true,
    });
    // Only the user of a connection needs to know when it ends.
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

  /** @param longestWaitMs if it must be less than the usual wait */
  async open(longestWaitMs = LONGEST_WAIT_MS): Promise<PoolClient> {
    if (this.#pool.waitingCount >= MOST_WAITING) {
      throw new StorageUnavailable(`More than ${MOST_WAITING} wait for a connection to the database`);
    }
    const mayHaveToWait = longestWaitMs < LONGEST_WAIT_MS && this.#pool.idleCount === 0;
    try {
      return await (mayHaveToWait ? this.#openWithin(longestWaitMs) : this.#pool.connect());
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  #openWithin(limitMs: number): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const timer = setTimeout(() => reject(new StorageUnavailable('No connection to the database in time')), limitMs);
    const opening = this.#pool.connect();
    opening.then(resolve, reject).finally(() => clearTimeout(timer));
    // A connection that comes too late goes back to the pool.
    promise.catch(() => opening.then((client) => client.release())).catch(() => {});
    return promise;
  }

  /** Closes all connections without telling the server. Queries in flight fail. */
  cut(): void {
    for (const client of this.#clients) cutClient(client);
  }

  /** Closes idle connections, so that no query is sent on one that may be dead. */
  cutIdle(): void {
    for (const client of this.#clients) if (!this.#used.has(client)) cutClient(client);
  }

  get figures(): PoolFigures {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async end(): Promise<void> {
    // An unreachable server does not answer the goodbye.
    const timer = setTimeout(() => this.cut(), LONGEST_END_MS);
    await this.#pool.end();
    await Promise.all([...this.#clients].map((client) => new Promise((resolve) => client.once('end', resolve))));
    clearTimeout(timer);
  }
}

/** A connection outside any pool. */
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

/** `sslmode` means the same as in libpq: `require` encrypts, `verify-full` also checks the certificate. */
function asLibpqReadsIt(url: string): string {
  if (!url.includes('sslmode=') || url.includes('uselibpqcompat=')) return url;
  return `${url}&uselibpqcompat=true`;
}

/**
 * Ends the transaction and returns the connection to the pool, or closes it if a new one would be better. Nobody waits for that: the
 * next query is sent right after it.
 */
export function endTransaction(client: PoolClient, word: 'commit' | 'rollback'): void {
  client.query(word).catch(() => {});
  client.release(findSession(client)?.mustEnd(performance.now()));
}

/** If the work is not done in time, its connection is closed, and it fails. */
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
  // If the process was busy, the answer may already be there: read it first.
  const timer = setTimeout(() => setImmediate(end), limitMs);
  try {
    return await work();
  } catch (error) {
    // The driver thinks that the server has closed the connection.
    throw isCut ? new StorageUnavailable('The database does not answer', { cause: error }) : error;
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

export function cutClient(client: Client): void {
  client.connection.stream.destroy();
}

/** The part of a URL that may be shown: without user, password and parameters. */
export function nameDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
