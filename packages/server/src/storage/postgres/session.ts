// The settings for reads (time limits, planner options), and the state that a connection keeps from one transaction to the next: those
// settings, and prepared statements. The connection for writes keeps only prepared statements. Only a direct connection to the server keeps
// any state. Behind a pooler in transaction mode (PgBouncer), each transaction may use a different connection.

import type { Client } from 'pg';

export type Settings = Readonly<Record<string, string | null>>;

/** JIT compilation would take longer than any of our reads. */
const READ_LIMITS = { statement_timeout: '10s', idle_in_transaction_session_timeout: '60s', jit: 'off' };

/** Indexes alone are enough for every reader query. With few or outdated statistics, the planner might choose a different plan. */
const WALKS_ONLY = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_sort: 'off',
  max_parallel_workers_per_gather: '0',
};

/** The best index is the same for all values, so a statement does not need to be planned on every run. */
const PLANS_ONCE = { plan_cache_mode: 'force_generic_plan' };

/** Used before a statement whose best plan depends on its values. It applies to the rest of the transaction. */
export const PLAN_ANEW = 'set local plan_cache_mode = force_custom_plan';

/** The settings for statements outside a transaction, whatever the server's defaults are. */
const ALONE = { default_transaction_isolation: 'read committed', default_transaction_read_only: 'on' };

/** The settings for requests, for as long as the connection is open. */
const SESSION_SETTINGS = { ...READ_LIMITS, ...WALKS_ONLY, ...PLANS_ONCE, ...ALONE };

/** Restores the server's own configuration. */
const FREE_PLANS: Settings = Object.fromEntries(
  Object.keys({ ...WALKS_ONLY, ...PLANS_ONCE }).map((name) => [name, null]),
);

/**
 * The settings for requests, in one transaction: each statement is planned for its values, even if the connection has
 * other settings.
 */
export const REQUEST_SETTINGS: Settings = { ...FREE_PLANS, ...READ_LIMITS, ...WALKS_ONLY };
/** The settings for reads by the management API. */
export const READ_SETTINGS: Settings = { ...FREE_PLANS, ...READ_LIMITS };
/** For long reads. */
export const SNAPSHOT_SETTINGS: Settings = {
  ...FREE_PLANS,
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '10min',
  jit: null,
};

/**
 * An SQL expression that changes settings. Its value is never null.
 * @param lasts whether the connection keeps the settings after the transaction
 */
export function buildSettings(settings: Settings, lasts = false): string {
  const changes = Object.entries(settings).map(([name, value]) => {
    const literal = value === null ? 'null' : `'${value}'`;
    return `set_config('${name}', ${literal}, ${!lasts})`;
  });
  return `num_nulls(${changes.join(', ')})`;
}

/**
 * The settings for a transaction whose statements the server may plan only once. Plans must still be good after the tables have grown, so
 * they must not scan a whole table just because it is small at first. If a scan is unavoidable, its high cost must not trigger JIT
 * compilation.
 */
export const KEPT_PLAN_SETTINGS: Settings = { enable_seqscan: 'off', jit: 'off' };

/** Returns SQL that changes the settings and returns a row, but only if the connection leads to this server process. */
export function buildOpenReading(processId: number): string {
  return `select ${buildSettings(SESSION_SETTINGS, true)} where pg_backend_pid() = ${processId}`;
}

/** Returns SQL that returns a row only if the connection leads to this server process. */
export function buildOpenWriting(processId: number): string {
  return `select 1 where pg_backend_pid() = ${processId}`;
}

/** Limited because each named statement takes up memory on the server. */
const MOST_NAMED = 100;
const MOST_SEEN = 1000;
/** Queries change over time, so a connection without free names is replaced with a new one, but not too often. */
const LEAST_LIFE_MS = 60_000;

export class Session {
  readonly #openedAt: number;
  readonly #seen = new Set<number>();
  readonly #named = new Set<number>();
  #isSpoilt = false;

  constructor(now: number) {
    this.#openedAt = now;
  }

  /** A statement gets a name when it runs for the second time, because it is then likely to run often. */
  nameStatement(statement: number): string | undefined {
    if (!this.#named.has(statement)) {
      if (this.#isFull || !this.#seen.delete(statement)) {
        this.#note(statement);
        return undefined;
      }
      this.#named.add(statement);
    }
    return `kept_${statement}`;
  }

  /** Must be called when a named statement has failed, because it may fail again. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** Whether the connection should be replaced with a new one. */
  mustEnd(now: number): boolean {
    return this.#isSpoilt || (this.#isFull && now - this.#openedAt > LEAST_LIFE_MS);
  }

  get #isFull(): boolean {
    return this.#named.size >= MOST_NAMED;
  }

  #note(statement: number): void {
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.add(statement);
  }
}

const sessions = new WeakMap<Client, Session>();

/** Undefined if no state may be kept on the connection. */
export function findSession(client: Client): Session | undefined {
  return sessions.get(client);
}

export function startSession(client: Client): void {
  sessions.set(client, new Session(performance.now()));
}
