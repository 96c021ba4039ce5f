// The HTTP layer below Fastify. It answers requests that the parser rejects or that violate the protocol, in the same form as any other
// error. It always sends a response or closes the connection, and no request can crash the process.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerClientError, noteArrival, watchBody } from './client-errors.ts';
import type { DrainState } from './drain.ts';
import type { HttpLimits } from './limits.ts';
import { lingerThenDestroy, writeProblem, writeProblemToSocket } from './problem-response.ts';
import { PROBLEMS, withHeaders } from './problems.ts';
import { normalizeTarget, PROBED_PATHS } from './request-target.ts';
import { buildServiceResponse } from './service-message.ts';
import type { UnreadAnswers } from './unread-answers.ts';
import { afterResponses, resumeReading, type Serve, waitForTurn } from './wait-for-turn.ts';

/** Answers a request, or returns false and leaves it untouched. */
export type TakeFirst = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Called for each request before it is handled. */
export type WatchRequest = (request: IncomingMessage, response: ServerResponse) => void;

const READ_METHODS = 'GET, HEAD, OPTIONS';

export interface NodeServerOptions {
  readonly drain: DrainState;
  readonly limits: HttpLimits;
  readonly unread: UnreadAnswers;
  /** The methods allowed for a path, as listed in `Allow`; undefined for an unknown path. */
  readonly findAllowed: (url: string) => string | undefined;
  readonly takeFirst: TakeFirst | undefined;
  readonly watches: readonly WatchRequest[];
}

export function createNodeServer(listener: Serve, options: NodeServerOptions): Server {
  const { drain, limits, unread, findAllowed, takeFirst, watches } = options;
  const server: Server = createServer({
    ServerResponse: buildServiceResponse(drain, (socket) => unread.noteAnswer(socket)),
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    // Without this, Node itself would respond, with an empty body, to requests that have no Host header.
    requireHostHeader: false,
    // A server may ignore an Upgrade header (RFC 9110, 7.8) and serve the request normally.
    shouldUpgradeCallback: () => false,
    // Nearly all requests have no body. With this option, they skip the readable stream, which is measurably faster.
    optimizeEmptyRequests: true,
  });

  function receive(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const { headers } = request;
    if (hasBody(request)) watchBody(request, response, limits.lingerMs);
    noteArrival(request);
    if (headers.upgrade !== undefined && !isAloneInSegment(request)) {
      response.shouldKeepAlive = false;
      lingerAtEnd(request.socket, limits.lingerMs);
    }
    if (response.socket === null) {
      lingerAtEnd(request.socket, limits.lingerMs);
      waitForTurn(request, response, serve);
      unread.noteWaiting();
    } else {
      serve(request, response);
    }
  }

  const answer: Serve = (request, response) => {
    if (!isAcceptable(request, response, limits) || takeFirst?.(request, response) === true) return;
    if (unread.isOverfull() && !PROBED_PATHS.has(request.url ?? '')) answerWithRoom(request, response);
    else listener(request, response);
  };
  async function answerWithRoom(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await unread.waitForRoom(response)) listener(request, response);
    else writeProblem(response, PROBLEMS.serviceUnavailable);
  }
  const continueAndAnswer: Serve = (request, response) => {
    response.writeContinue();
    answer(request, response);
  };
  const refuseExpectation: Serve = (_request, response) => writeProblem(response, PROBLEMS.expectationFailed);

  for (const [event, serve] of [
    ['request', answer],
    ['checkContinue', continueAndAnswer],
    ['checkExpectation', refuseExpectation],
  ] as const) {
    for (const watch of watches) server.on(event, watch);
    server.on(event, (request, response) => receive(request, response, serve));
  }
  server.on('connect', (_request, socket) => refuseTunnel(socket, limits.lingerMs));
  server.on('clientError', (error: Error, socket) => answerClientError(error, socket, { limits, findAllowed }));
  server.on('connection', (socket) => trackConnection(drain, socket));
  unread.watch(server);
  drain.servers.add(server);
  return server;
}

/** Discards everything that the client sends after its last response has been sent. */
function lingerAtEnd(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => {
    // Attaching our own listener detaches the parser from the connection.
    socket.removeAllListeners('data').on('data', () => {});
    resumeReading(socket);
    socket.end();
    lingerThenDestroy(socket, lingerMs);
  };
}

/**
 * After an upgrade, the parser assumes that the connection no longer uses HTTP and discards the rest of the segment, although we ignore
 * the upgrade. So we keep the connection only if nothing followed the request. Otherwise the response has `Connection: close`, and Node
 * closes the connection.
 */
function isAloneInSegment({ socket }: IncomingMessage): boolean {
  const parser: unknown = Reflect.get(socket, 'parser');
  const read: unknown = typeof parser === 'object' && parser !== null ? Reflect.get(parser, 'getCurrentBuffer') : null;
  if (typeof read !== 'function') return false;
  const segment: unknown = Reflect.apply(read, parser, []);
  return segment instanceof Buffer && segment.indexOf(HEAD_END) === segment.length - HEAD_END.length;
}

const HEAD_END = '\r\n\r\n';

function isAcceptable(request: IncomingMessage, response: ServerResponse, limits: HttpLimits): boolean {
  const { headers, url = '' } = request;
  if (request.method !== 'GET' && !hasBody(request)) {
    // The request has no body, so a parser that waits for the end of a body would wait forever.
    delete headers['content-type'];
  }
  if (url.length > limits.urlLength) {
    writeProblem(response, PROBLEMS.uriTooLong);
    return false;
  }
  if (hasRepeatedHeader(request.rawHeaders)) {
    writeProblem(response, PROBLEMS.badRequest);
    return false;
  }
  if (url.charCodeAt(0) !== 47 && !isTargetUsable(request, response, url)) return false;
  if (headers.host === undefined && request.httpVersionMinor > 0) {
    writeProblem(response, PROBLEMS.badRequest);
    return false;
  }
  return true;
}

/**
 * Whether Host or Authorization appears twice. Node would use the first one, while a proxy in front of us may use the last.
 * @param list header names and values, alternating
 */
function hasRepeatedHeader(list: readonly string[]): boolean {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] ?? '';
    // Checking the length first rules out nearly all names.
    if (name.length === 4) {
      if (name === 'host' || name.toLowerCase() === 'host') hosts += 1;
    } else if (name.length === 13) {
      if (name === 'authorization' || name.toLowerCase() === 'authorization') authorizations += 1;
    }
  }
  return hosts > 1 || authorizations > 1;
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
  // Node has removed its own listener. Without a listener, a reset would crash the process.
  socket.on('error', () => socket.destroy());
  socket.resume();
  afterResponses(socket, () => {
    if (!socket.writable) return;
    writeProblemToSocket(socket, withHeaders(PROBLEMS.methodNotAllowed, { allow: READ_METHODS }), lingerMs);
  });
}

function trackConnection(drain: DrainState, socket: Socket): void {
  drain.connections.add(socket);
  socket.once('close', () => drain.connections.delete(socket));
}
