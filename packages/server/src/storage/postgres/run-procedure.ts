// Drives a procedure on one connection: each query is sent when the answer to the one before is there.

import type { Client, QueryArrayResult } from 'pg';
import { type Cells, EMPTY_RESULT, type Procedure, type Query, type ResultSet } from '../statement.ts';
import { compileQuery } from './compile-query.ts';
import { translatePostgresError } from './postgres-errors.ts';

/** What PostgreSQL calls its types of numbers: int8, int2, int4, float4, float8, numeric. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);

const readText = (text: string): string => text;

/** Times in milliseconds and counts are exact as numbers; everything else in the schema is text. */
const types = { getTypeParser: (oid: number) => (NUMBER_TYPES.has(oid) ? Number : readText) };

export interface Sent extends ResultSet {
  /** Whether rows were written. */
  readonly hasWritten: boolean;
}

export async function runProcedure<Outcome>(client: Client, procedure: Procedure<Outcome>): Promise<Outcome> {
  return runOn(client, procedure, procedure.next(EMPTY_RESULT));
}

/** Goes on with a procedure that has asked for something, or is done. */
export async function runOn<Outcome>(
  client: Client,
  procedure: Procedure<Outcome>,
  asked: IteratorResult<Query, Outcome>,
  onSent: (sent: Sent) => void = () => {},
): Promise<Outcome> {
  let step = asked;
  while (!step.done) {
    const sent = await sendQuery(client, step.value);
    onSent(sent);
    step = procedure.next(sent);
  }
  return step.value;
}

export async function sendQuery(client: Client, query: Query): Promise<Sent> {
  try {
    const { text, values } = compileQuery(query);
    return readResult(await client.query<unknown[]>({ text, values, rowMode: 'array', types }));
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
  const hasWritten = command !== 'SELECT' && rowCount !== 0;
  return { columns: fields.map(({ name }) => name), rows: asCells(rows), hasWritten };
}

/** The driver gives an array where several statements were sent, whatever its types say. */
function listResults(answered: unknown): readonly QueryArrayResult<unknown[]>[] {
  return (Array.isArray(answered) ? answered : [answered]) as readonly QueryArrayResult<unknown[]>[];
}

/** The schema has numbers, texts and nulls only. */
function asCells(rows: readonly unknown[]): readonly Cells[] {
  return rows as readonly Cells[];
}
