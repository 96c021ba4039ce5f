// Adds the shared headers and the request id to every response, whether it is written by Fastify, the HTTP layer below it or Node itself.
// A Fastify hook would miss the other two.

import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DrainState } from './drain.ts';
import { KEY } from './request-target.ts';

/** Any origin may read the delivery API, which uses no cookies. So these headers are the same for every client. */
export const SHARED_HEADERS = Object.freeze({
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, X-Request-Id, Cache-Status, Retry-After, RateLimit, RateLimit-Policy, Accept-Ranges, Content-Range',
});

/** These paths use cookies, so only pages from the same origin may read them. */
const PRIVATE_HEADERS = Object.freeze({
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
});
const PRIVATE_PATH = '/manage/';

export function isPrivatePath(url: string | undefined): boolean {
  return url?.startsWith(PRIVATE_PATH) === true;
}

export const SHARED_HEADER_LIST: readonly string[] = Object.freeze([
  ...Object.entries(SHARED_HEADERS).flat(),
  'x-request-id',
]);

type HeaderList = OutgoingHttpHeaders | OutgoingHttpHeader[];

export class ServiceResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** While the server is draining, each response tells the client to close the connection. */
  get isDraining(): boolean {
    return false;
  }

  /** Called if part of the response could not be sent immediately. */
  protected noteUnread(_socket: Socket): void {}

  override end(callback?: () => void): this;
  override end(chunk: unknown, callback?: () => void): this;
  override end(chunk: unknown, encoding: BufferEncoding, callback?: () => void): this;
  override end(chunk?: unknown, second?: BufferEncoding | (() => void), callback?: () => void): this {
    if (typeof second === 'string') super.end(chunk, second, callback);
    else super.end(chunk, second ?? callback);
    const { socket } = this;
    if (socket !== null && socket.writableLength > 0) this.noteUnread(socket);
    return this;
  }

  override writeHead(statusCode: number, statusMessage?: string, headers?: HeaderList): this;
  override writeHead(statusCode: number, headers?: HeaderList): this;
  override writeHead(statusCode: number, second?: string | HeaderList, third?: HeaderList): this {
    if (this.isDraining) this.shouldKeepAlive = false;
    if (Array.isArray(second)) {
      // A flat list of names and values is the cheapest form. The delivery API uses it.
      return super.writeHead(statusCode, [...second, ...SHARED_HEADER_LIST, readLastRequestId(this.req)]);
    }
    const common = isPrivatePath(this.req.url) ? PRIVATE_HEADERS : SHARED_HEADERS;
    if (typeof second === 'object') {
      return super.writeHead(statusCode, { ...common, ...second, 'x-request-id': readRequestId(this.req) });
    }
    this.setHeader('x-request-id', readRequestId(this.req));
    for (const [name, value] of Object.entries(common)) {
      if (!this.hasHeader(name)) this.setHeader(name, value);
    }
    return typeof second === 'string'
      ? super.writeHead(statusCode, second, third)
      : super.writeHead(statusCode, second);
  }
}

/** Builds the response class for one server. */
export function buildServiceResponse(drain: DrainState, noteUnread: (socket: Socket) => void): typeof ServiceResponse {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServiceResponse<Request> {
    override get isDraining(): boolean {
      return drain.isDraining;
    }

    protected override noteUnread(socket: Socket): void {
      noteUnread(socket);
    }
  };
}

/** Random, so other processes' request ids cannot be guessed. Each id adds a counter to this prefix, which costs only one addition. */
const PREFIX = `${randomBytes(8).toString('hex')}-`;

/** Allows only characters that are safe in a log, a terminal and a page. A repeated header would contain a comma. */
const WELL_FORMED = /^[\w.-]{1,128}$/;

let count = 0;

export function createRequestId(): string {
  count += 1;
  return PREFIX + count.toString(36);
}

/** A separate map, because another property on the request would cost more than creating the id. */
const idsOfRequests = new WeakMap<IncomingMessage, string>();

export function readRequestId(request: IncomingMessage): string {
  const known = readGivenId(request) ?? idsOfRequests.get(request);
  if (known !== undefined) return known;
  const id = createRequestId();
  idsOfRequests.set(request, id);
  return id;
}

/** Call this only once, when the response is sent: it does not remember a new id. */
export function readLastRequestId(request: IncomingMessage): string {
  return readGivenId(request) ?? idsOfRequests.get(request) ?? createRequestId();
}

/**
 * A caller may send its own id, so that the logs on both sides use the same one. If the id is malformed or contains a key, we replace it.
 */
function readGivenId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) && !KEY.test(given) ? given : undefined;
}
