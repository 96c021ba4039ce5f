// Builds the heads of responses in advance. Node validates each character of each header, which takes an eighth of the time of a
// cached answer. Node 24 keeps the head as text in a property until the body is sent, and uses a head that is already there. On any
// other release, and if the connection is to be closed, Node gets the headers one by one.

import { type OutgoingHttpHeader, type ServerResponse, STATUS_CODES } from 'node:http';
import { type FailAnswer, sendSoon } from './departures.ts';
import { readLastRequestId, ServiceResponse, SHARED_HEADER_LIST } from './service-message.ts';

export interface ReadyHead {
  readonly status: 200 | 304;
  /** Names and values alternately. */
  readonly list: OutgoingHttpHeader[];
  /** The head as text, with the shared headers, up to the value of the request id. */
  readonly text: string;
}

/** A line break in a value would start another header. So would a character whose lower byte is one. */
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** @param list names and values alternately. Links repeat parts of the request, so values are checked here, once. */
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

/** Adds headers that belong to one answer only. */
export function extendHead({ status, list }: ReadyHead, headers: Readonly<Record<string, string>>): ReadyHead {
  return buildReadyHead(status, [...list, ...Object.entries(headers).flat()]);
}

const keepsHeadAsText = process.versions.node.startsWith('24.');

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

/** The undocumented properties that we use. */
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

/** The Date header. It has whole seconds, so it is formatted once a second. */
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
