// Sends answers that are ready: their heads are put together before anybody asks, and they leave together.
//
// Node looks at each character of each header of each answer, which takes an eighth of the time of an answer that is ready. Release 24
// keeps the head as text in a property until the body is sent, and takes one that it finds there. On any other release, and wherever the
// connection is to be closed, Node gets the headers one by one.
//
// An answer that leaves alone wakes the client that waits for it, if that is on the same machine, and the way from the database to the
// socket and back is a long one for a processor's caches. So answers leave once all requests that have arrived were looked at. Measured
// with 32 connections: half as many answers again.

import { type OutgoingHttpHeader, type ServerResponse, STATUS_CODES } from 'node:http';
import { readLastRequestId, ServiceResponse, SHARED_HEADER_LIST } from './service-message.ts';

export interface ReadyHead {
  readonly status: 200 | 304;
  /** Names and values in turn. */
  readonly list: OutgoingHttpHeader[];
  /** The same as it goes over the wire, with what all answers carry, up to the value of the request's id. */
  readonly text: string;
}

/** A line break in a value would begin another header; so would a character whose lower byte is one. */
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** @param list names and values in turn; links repeat what the client has sent, so values are looked at here, once */
export function buildReadyHead(status: 200 | 304, list: OutgoingHttpHeader[]): ReadyHead {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < list.length; index += 2) {
    const value = `${list[index + 1]}`;
    if (FORBIDDEN_IN_VALUE.test(value)) throw new Error(`The header ${list[index]} holds what no header may hold`);
    text += `${list[index]}: ${value}\r\n`;
  }
  return { status, list, text: text + SHARED_LINES };
}

const SHARED_LINES = SHARED_HEADER_LIST.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');

/** The same head with headers that belong to one answer only. */
export function extendHead({ status, list }: ReadyHead, headers: Readonly<Record<string, string>>): ReadyHead {
  return buildReadyHead(status, [...list, ...Object.entries(headers).flat()]);
}

const keepsHeadAsText = process.versions.node.startsWith('24.');

/** Told of an answer that could not be sent; the head may be on its way. */
export type FailAnswer = (response: ServerResponse, error: unknown) => void;

/** @param body not looked at with a 304 */
export function sendReady(
  response: ServerResponse,
  head: ReadyHead,
  body: string | Buffer,
  charset: BufferEncoding,
  fail: FailAnswer,
): void {
  if (keepsHeadAsText && isPersistent(response)) putHead(response, head);
  else response.writeHead(head.status, head.list);
  sendSoon({ response, body: head.status === 304 ? undefined : body, charset, fail });
}

/** As far as they concern us. */
interface NodesOwn {
  _header: string | null;
  _hasBody: boolean;
  readonly _keepAliveTimeout: number;
  readonly maxRequestsOnConnectionReached: boolean | undefined;
}

/** Whether nothing is special about the response, so that the connection goes on. */
function isPersistent(response: ServerResponse): response is ServiceResponse & NodesOwn {
  return (
    response instanceof ServiceResponse &&
    response.shouldKeepAlive &&
    !response.isDraining &&
    '_keepAliveTimeout' in response &&
    !('maxRequestsOnConnectionReached' in response && response.maxRequestsOnConnectionReached)
  );
}

function putHead(response: ServiceResponse & NodesOwn, { status, text }: ReadyHead): void {
  response.statusCode = status;
  if (status === 304) response._hasBody = false;
  response._header =
    `${text}${readLastRequestId(response.req)}\r\nDate: ${readHttpDate()}\r\n` +
    `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(response._keepAliveTimeout / 1000)}\r\n\r\n`;
}

/** The time as HTTP writes it. It has whole seconds, so it is written once a second. */
function readHttpDate(): string {
  if (written === undefined) {
    const now = new Date();
    written = now.toUTCString();
    setTimeout(forget, 1000 - now.getMilliseconds()).unref();
  }
  return written;
}

let written: string | undefined;

function forget(): void {
  written = undefined;
}

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
function sendSoon(departure: Departure): void {
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
