// This process's write transactions. Only one transaction writes at a time, across all nodes.

import type { PoolClient } from 'pg';
import { COPIED_TABLES } from '../copied-tables.ts';
import {
  type PoolFigures,
  StorageFault,
  StorageUnavailable,
  type Transaction,
  type TransactionOptions,
} from '../engine.ts';
import { againIfLost, awaitTurn, WRITE_PATIENCE, type WritePatience } from '../retry.ts';
import type { Cells, Procedure } from '../statement.ts';
import { Connections, endTransaction, releaseClient, withinTime } from './connections.ts';
import { buildBeginWriting, COMMIT_UNSEEN, LOCK_IMPORTS, LOCK_WRITERS, readStamp, SELECT_IMPORT } from './moments.ts';
import { isLockTimeout, translateCommitError } from './postgres-errors.ts';
import { LONGEST_BEGIN_MS, openSession } from './read-server.ts';
import { runWriting, send, sendKept, sendText, type Written } from './run-procedure.ts';
import { buildOpenWriting, findSession, type Session } from './session.ts';
import type { StampWatch } from './stamp-watch.ts';

/** After the server has been unreachable for this long, writes are refused immediately. */
const REFUSE_WRITES_AFTER_MS = 2000;

export interface WriteOptions extends TransactionOptions {
  readonly patience?: WritePatience;
}

export class PostgresWriter {
  /** A separate connection, so a writer does not have to wait when all connections for reading are in use. */
  readonly #connections: Connections;
  readonly #watch: StampWatch;
  readonly #patience: WritePatience;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #isStopping = false;
  #ownStamp: number | undefined;

  /** @param watch the watch for the same server */
  constructor(url: string, watch: StampWatch, patience = WRITE_PATIENCE, connectionWaitMs?: number) {
    this.#connections = new Connections(url, 1, (client) => openSession(client, buildOpenWriting), connectionWaitMs);
    this.#watch = watch;
    this.#patience = patience;
  }

  /** The stamp of the last committed transaction that wrote something. */
  get ownStamp(): number | undefined {
    return this.#ownStamp;
  }

  get figures(): PoolFigures {
    return this.#connections.figures;
  }

  /** @param commit the SQL that ends a transaction with writes; the only cell that it returns, if any, is the new stamp */
  write<Outcome>(
    work: (transaction: Transaction) => Promise<Outcome>,
    commit: string,
    { isImport = false, patience = this.#patience }: WriteOptions = {},
  ): Promise<Outcome> {
    const askedAt = performance.now();
    const turn = this.#lastWrite.then(async () => {
      const client = await awaitTurn({
        askedAt,
        patience,
        // Retrying is safe, because nothing has been written yet.
        begin: (waitMs) => againIfLost(() => this.#beginWriting(waitMs)),
        isBusy: isLockTimeout,
        isImportRunning: () => this.#isImportRunning(),
        isStopping: () => this.#isStopping,
      });
      return this.#writeAlone(client, work, commit, isImport);
    });
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  /** @param waitMs the maximum wait for transactions on other nodes */
  async #beginWriting(waitMs: number): Promise<PoolClient> {
    if ((this.#watch.outageMs ?? 0) > REFUSE_WRITES_AFTER_MS)
      throw new StorageUnavailable('The database cannot be reached');
    const client = await this.#connections.open();
    const begin = buildBeginWriting(waitMs, findSession(client) !== undefined);
    try {
      await Promise.all([
        withinTime(client, LONGEST_BEGIN_MS, () => sendText(client, begin)),
        withinTime(client, waitMs + LONGEST_BEGIN_MS, () => sendText(client, LOCK_WRITERS)),
      ]);
      return client;
    } catch (error) {
      endTransaction(client, 'rollback');
      throw error;
    }
  }

  async #isImportRunning(): Promise<boolean> {
    const client = await this.#connections.open();
    try {
      const [row] = await withinTime(client, LONGEST_BEGIN_MS, () => sendText(client, SELECT_IMPORT));
      return row?.[0] === 1;
    } finally {
      client.release();
    }
  }

  /** Runs in the open transaction. */
  async #writeAlone<Outcome>(
    client: PoolClient,
    work: (transaction: Transaction) => Promise<Outcome>,
    commit: string,
    isImport: boolean,
  ): Promise<Outcome> {
    const state = { isOver: false, hasFailed: false, hasWritten: false };
    let session = findSession(client);
    let filling: TableFilling | undefined;
    try {
      if (isImport) await sendText(client, LOCK_IMPORTS);
      const outcome = await work({
        run: async (procedure) => {
          if (state.isOver) throw new Error('The transaction is over');
          const running = filling === undefined ? runOnce(client, procedure, session) : filling.run(procedure);
          const { outcome, written } = await running;
          state.hasWritten ||= written > 0;
          return outcome;
        },
        // Indexes are kept, because dropping and rebuilding them would lock the tables for readers on all nodes.
        fill: async (_mayGo, fillTables) => {
          if (state.isOver) throw new Error('The transaction is over');
          state.hasFailed = true;
          // At the end, a fill deletes all of the connection's named statements.
          session?.spoil();
          session = undefined;
          filling = new TableFilling(client);
          await filling.begin();
          const filled = await fillTables();
          await filling.end();
          filling = undefined;
          state.hasFailed = false;
          return filled;
        },
      });
      if (state.hasFailed) throw new Error('The transaction cannot be committed: its rows could not be written');
      state.isOver = true;
      const askedAt = performance.now();
      const rows = await sendCommit(client, state.hasWritten ? commit : COMMIT_UNSEEN);
      if (rows.length > 0) this.#noteOwn(readStamp(rows), askedAt);
      releaseClient(client);
      return outcome;
    } catch (error) {
      state.isOver = true;
      client.query('rollback').catch(() => {});
      filling?.forget();
      // A read-only connection is closed. A new connection may reach a different server at the same host name, and changes to the
      // settings of a database or user apply only to new connections.
      if (error instanceof StorageFault && error.obstacle === 'read-only') client.release(true);
      else releaseClient(client);
      throw error;
    }
  }

  #noteOwn(stamp: number, askedAt: number): void {
    this.#ownStamp = stamp;
    this.#watch.note(stamp, askedAt);
  }

  /** Closes the connection if it is idle. @param isAll whether to close it even if it is in use */
  cut(isAll: boolean): void {
    this.#connections.cutIdle();
    if (isAll) this.#connections.cut();
  }

  stopWaiting(): void {
    this.#isStopping = true;
  }

  /** Resolves when all writes have finished. */
  async finish(): Promise<void> {
    this.stopWaiting();
    await this.#lastWrite;
  }

  close(): Promise<void> {
    return this.#connections.end();
  }
}

/** @param session the session whose plans may be reused; undefined to plan statements on every run */
function runOnce<Outcome>(
  client: PoolClient,
  procedure: Procedure<Outcome>,
  session: Session | undefined,
): Promise<Written<Outcome>> {
  return runWriting(procedure, (compiled, isPlannedOnce) =>
    session === undefined || !isPlannedOnce ? send(client, compiled) : sendKept(client, compiled, session),
  );
}

async function sendCommit(client: PoolClient, text: string): Promise<readonly Cells[]> {
  try {
    return await sendText(client, text);
  } catch (error) {
    throw translateCommitError(error);
  }
}

/** Tables are analysed after this many rows, and again each time the number of rows has tripled. */
const FIRST_LOOK = 1000;
const LOOK_AGAIN_AT = 3;
const LOOK = `analyze ${COPIED_TABLES.map(({ name }) => name).join(', ')}`;
/**
 * These planner options are turned off, because rows are looked up one by one, and without statistics the server would
 * scan a whole table each time.
 */
const SCANS = ['enable_seqscan', 'enable_bitmapscan'];

/**
 * Writes most of the rows that the tables will contain. The same few statements run for each object, so the server plans each of them
 * only once. There are no statistics yet for tables that were empty, so the tables are analysed repeatedly while they grow, and at the
 * end.
 */
class TableFilling {
  readonly #client: PoolClient;
  /** The transaction's id. It makes statement names unique, because a pooler may share the connection. */
  #id = '';
  #rows = 0;
  #nextLook = FIRST_LOOK;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async begin(): Promise<void> {
    const settings = SCANS.map((name) => `set local ${name} = off`).join('; ');
    const [row] = await sendText(this.#client, `${settings}; select pg_current_xact_id()::text`);
    this.#id = String(row?.[0]);
  }

  async run<Outcome>(procedure: Procedure<Outcome>): Promise<Written<Outcome>> {
    if (this.#rows >= this.#nextLook) {
      await sendText(this.#client, LOOK);
      this.#nextLook = this.#rows * LOOK_AGAIN_AT;
    }
    const written = await runWriting(procedure, (compiled) =>
      send(this.#client, compiled, `fill_${this.#id}_${compiled.number}`),
    );
    this.#rows += written.written;
    return written;
  }

  async end(): Promise<void> {
    await sendText(this.#client, SCANS.map((name) => `set local ${name} to default`).join('; '));
    await sendText(this.#client, LOOK);
    this.forget();
  }

  /** Deletes the named statements, because they outlive even a failed transaction. */
  forget(): void {
    this.#client.query('deallocate all').catch(() => {});
  }
}
