// What the server is told of reads (how long they may take, what its planner may do), and what a connection keeps from one transaction to
// the next: those settings, and statements that the server has parsed and planned. Only a connection that leads to the server itself keeps
// anything. Behind a pooler in transaction mode (PgBouncer), each transaction may be on another one.

import type { Client } from 'pg';

export type Settings = Readonly<Record<string, string | null>>;

/** Compiling a statement takes longer than any read of ours. */
const READ_LIMITS = { statement_timeout: '10s', idle_in_transaction_session_timeout: '60s', jit: 'off' };

/** All that readers ask for is a walk on indexes; where statistics are old or few, the planner may think otherwise. */
const WALKS_ONLY = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_sort: 'off',
  max_parallel_workers_per_gather: '0',
};

/** A walk is the same whatever the values are: it need not be planned for each of them. */
const PLANS_ONCE = { plan_cache_mode: 'force_generic_plan' };

/** For a statement whose best plan depends on its values, and the rest of its transaction. */
export const PLAN_ANEW = 'set local plan_cache_mode = force_custom_plan';

/** Of requests, for as long as the connection lasts. */
const SESSION_SETTINGS = { ...READ_LIMITS, ...WALKS_ONLY, ...PLANS_ONCE };

/** What the server's own configuration says. */
const FREE_PLANS: Settings = Object.fromEntries(
  Object.keys({ ...WALKS_ONLY, ...PLANS_ONCE }).map((name) => [name, null]),
);

/** Of requests, for a transaction: each statement is planned for its values, also where the connection says otherwise. */
export const REQUEST_SETTINGS: Settings = { ...FREE_PLANS, ...READ_LIMITS, ...WALKS_ONLY };
/** Of what editors ask for. */
export const READ_SETTINGS: Settings = { ...FREE_PLANS, ...READ_LIMITS };
/** Of reads that take their time. */
export const SNAPSHOT_SETTINGS: Settings = {
  ...FREE_PLANS,
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '10min',
  jit: null,
};

/**
 * An expression that changes settings; it is not null.
 * @param lasts beyond the transaction, on the connection
 */
export function buildSettings(settings: Settings, lasts = false): string {
  const changes = Object.entries(settings).map(([name, value]) => {
    const literal = value === null ? 'null' : `'${value}'`;
    return `set_config('${name}', ${literal}, ${!lasts})`;
  });
  return `num_nulls(${changes.join(', ')})`;
}

/** Gives a row, and changes the connection, only where it leads to this process of the server. */
export function buildOpenSession(processId: number): string {
  return `select ${buildSettings(SESSION_SETTINGS, true)} where pg_backend_pid() = ${processId}`;
}

/** Each takes memory of the server. */
const MOST_NAMED = 100;
const MOST_SEEN = 1000;
/** What is asked for changes with time. A connection that is full gives way to a new one, but not at every turn. */
const LEAST_LIFE_MS = 60_000;

export class Session {
  readonly #openedAt: number;
  readonly #seen = new Set<number>();
  readonly #named = new Set<number>();
  #isSpoilt = false;

  constructor(now: number) {
    this.#openedAt = now;
  }

  /** What is run once has no name; what is run again is likely to be run often. */
  nameStatement(statement: number): string | undefined {
    if (!this.#named.has(statement)) {
      if (this.#isFull || !this.#seen.delete(statement)) {
        this.#note(statement);
        return undefined;
      }
      this.#named.add(statement);
    }
    return `read_${statement}`;
  }

  /** A named statement has failed; it may do so again. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** Whether another connection would do better. */
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

/** Undefined where the connection keeps nothing, or may not. */
export function findSession(client: Client): Session | undefined {
  return sessions.get(client);
}

export function startSession(client: Client): void {
  sessions.set(client, new Session(performance.now()));
}
