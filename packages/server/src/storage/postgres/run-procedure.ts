// Runs a procedure on one connection. Each query is sent when the result of the previous query has arrived. The results of queries that
// only write are awaited only at the end.

import type { Client, QueryArrayResult } from 'pg';
import { type CallerName, TookTooLong } from '../engine.ts';
import type { FairTurns, Turn } from '../fair-turns.ts';
import { type Cells, EMPTY_RESULT, type Procedure, type Query, type ResultSet } from '../statement.ts';
import { type CompiledQuery, compileQuery } from './compile-query.ts';
import { readStamp } from './moments.ts';
import { translatePostgresError } from './postgres-errors.ts';
import type { Session } from './session.ts';
import { PLAN_ANEW } from './session.ts';

/** The ids of PostgreSQL's numeric types: int8, int2, int4, float4, float8, numeric. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);

const readText = (text: string): string => text;

/** Counts, and timestamps in milliseconds, are exact as numbers; everything else in the schema is text. */
const types = { getTypeParser: (oid: number) => (NUMBER_TYPES.has(oid) ? Number : readText) };

interface Sent extends ResultSet {
  /** The number of rows written. */
  readonly written: number;
}

export interface RunOptions {
  /** The session whose plans may be reused; undefined to plan statements on every run. */
  readonly session?: Session | undefined;
  /** Undefined if statements have no time limit. */
  readonly long?: LongStatements | undefined;
}

export async function runProcedure<Outcome>(
  client: Client,
  procedure: Procedure<Outcome>,
  options: RunOptions = {},
): Promise<Outcome> {
  return runOn(client, procedure, procedure.next(EMPTY_RESULT), options);
}

/** Runs the rest of a procedure that has yielded a query. If the procedure is already done, returns its outcome. */
export async function runOn<Outcome>(
  client: Client,
  procedure: Procedure<Outcome>,
  asked: IteratorResult<Query, Outcome>,
  options: RunOptions,
): Promise<Outcome> {
  let step = asked;
  while (!step.done) step = procedure.next(await sendQuery(client, step.value, options));
  return step.value;
}

/** At most this many queries can be waiting for a response, because each one takes up memory. */
const MOST_AHEAD = 1000;

export interface Written<Outcome> {
  readonly outcome: Outcome;
  /** The number of rows written. */
  readonly written: number;
}

/** @param sendNext sends a query, possibly as a named statement, which the server plans only once */
export async function runWriting<Outcome>(
  procedure: Procedure<Outcome>,
  sendNext: (compiled: CompiledQuery, isPlannedOnce: boolean) => Promise<Sent>,
): Promise<Written<Outcome>> {
  let unsettled: Promise<Sent>[] = [];
  let written = 0;
  const settle = async (): Promise<void> => {
    for (const sent of await Promise.all(unsettled)) written += sent.written;
    unsettled = [];
  };
  let step = procedure.next(EMPTY_RESULT);
  while (!step.done) {
    const compiled = compileQuery(step.value);
    const sending = sendNext(compiled, step.value.statement.isPlannedOnce);
    // If a write fails, all queries after it fail too. Only the error from the write itself is reported.
    sending.catch(() => {});
    unsettled.push(sending);
    if (!compiled.isWriteOnly || unsettled.length === MOST_AHEAD) await settle();
    step = procedure.next(compiled.isWriteOnly ? EMPTY_RESULT : await sending);
  }
  await settle();
  return { outcome: step.value, written };
}

export function sendQuery(client: Client, query: Query, { session, long }: RunOptions): Promise<Sent> {
  const compiled = compileQuery(query);
  // If this fails, the query after it fails too.
  if (long !== undefined && query.statement.mayTakeLong) client.query(long.begin()).catch(() => {});
  if (session === undefined) return send(client, compiled);
  if (query.statement.isPlannedOnce) return sendKept(client, compiled, session);
  client.query(PLAN_ANEW).catch(() => {});
  return send(client, compiled);
}

export function sendKept(client: Client, compiled: CompiledQuery, session: Session): Promise<Sent> {
  const name = session.nameStatement(compiled.number);
  const sending = send(client, compiled, name);
  if (name !== undefined) sending.catch(() => session.spoil());
  return sending;
}

interface StampedResult extends ResultSet {
  readonly stamp: number;
}

/** Runs a query outside a transaction. The result includes the stamp of the state that the query read. */
export async function sendStamped(client: Client, query: Query, session: Session): Promise<StampedResult> {
  const compiled = compileQuery(query);
  const { columns, rows } = await sendKept(client, { ...compiled, ...compiled.stamped }, session);
  const isEmpty = rows[0]?.[0] === null;
  return {
    columns: columns.slice(1, -1),
    rows: isEmpty ? [] : rows.map((cells) => cells.slice(1, -1)),
    stamp: readStamp(rows.slice(0, 1).map((cells) => cells.slice(-1))),
  };
}

export async function send(client: Client, { text, values }: CompiledQuery, name?: string): Promise<Sent> {
  try {
    const named = name === undefined ? undefined : { name };
    return readResult(await client.query<unknown[]>({ ...named, text, values, rowMode: 'array', types }));
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** Sends several statements in one message, in a single round trip. Returns the cells of all rows. */
export async function sendText(client: Client, text: string): Promise<readonly Cells[]> {
  try {
    const answered: unknown = await client.query<unknown[]>({ text, rowMode: 'array', types });
    return listResults(answered).flatMap((result) => asCells(result.rows));
  } catch (error) {
    throw translatePostgresError(error);
  }
}

function readResult({ fields, rows, command, rowCount }: QueryArrayResult<unknown[]>): Sent {
  // A statement without a row count, such as `create table`, counts as one row.
  const written = command === 'SELECT' ? 0 : (rowCount ?? 1);
  return { columns: fields.map(({ name }) => name), rows: asCells(rows), written };
}

/** If several statements were sent, the driver returns an array, contrary to its types. */
function listResults(answered: unknown): readonly QueryArrayResult<unknown[]>[] {
  return (Array.isArray(answered) ? answered : [answered]) as readonly QueryArrayResult<unknown[]>[];
}

/** The schema has only numbers, text and nulls. */
function asCells(rows: readonly unknown[]): readonly Cells[] {
  return rows as readonly Cells[];
}

/** No turn is free. The request must release its connection and restart when it gets a turn. */
export class NoTurn extends Error {}

/**
 * The server should give up before we do, because otherwise it would keep working on an abandoned query. On a busy machine, its error
 * takes a while to arrive; if it came too late, the server would seem to be down.
 */
const LEFT_FOR_ANSWER_MS = 200;

/**
 * A request's slow statements. They run only while the request has a turn, so they never use all connections. The server cancels them
 * when the request's time is up.
 */
export class LongStatements {
  readonly #turns: FairTurns;
  readonly #caller: CallerName;
  readonly #endsAt: number;
  #turn: Turn | undefined;

  constructor(turns: FairTurns, caller: CallerName, endsAt: number) {
    this.#turns = turns;
    this.#caller = caller;
    this.#endsAt = endsAt;
  }

  /** Returns the SQL that sets the time limit for the next statement. */
  begin(): string {
    this.#turn ??= this.#turns.tryBegin(this.#caller);
    if (this.#turn === undefined) throw new NoTurn();
    const leftMs = Math.floor(this.#endsAt - LEFT_FOR_ANSWER_MS - performance.now());
    if (leftMs <= 0) throw new TookTooLong('Reading the list took too long');
    return `set local statement_timeout = ${leftMs}`;
  }

  async waitForTurn(): Promise<void> {
    this.#turn ??= await this.#turns.begin(this.#caller);
    if (performance.now() + LEFT_FOR_ANSWER_MS >= this.#endsAt) throw new TookTooLong('Reading the list took too long');
  }

  end(): void {
    if (this.#turn !== undefined) this.#turns.end(this.#turn);
    this.#turn = undefined;
  }
}
