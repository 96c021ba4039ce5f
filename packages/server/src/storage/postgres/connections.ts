// Connections to one server: few, so that many nodes can share it; nobody waits for one without an end, nor in a line
// without one.

import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { type PoolFigures, StorageUnavailable } from '../engine.ts';
import { translatePostgresError } from './postgres-errors.ts';
import { findSession } from './session.ts';

/**
 * The connections of one process, at most. A server allows a hundred unless it is told otherwise, and nodes have several
 * processes. The files in deploy/ and docs/guides/scaling.md calculate with these numbers.
 */
export const MOST_READERS = 8;
export const MOST_CONNECTIONS = {
  /**
   * Readers, one writer, one that listens for notifications, one that asks for the newest moment, two of the thread for large calls,
   * and one of the thread for large answers.
   */
  toPrimary: MOST_READERS + 6,
  /** Readers, and one that asks for the newest moment. */
  toReplica: MOST_READERS + 1,
} as const;

/** Who gets no connection for so long is told that the database cannot be used. */
const LONGEST_WAIT_MS = 1000;
/** More are refused at once: they would wait in vain. */
const MOST_WAITING = 500;
const IDLE_MS = 30_000;
/** What is under way at the end has so long to come to its own. */
const LONGEST_END_MS = 2000;

export class Connections {
  readonly #pool: Pool;
  readonly #clients = new Set<PoolClient>();
  readonly #used = new Set<PoolClient>();

  /** @param onConnect told of each new connection, before anybody else has it */
  constructor(url: string, most: number, onConnect: (client: Client) => void = () => {}) {
    this.#pool = new Pool({
      ...buildConfig(url),
      max: most,
      connectionTimeoutMillis: LONGEST_WAIT_MS,
      idleTimeoutMillis: IDLE_MS,
      // What follows is sent without waiting for the answer to what came before.
      pipeline: true,
    });
    // A connection that ends is missed by whoever uses it, and by nobody else.
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

  /** @param longestWaitMs where it must be less than anybody waits */
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
    // One that comes too late goes to the next who asks.
    promise.catch(() => opening.then((client) => client.release())).catch(() => {});
    return promise;
  }

  /** Ends all connections there are, without a word to the server: whatever was asked on them fails. */
  cut(): void {
    for (const client of this.#clients) cutClient(client);
  }

  /** The same with those that nobody uses, so that nobody has to find out what has become of them. */
  cutIdle(): void {
    for (const client of this.#clients) if (!this.#used.has(client)) cutClient(client);
  }

  get figures(): PoolFigures {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async end(): Promise<void> {
    // A server that cannot be reached says no goodbye.
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

/** `sslmode` means what it means to all other programs: `require` encrypts, `verify-full` looks at the certificate. */
function asLibpqReadsIt(url: string): string {
  if (!url.includes('sslmode=') || url.includes('uselibpqcompat=')) return url;
  return `${url}&uselibpqcompat=true`;
}

/**
 * Gives a connection back once its transaction is over, or ends it where another one would do better; nobody waits for
 * that, and what comes next is sent behind it.
 */
export function endTransaction(client: PoolClient, word: 'commit' | 'rollback'): void {
  client.query(word).catch(() => {});
  client.release(findSession(client)?.mustEnd(performance.now()));
}

/** Where the work is not done in time, the connection is cut under it, and it fails. */
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
  // A process that was busy looks at what came in meanwhile first.
  const timer = setTimeout(() => setImmediate(end), limitMs);
  try {
    return await work();
  } catch (error) {
    // To the driver, it looks like a connection that the server has ended.
    throw isCut ? new StorageUnavailable('The database does not answer', { cause: error }) : error;
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

export function cutClient(client: Client): void {
  client.connection.stream.destroy();
}

/** What may be told of an address: no user, no password, no parameters. */
export function nameDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
