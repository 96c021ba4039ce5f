// Drives a procedure on one connection: each query is sent when the answer to the one before is there. What only writes
// has no answer, and is not waited for before the end.

import type { Client, QueryArrayResult } from 'pg';
import { type CallerName, TookTooLong } from '../engine.ts';
import type { FairTurns, Turn } from '../fair-turns.ts';
import { type Cells, EMPTY_RESULT, type Procedure, type Query, type ResultSet } from '../statement.ts';
import { type CompiledQuery, compileQuery } from './compile-query.ts';
import { translatePostgresError } from './postgres-errors.ts';
import type { Session } from './session.ts';
import { PLAN_ANEW } from './session.ts';

/** What PostgreSQL calls its types of numbers: int8, int2, int4, float4, float8, numeric. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);

const readText = (text: string): string => text;

/** Times in milliseconds and counts are exact as numbers; everything else in the schema is text. */
const types = { getTypeParser: (oid: number) => (NUMBER_TYPES.has(oid) ? Number : readText) };

interface Sent extends ResultSet {
  /** How many rows were written. */
  readonly written: number;
}

export interface RunOptions {
  /** Whose plans may be used; undefined where each run is planned anew. */
  readonly session?: Session | undefined;
  /** Undefined where statements take what they take. */
  readonly long?: LongStatements | undefined;
}

export async function runProcedure<Outcome>(
  client: Client,
  procedure: Procedure<Outcome>,
  options: RunOptions = {},
): Promise<Outcome> {
  return runOn(client, procedure, procedure.next(EMPTY_RESULT), options);
}

/** Goes on with a procedure that has asked for something, or is done. */
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

/** More are not left unanswered: they stand in memory. */
const MOST_AHEAD = 1000;

export interface Written<Outcome> {
  readonly outcome: Outcome;
  /** How many rows. */
  readonly written: number;
}

/** @param name of each statement, for a server that is to plan it once; undefined where each run is planned anew */
export async function runWriting<Outcome>(
  client: Client,
  procedure: Procedure<Outcome>,
  name: (statement: number) => string | undefined = () => undefined,
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
    const sending = send(client, compiled, name(compiled.number));
    // Where a write fails, so does all that comes after it; it is the write that is told of.
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
  // Where this fails, so does what comes behind it.
  if (long !== undefined && query.statement.mayTakeLong) client.query(long.begin()).catch(() => {});
  if (session === undefined) return send(client, compiled);
  if (query.statement.isPlannedOnce) return sendKept(client, compiled, session);
  client.query(PLAN_ANEW).catch(() => {});
  return send(client, compiled);
}

function sendKept(client: Client, compiled: CompiledQuery, session: Session): Promise<Sent> {
  const name = session.nameStatement(compiled.number);
  const sending = send(client, compiled, name);
  if (name !== undefined) sending.catch(() => session.spoil());
  return sending;
}

async function send(client: Client, { text, values }: CompiledQuery, name?: string): Promise<Sent> {
  try {
    const named = name === undefined ? undefined : { name };
    return readResult(await client.query<unknown[]>({ ...named, text, values, rowMode: 'array', types }));
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** Several statements in one message, which takes one round trip; the cells of all the rows that they give. */
export async function sendText(client: Client, text: string): Promise<readonly Cells[]> {
  try {
    const answered: unknown = await client.query<unknown[]>({ text, rowMode: 'array', types });
    return listResults(answered).flatMap((result) => asCells(result.rows));
  } catch (error) {
    throw translatePostgresError(error);
  }
}

function readResult({ fields, rows, command, rowCount }: QueryArrayResult<unknown[]>): Sent {
  // What is not counted in rows, such as a new table, counts as one.
  const written = command === 'SELECT' ? 0 : (rowCount ?? 1);
  return { columns: fields.map(({ name }) => name), rows: asCells(rows), written };
}

/** The driver gives an array where several statements were sent, whatever its types say. */
function listResults(answered: unknown): readonly QueryArrayResult<unknown[]>[] {
  return (Array.isArray(answered) ? answered : [answered]) as readonly QueryArrayResult<unknown[]>[];
}

/** The schema has numbers, texts and nulls only. */
function asCells(rows: readonly unknown[]): readonly Cells[] {
  return rows as readonly Cells[];
}

/** The request must give its connection back, and come again when it has a turn. */
export class NoTurn extends Error {}

/** The server is to give up before we do: else it would go on with what nobody waits for. */
const LEFT_FOR_ANSWER_MS = 50;

/**
 * The statements of one request that may take long. They run only while the request holds a turn, so that they never have all
 * connections, and the server ends them when the time of the request is up.
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

  /** What tells the server how long the next statement may take. */
  begin(): string {
    this.#turn ??= this.#turns.tryBegin(this.#caller);
    if (this.#turn === undefined) throw new NoTurn();
    const leftMs = Math.floor(this.#endsAt - LEFT_FOR_ANSWER_MS - performance.now());
    if (leftMs <= 0) throw new TookTooLong('No time is left for the list');
    return `set local statement_timeout = ${leftMs}`;
  }

  async waitForTurn(): Promise<void> {
    this.#turn ??= await this.#turns.begin(this.#caller);
    if (performance.now() + LEFT_FOR_ANSWER_MS >= this.#endsAt) throw new TookTooLong('No time is left for the list');
  }

  end(): void {
    if (this.#turn !== undefined) this.#turns.end(this.#turn);
    this.#turn = undefined;
  }
}
