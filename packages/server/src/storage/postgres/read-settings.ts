// What the server is told of reads: how long they may take, and what its planner may do.

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
