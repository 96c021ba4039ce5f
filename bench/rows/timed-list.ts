// Requests lists one at a time, never twice, and records how long the responses take.

import { askFor, type Reader, type TimedAnswer } from '../recorded-answer.ts';

/** A list that was requested several times. */
export interface TimedList {
  readonly milliseconds: readonly number[];
  /** The number of requests that the service aborted (503). */
  readonly gaveUp: number;
}

/** A list that is being measured. */
export interface Contender {
  /** The path of the list, to which a parameter can be appended. */
  readonly path: string;
  readonly milliseconds: number[];
  gaveUp: number;
}

/** The number of objects on a page. */
const PAGE = 20;
/** A list that has taken this long in total is not requested again. */
const ENOUGH_MS = 300;

export function startContender(path: string): Contender {
  return { path, milliseconds: [], gaveUp: 0 };
}

export async function takeTurns(reader: Reader, contenders: readonly Contender[], samples: number): Promise<void> {
  for (let turn = 0; turn < samples; turn++) {
    for (const contender of contenders) {
      if (contender.milliseconds.reduce((sum, each) => sum + each, 0) > ENOUGH_MS) continue;
      const { status, milliseconds } = await askAnew(reader, contender.path);
      contender.milliseconds.push(round(milliseconds));
      if (status === 503) contender.gaveUp += 1;
    }
  }
}

export function reportTimes({ milliseconds, gaveUp }: Contender): TimedList {
  return { milliseconds, gaveUp };
}

let asked = 0;

/** A new number in each request prevents cached responses. */
export async function askAnew(reader: Reader, path: string): Promise<TimedAnswer> {
  asked += 1;
  const answer = await askFor(reader, `${path}n=${asked}`);
  if (answer.status !== 200 && answer.status !== 503) {
    throw new Error(`GET ${path} returned ${answer.status}: ${answer.body}`);
  }
  return answer;
}

export function withHeaders(reader: Reader, headers: Reader['headers']): Reader {
  return { ...reader, headers: { ...reader.headers, ...headers } };
}

export function withSimpleMode(reader: Reader): Reader {
  return withHeaders(reader, { 'x-service-simple-pagination': 'true' });
}

/** The number of pages, from a response in simple mode. A list with a single object is returned without a total. */
export function countPages({ body }: TimedAnswer): number {
  return Math.ceil(Number(/"total":(\d+)/.exec(body)?.[1] ?? 1) / PAGE);
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
