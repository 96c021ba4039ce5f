// What every response carries, whoever writes it (Fastify, the HTTP layer below it, or Node itself): the shared headers and the request id.
// A hook of Fastify would not see what the other two write.

import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DrainState } from './drain.ts';
import { KEY } from './request-target.ts';

/** Any origin may read the delivery API, and no cookie is ever looked at there; so the headers are the same for everyone. */
export const SHARED_HEADERS = Object.freeze({
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, X-Request-Id, Cache-Status, Retry-After, RateLimit, RateLimit-Policy',
});

/** What cookies open is for the pages of this very origin. */
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
  /** While its server drains, each answer tells the client to close the connection. */
  get isDraining(): boolean {
    return false;
  }

  /** Told of a connection that could not take all of the answer at once. */
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
      // Names and values in turn: the cheapest form, which the delivery API uses.
      return super.writeHead(statusCode, [...second, ...SHARED_HEADER_LIST, readRequestId(this.req)]);
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

/** The response class of one server. */
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

/** Nobody should be able to guess the ids of another process. A counter behind a random prefix costs one addition. */
const PREFIX = `${randomBytes(8).toString('hex')}-`;

/** Nothing that a log, a terminal or a page could take for anything but text. A header that is repeated has a comma. */
const WELL_FORMED = /^[\w.-]{1,128}$/;

let count = 0;

export function createRequestId(): string {
  count += 1;
  return PREFIX + count.toString(36);
}

/** Beside the requests: one property more would cost each of them more than its id. */
const idsOfRequests = new WeakMap<IncomingMessage, string>();

export function readRequestId(request: IncomingMessage): string {
  const known = readGivenId(request) ?? idsOfRequests.get(request);
  if (known !== undefined) return known;
  const id = createRequestId();
  idsOfRequests.set(request, id);
  return id;
}

/** To be asked once, when the answer leaves: nobody asks for the request's id afterwards. */
export function readLastRequestId(request: IncomingMessage): string {
  return readGivenId(request) ?? idsOfRequests.get(request) ?? createRequestId();
}

/** A caller may send its own id, so that the logs of both sides use the same one. We replace it unless it is plainly an id and holds no key. */
function readGivenId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) && !KEY.test(given) ? given : undefined;
}
