// Sends responses that are ready. Their heads are built in advance, and the responses are sent together.
//
// Node checks the headers of each response one by one. Skipping that check saves a fifth of the processor time for a cached list. Node 24
// keeps the head as text in a property until the body is sent, and uses a head that is already there. On any other release, or if the
// connection is about to be closed, we pass the headers to Node one by one.
//
// Ready responses are sent together, once all requests that have arrived have been processed. A response that is sent on its own wakes
// the client at the other end of the socket. If the client is on the same machine, as a reverse proxy often is, waking it accounts for a
// seventh of the time that a cached response takes.

import { type OutgoingHttpHeader, type ServerResponse, STATUS_CODES } from 'node:http';
import { readLastRequestId, ServiceResponse, SHARED_HEADER_LIST } from './service-message.ts';

export interface ReadyHead {
  readonly status: 200 | 304;
  /** Header names and values, alternating. */
  readonly list: OutgoingHttpHeader[];
  /** The head as text, including the shared headers, up to the value of the request id. */
  readonly text: string;
}

/** A line break in a value would start another header, and so would a character whose lower byte is a line break. */
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** @param list header names and values, alternating. Links repeat parts of the request, so values are checked here, once. */
export function buildReadyHead(status: 200 | 304, list: OutgoingHttpHeader[]): ReadyHead {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let index = 0; index < list.length; index += 2) {
    const value = `${list[index + 1]}`;
    if (FORBIDDEN_IN_VALUE.test(value))
      throw new Error(`The header ${list[index]} contains characters that are not allowed in a header`);
    text += `${list[index]}: ${value}\r\n`;
  }
  return { status, list, text: text + SHARED_LINES };
}

const SHARED_LINES = SHARED_HEADER_LIST.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');

/** Adds headers that apply to one response only. */
export function extendHead({ status, list }: ReadyHead, headers: Readonly<Record<string, string>>): ReadyHead {
  return buildReadyHead(status, [...list, ...Object.entries(headers).flat()]);
}

const keepsHeadAsText = process.versions.node.startsWith('24.');

/** Called if a response could not be sent. Its head may already have been sent. */
export type FailAnswer = (response: ServerResponse, error: unknown) => void;

/** @param body ignored for a 304 */
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

/** The undocumented Node properties that we use. */
interface NodesOwn {
  _header: string | null;
  _hasBody: boolean;
  readonly _keepAliveTimeout: number;
  readonly maxRequestsOnConnectionReached: boolean | undefined;
}

/** Whether the response is an ordinary one that keeps the connection open. */
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

/** The Date header. Its resolution is one second, so it is formatted once a second. */
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
  /** Undefined for a response without a body. */
  readonly body: string | Buffer | undefined;
  readonly charset: BufferEncoding;
  readonly fail: FailAnswer;
}

/** The maximum number of responses that are sent together. */
const MOST_TOGETHER = 16;
/** Keeps large responses from filling up memory while they wait to be sent together. */
const MOST_BYTES_TOGETHER = 256 * 1024;

let waiting: Departure[] = [];
let waitingBytes = 0;
let isDue = false;

/** The head must already be set. */
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
      // One failed response must not delay the others.
      fail(response, error);
    }
  }
}

/** Whether a client already has this version of a response (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
