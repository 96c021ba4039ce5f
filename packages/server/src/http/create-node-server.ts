// The HTTP layer below Fastify: what the parser or the protocol itself refuses is answered here, in the same shape as
// any other problem. Whatever arrives, the connection is answered or closed, and the process goes on.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerClientError, watchBody } from './client-errors.ts';
import type { DrainState } from './drain.ts';
import type { HttpLimits } from './limits.ts';
import { writeProblem, writeProblemToSocket } from './problem-response.ts';
import { PROBLEMS, withHeaders } from './problems.ts';
import { normalizeTarget } from './request-target.ts';
import { buildServiceResponse } from './service-message.ts';
import { dropStalledConnections } from './stalled-connections.ts';

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers a request, or gives false and leaves it as it is. */
export type TakeFirst = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Told of each request before anybody answers it. */
export type WatchRequest = (request: IncomingMessage, response: ServerResponse) => void;

const READ_METHODS = 'GET, HEAD, OPTIONS';

export interface NodeServerOptions {
  readonly drain: DrainState;
  readonly limits: HttpLimits;
  /** The methods that reach a path, as `Allow` lists them; undefined for an unknown path. */
  readonly findAllowed: (url: string) => string | undefined;
  readonly takeFirst: TakeFirst | undefined;
  readonly watches: readonly WatchRequest[];
}

export function createNodeServer(listener: RequestListener, options: NodeServerOptions): Server {
  const { drain, limits, findAllowed, takeFirst, watches } = options;
  const server: Server = createServer({
    ServerResponse: buildServiceResponse(drain),
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    // Node would answer a missing Host by itself, without a body.
    requireHostHeader: false,
    // An Upgrade may be ignored (RFC 9110, 7.8); the request is then served as it stands.
    shouldUpgradeCallback: () => false,
    // Requests without a body, nearly all of ours, skip the machinery of a readable stream, at a measured gain.
    optimizeEmptyRequests: true,
  });
  for (const watch of watches) server.on('request', watch).on('checkExpectation', watch);
  server.on('request', (request, response) => {
    if (!isAcceptable(request, response, limits) || takeFirst?.(request, response) === true) return;
    listener(request, response);
  });
  server.on('checkExpectation', (request, response) => {
    if (hasBody(request)) watchBody(request, response, limits.lingerMs);
    writeProblem(response, PROBLEMS.expectationFailed);
  });
  server.on('connect', (_request, socket) => refuseTunnel(socket, limits.lingerMs));
  server.on('clientError', (error: Error, socket) => answerClientError(error, socket, { limits, findAllowed }));
  server.on('connection', (socket) => trackConnection(drain, socket));
  dropStalledConnections(server, drain.connections, limits.stalledCheckMs);
  drain.servers.add(server);
  return server;
}

function isAcceptable(request: IncomingMessage, response: ServerResponse, limits: HttpLimits): boolean {
  const { headers, url = '' } = request;
  if (hasBody(request)) {
    watchBody(request, response, limits.lingerMs);
  } else if (request.method !== 'GET') {
    // Without a body there is nothing to parse; a parser that waited for its end would wait for ever.
    delete headers['content-type'];
  }
  if (url.length > limits.urlLength) {
    writeProblem(response, PROBLEMS.uriTooLong);
    return false;
  }
  if (url.charCodeAt(0) !== 47 && !isTargetUsable(request, response, url)) return false;
  if (headers.host === undefined && request.httpVersionMinor > 0) {
    writeProblem(response, PROBLEMS.badRequest);
    return false;
  }
  return true;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isTargetUsable(request: IncomingMessage, response: ServerResponse, url: string): boolean {
  if (url === '*' && request.method === 'OPTIONS') {
    response.writeHead(204, { allow: READ_METHODS }).end();
    return false;
  }
  const target = normalizeTarget(url);
  if (target === undefined) {
    writeProblem(response, PROBLEMS.badRequest);
    return false;
  }
  request.url = target.url;
  // The target's authority replaces the header (RFC 9112, 3.2.2).
  request.headers.host = target.host;
  return true;
}

function refuseTunnel(socket: Duplex, lingerMs: number): void {
  // Node has taken its own listener away, and without one a reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.resume();
  writeProblemToSocket(socket, withHeaders(PROBLEMS.methodNotAllowed, { allow: READ_METHODS }), lingerMs);
}

function trackConnection(drain: DrainState, socket: Socket): void {
  drain.connections.add(socket);
  socket.once('close', () => drain.connections.delete(socket));
}
