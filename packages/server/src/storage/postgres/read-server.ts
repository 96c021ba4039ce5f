// The servers used for reading (the primary and its replicas), with their connections and the latest known stamp of each.

import type { Client, PoolClient } from 'pg';
import { ConnectionLost, type PoolFigures, type ReplicaFigures, StorageUnavailable, TookTooLong } from '../engine.ts';
import { EMPTY_RESULT, type Procedure, type Query } from '../statement.ts';
import { Connections, endTransaction, MOST_READERS, nameDatabase, releaseClient, withinTime } from './connections.ts';
import { type Beginning, readStamp } from './moments.ts';
import { type LongStatements, runOn, runProcedure, sendQuery, sendStamped, sendText } from './run-procedure.ts';
import { buildOpenReading, findSession, type Session, startSession } from './session.ts';
import { StampWatch } from './stamp-watch.ts';

export const LONGEST_BEGIN_MS = 1000;
/** After the server has been unreachable for this long, all connections are closed, because the server may no longer recognise them. */
const CUT_AFTER_MS = 3000;

export interface RequestRead<Outcome> {
  readonly build: (stamp: number) => Procedure<Outcome>;
  /** The expected stamp. */
  readonly guess: number | undefined;
  /** Begins the transaction. The stamp is the only cell of the result. */
  readonly begin: Beginning;
  readonly isAtPrimary: boolean;
  readonly limitMs: number;
  readonly long: LongStatements;
  /** Receives the stamp of the snapshot, and can reject the snapshot by throwing an error. */
  readonly onStamp?: (stamp: number) => void;
}

/** A procedure that assumes this stamp, and its first query. */
interface Started<Outcome> {
  readonly procedure: Procedure<Outcome>;
  readonly step: IteratorResult<Query, Outcome>;
  readonly stamp: number;
}

function start<Outcome>(procedure: Procedure<Outcome>, stamp: number): Started<Outcome> {
  return { procedure, step: procedure.next(EMPTY_RESULT), stamp };
}

/** False if the statement needs settings for its transaction, or if there is no query and the outcome relies on the stamp alone. */
function mayRunAlone(step: IteratorResult<Query, unknown>): boolean {
  return step.done !== true && step.value.statement.isPlannedOnce && !step.value.statement.mayTakeLong;
}

/** A connection that is reserved for one read. */
export interface ReadConnection {
  readonly client: PoolClient;
  isInTransaction: boolean;
}

export interface ReadServerEvents {
  /**
   * Called when idle connections have been closed because the server did not respond, or when all connections have been closed because of
   * a long outage.
   */
  readonly onCut?: (isAll: boolean) => void;
  readonly onNewest?: (stamp: number) => void;
}

/** One server used for reading. */
export class ReadServer {
  readonly watch: StampWatch;
  readonly #connections: Connections;

  constructor(
    url: string,
    freshnessMs: number,
    { onCut = () => {}, onNewest = () => {} }: ReadServerEvents = {},
    connectionWaitMs?: number,
  ) {
    this.#connections = new Connections(
      url,
      MOST_READERS,
      (client) => openSession(client, buildOpenReading),
      connectionWaitMs,
    );
    this.watch = new StampWatch(url, {
      freshnessMs,
      onNewest,
      onFailure: () => {
        const isAll = (this.watch.outageMs ?? 0) > CUT_AFTER_MS;
        if (isAll) this.#connections.cut();
        else this.#connections.cutIdle();
        onCut(isAll);
      },
    });
  }

  get figures(): PoolFigures {
    return this.#connections.figures;
  }

  /** @param limitMs the time limit for everything, including the wait for a connection; undefined for no limit */
  async onConnection<Outcome>(
    limitMs: number | undefined,
    work: (connection: ReadConnection) => Promise<Outcome>,
  ): Promise<Outcome> {
    const startedAt = performance.now();
    try {
      const client = await this.#connections.open(limitMs);
      const connection = { client, isInTransaction: false };
      try {
        const leftMs = limitMs === undefined ? undefined : limitMs - (performance.now() - startedAt);
        const outcome =
          leftMs === undefined ? await work(connection) : await withinTime(client, leftMs, () => work(connection));
        endRead(connection, 'commit');
        return outcome;
      } catch (error) {
        endRead(connection, 'rollback');
        throw error;
      }
    } catch (error) {
      // A closed connection or a slow statement does not mean that the server is unreachable.
      const isServers = !(error instanceof ConnectionLost || error instanceof TookTooLong);
      if (error instanceof StorageUnavailable && isServers) this.watch.noteFailure();
      throw error;
    }
  }

  /** Begins a transaction, which ends when the connection is released. */
  async begin(connection: ReadConnection, text: string): Promise<number> {
    const { client } = connection;
    connection.isInTransaction = true;
    const askedAt = performance.now();
    const stamp = readStamp(await withinTime(client, LONGEST_BEGIN_MS, () => sendText(client, text)));
    this.watch.note(stamp, askedAt);
    return stamp;
  }

  readForRequest<Outcome>(read: RequestRead<Outcome>): Promise<Outcome> {
    return this.onConnection(read.limitMs, async (connection) => {
      const session = findSession(connection.client);
      const { build, guess, isAtPrimary } = read;
      const started = guess === undefined ? undefined : start(build(guess), guess);
      // A promoted replica must not be used, and only transactions check whether a replica has been promoted.
      if (session === undefined || started === undefined || !isAtPrimary || !mayRunAlone(started.step)) {
        return this.#readInTransaction(connection, session, read, started);
      }
      const outcome = await this.#readAtStamp(connection.client, session, started);
      if (outcome !== undefined) return outcome.value;
      const newest = this.watch.newest;
      const again = newest === undefined ? undefined : start(build(newest), newest);
      return this.#readInTransaction(connection, session, read, again);
    });
  }

  /**
   * Every write changes the stamp, so statements that return the same stamp have read the same state and do not need a transaction.
   * @returns undefined if the procedure must run in a transaction
   */
  async #readAtStamp<Outcome>(
    client: PoolClient,
    session: Session,
    { procedure, step: first, stamp }: Started<Outcome>,
  ): Promise<{ readonly value: Outcome } | undefined> {
    let step = first;
    while (!step.done) {
      if (!mayRunAlone(step)) return undefined;
      const { value: asked } = step;
      const askedAt = performance.now();
      const result = await withinTime(client, LONGEST_BEGIN_MS, () => sendStamped(client, asked, session));
      this.watch.note(result.stamp, askedAt);
      if (result.stamp !== stamp) return undefined;
      step = procedure.next(result);
    }
    return step;
  }

  /**
   * The first query is sent together with the query for the stamp, which saves a round trip. If the stamp has changed, the procedure is
   * restarted.
   */
  async #readInTransaction<Outcome>(
    connection: ReadConnection,
    session: Session | undefined,
    { build, begin, long, onStamp }: RequestRead<Outcome>,
    started: Started<Outcome> | undefined,
  ): Promise<Outcome> {
    const { client } = connection;
    const options = { session, long };
    const begun = this.begin(connection, session === undefined ? begin.anywhere : begin.inSession);
    // If the first query cannot be sent, no other code handles this error.
    begun.catch(() => {});
    const sent =
      started === undefined || started.step.done ? undefined : sendQuery(client, started.step.value, options);
    // The error is handled below, unless the query for the stamp fails first.
    sent?.catch(() => {});
    const stamp = await begun;
    onStamp?.(stamp);
    if (started === undefined || stamp !== started.stamp) return runProcedure(client, build(stamp), options);
    const { procedure, step } = started;
    if (step.done) return step.value;
    return runOn(client, procedure, procedure.next((await sent) ?? EMPTY_RESULT), options);
  }

  async close(): Promise<void> {
    await Promise.all([this.watch.close(), this.#connections.end()]);
  }
}

function endRead({ client, isInTransaction }: ReadConnection, word: 'commit' | 'rollback'): void {
  if (isInTransaction) endTransaction(client, word);
  else releaseClient(client);
}

/**
 * Determines whether a new connection is a direct connection to the server. A server reports the ID of its own process; PgBouncer makes
 * up an ID, because its server connections change. The result is not awaited. Until it arrives, the connection is treated as a
 * connection through a pooler.
 * @param build returns SQL that prepares the connection and returns a row, if the connection leads to the given process
 */
export function openSession(client: Client, build: (processId: number) => string): void {
  const processId = 'processID' in client ? client.processID : null;
  if (typeof processId !== 'number') return;
  sendText(client, build(processId)).then(
    (rows) => {
      if (rows.length > 0) startSession(client);
    },
    // If this fails, either the connection fails too, or it is treated as a connection through a pooler.
    () => {},
  );
}

/** How often a replica that lags behind is checked. */
const LOOK_AGAIN_MS = 50;
/** This many stamps are enough to measure how far a replica lags behind. */
const MOST_STAMPS_KEPT = 1000;

interface Replica {
  readonly name: string;
  readonly server: ReadServer;
}

interface SeenStamp {
  readonly stamp: number;
  readonly at: number;
}

/**
 * The replicas that can serve reads. A replica is used only if it has shown, within the configured freshness period, that it follows
 * the primary and has caught up with the latest stamp that this node has seen.
 */
export class Replicas {
  readonly #replicas: readonly Replica[];
  #turn = 0;
  /** Stamps from the primary that some replicas may not have reached yet, oldest first. */
  #seen: SeenStamp[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(urls: readonly string[], freshnessMs: number) {
    this.#replicas = urls.map((url) => ({ name: nameDatabase(url), server: new ReadServer(url, freshnessMs) }));
  }

  start(): void {
    for (const { server } of this.#replicas) server.watch.start();
  }

  /** The next replica, in rotation, that has reached this stamp; undefined if there is none. */
  find(stamp: number | undefined): ReadServer | undefined {
    if (stamp === undefined) return undefined;
    for (const _ of this.#replicas) {
      this.#turn = (this.#turn + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#turn];
      if (replica !== undefined && holds(replica, stamp)) return replica.server;
    }
    return undefined;
  }

  /** Must be called with each new stamp from the primary. */
  noteNewest(stamp: number): void {
    if (this.#replicas.length === 0) return;
    this.#seen.push({ stamp, at: performance.now() });
    this.#follow();
  }

  #follow(): void {
    clearTimeout(this.#timer);
    const slowest = Math.min(...this.#replicas.map(({ server }) => server.watch.newest ?? 0));
    this.#seen = this.#seen.filter(({ stamp }) => stamp > slowest).slice(-MOST_STAMPS_KEPT);
    const behind = this.#replicas.filter((replica) => this.#readLag(replica) > 0);
    if (behind.length === 0) return;
    // An unreachable server is checked only by its watch.
    for (const { server } of behind) if (server.watch.outageMs === undefined) server.watch.look();
    this.#timer = setTimeout(() => this.#follow(), LOOK_AGAIN_MS);
  }

  /** The number of milliseconds since this node saw the oldest stamp that the replica has not reached yet. */
  #readLag({ server }: Replica): number {
    const newest = server.watch.newest ?? 0;
    const missing = this.#seen.find(({ stamp }) => stamp > newest);
    return missing === undefined ? 0 : performance.now() - missing.at;
  }

  /** @param stamp the latest stamp that this node has seen */
  readFigures(stamp: number | undefined): readonly ReplicaFigures[] {
    return this.#replicas.map((replica) => ({
      name: replica.name,
      isUsed: stamp !== undefined && holds(replica, stamp),
      lagMs: this.#readLag(replica),
      pool: replica.server.figures,
    }));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#replicas.map(({ server }) => server.close()));
    clearTimeout(this.#timer);
  }
}

function holds({ server: { watch } }: Replica, stamp: number): boolean {
  return watch.isStandby && watch.isFresh && watch.outageMs === undefined && (watch.newest ?? 0) >= stamp;
}
