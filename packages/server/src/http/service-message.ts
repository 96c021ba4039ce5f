// What every response carries, whoever writes it: Fastify, the HTTP layer below it, or Node itself.
// A hook of Fastify would not see what the other two write.

import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { DrainState } from './drain.ts';
import { createRequestId } from './request-id.ts';

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

const SHARED_HEADER_LIST = Object.freeze([...Object.entries(SHARED_HEADERS).flat(), 'x-request-id']);

type HeaderList = OutgoingHttpHeaders | OutgoingHttpHeader[];

export class ServiceRequest extends IncomingMessage {
  readonly requestId: string = createRequestId();
}

/** The response class of one server. While it drains, each answer tells the client to close the connection. */
export function buildServiceResponse(drain: DrainState): typeof ServerResponse<ServiceRequest> {
  return class ServiceResponse extends ServerResponse<ServiceRequest> {
    override writeHead(statusCode: number, statusMessage?: string, headers?: HeaderList): this;
    override writeHead(statusCode: number, headers?: HeaderList): this;
    override writeHead(statusCode: number, second?: string | HeaderList, third?: HeaderList): this {
      if (drain.isDraining) this.shouldKeepAlive = false;
      if (Array.isArray(second)) {
        // Names and values in turn: the cheapest form, which the delivery API uses.
        return super.writeHead(statusCode, [...second, ...SHARED_HEADER_LIST, this.req.requestId]);
      }
      const common = isPrivatePath(this.req.url) ? PRIVATE_HEADERS : SHARED_HEADERS;
      if (typeof second === 'object') {
        return super.writeHead(statusCode, { ...common, ...second, 'x-request-id': this.req.requestId });
      }
      this.setHeader('x-request-id', this.req.requestId);
      for (const [name, value] of Object.entries(common)) {
        if (!this.hasHeader(name)) this.setHeader(name, value);
      }
      return typeof second === 'string'
        ? super.writeHead(statusCode, second, third)
        : super.writeHead(statusCode, second);
    }
  };
}
