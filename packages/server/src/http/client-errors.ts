// Handles connections on which the HTTP parser failed because of malformed bytes, oversized headers, or headers or bodies that never end.
// Any complete requests before the broken one get their responses first; then the client gets the error.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpLimits } from './limits.ts';
import { lingerThenDestroy, writeProblem, writeProblemToSocket } from './problem-response.ts';
import { PROBLEMS, type Problem, withHeaders } from './problems.ts';
import { hasLongBody } from './receive-upload.ts';
import { afterResponses, putOffWhilePaused, serveInstead } from './wait-for-turn.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const exchangesWithBody = new WeakMap<Duplex, Exchange>();
const refused = new WeakSet<Duplex>();
/** Requests whose timeout Node reported while we were not reading from their connection. */
const deadlines = new Map<Socket, Deadline>();

interface Deadline {
  /** Undefined until the request headers have arrived. */
  request: IncomingMessage | undefined;
}

/**
 * Discards bodies that no handler asked for. If a client keeps sending its body after the response has been sent, we close the connection
 * shortly afterwards, because the client could otherwise keep it busy forever.
 */
export function watchBody(request: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  exchangesWithBody.set(request.socket, { request, response });
  response.once('finish', () => {
    if (request.complete) return;
    request.once('end', lingerThenDestroy(request.socket, lingerMs));
  });
}

/** Call this for each request once its headers have arrived. */
export function noteArrival(request: IncomingMessage): void {
  if (deadlines.size === 0) return;
  const deadline = deadlines.get(request.socket);
  if (deadline !== undefined) deadline.request ??= request;
}

export interface ClientErrorContext {
  readonly limits: HttpLimits;
  readonly findAllowed: (url: string) => string | undefined;
}

export function answerClientError(error: Error, socket: Duplex, context: ClientErrorContext): void {
  // The parser reports the same failure again for every packet that follows.
  if (refused.has(socket)) return;
  if (readMember(error, 'code') === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket) {
    // Node reports this only once per request. From now on, the code that reads the upload enforces its own time limits.
    if (isReceivingLongBody(socket)) return;
    // The rest of the request may have arrived in time but not been read yet: we stop reading from a client that does not read its
    // responses.
    if (putOffWhilePaused(socket, () => setDeadline(error, socket, context))) return;
  }
  refused.add(socket);
  // After a reset, there is no client to receive a response.
  if (readMember(error, 'code') === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = findProblem(error, context);
  const { lingerMs } = context.limits;
  const exchange = exchangesWithBody.get(socket);
  if (exchange !== undefined && !exchange.request.complete) {
    endExchange(exchange, socket, problem, lingerMs);
    return;
  }
  afterResponses(socket, () => {
    if (socket.writable) writeProblemToSocket(socket, problem, lingerMs);
  });
}

function isReceivingLongBody(socket: Socket): boolean {
  const request = exchangesWithBody.get(socket)?.request;
  return request !== undefined && !request.complete && hasLongBody(request);
}

/** Node reports a late request only once. If we ignore the report for now, we set our own timer for the request. */
function setDeadline(error: Error, socket: Socket, context: ClientErrorContext): void {
  const last = exchangesWithBody.get(socket)?.request;
  const deadline: Deadline = { request: last?.complete === false ? last : undefined };
  deadlines.set(socket, deadline);
  setTimeout(() => {
    if (deadlines.get(socket) !== deadline) return;
    deadlines.delete(socket);
    if (deadline.request?.complete !== true) answerClientError(error, socket, context);
  }, context.limits.requestTimeoutMs).unref();
}

/** Handles a failure in the body of a request that has already been passed to a handler: the handler sends the response. */
function endExchange({ request, response }: Exchange, socket: Duplex, problem: Problem, lingerMs: number): void {
  // A handler waiting for the rest of the body would wait forever.
  const refuse = (): void => {
    response.shouldKeepAlive = false;
    writeProblem(response, problem);
  };
  if (serveInstead(response, refuse)) return;
  const isAwaited = request.listenerCount('data') + request.listenerCount('readable') > 0;
  if (isAwaited && !response.headersSent) {
    refuse();
    return;
  }
  // A handler may still do something else first, such as finding out who the caller is, and wait for the body afterwards.
  request.on('newListener', (event) => {
    if ((event === 'data' || event === 'readable') && !response.headersSent) refuse();
  });
  // Send nothing after the handler's response: the client would mistake it for the response to its next request.
  afterResponses(socket, () => {
    socket.end();
    lingerThenDestroy(socket, lingerMs);
  });
}

function findProblem(error: Error, { limits, findAllowed }: ClientErrorContext): Problem {
  switch (readMember(error, 'code')) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return PROBLEMS.requestTimeout;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return PROBLEMS.payloadTooLarge;
    case 'HPE_HEADER_OVERFLOW':
      // The parser counts the request line as part of the headers.
      return (readTarget(error)?.length ?? 0) > limits.urlLength ? PROBLEMS.uriTooLong : PROBLEMS.headersTooLarge;
    case 'HPE_INVALID_METHOD':
      return findMethodProblem(readTarget(error), findAllowed);
    default:
      return PROBLEMS.badRequest;
  }
}

/** The parser rejects unknown methods. We treat them as methods that are not allowed. */
function findMethodProblem(target: string | undefined, findAllowed: ClientErrorContext['findAllowed']): Problem {
  if (target === undefined || !target.startsWith('/')) return PROBLEMS.badRequest;
  const allow = findAllowed(target);
  return allow === undefined ? PROBLEMS.notFound : withHeaders(PROBLEMS.methodNotAllowed, { allow });
}

/** Reads the target from the request line on which the parser failed. */
function readTarget(error: Error): string | undefined {
  const packet = readMember(error, 'rawPacket');
  const parsed = readMember(error, 'bytesParsed');
  if (!(packet instanceof Buffer) || typeof parsed !== 'number') return undefined;
  const text = packet.toString('latin1');
  const lineStart = text.lastIndexOf('\n', parsed - 1) + 1;
  const lineEnd = text.indexOf('\r\n', lineStart);
  const line = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
  return /^[\w!#$%&'*+.^`|~-]+ (\S+)(?: HTTP\/1\.[01])?$/.exec(line)?.[1];
}

function readMember(error: Error, name: string): unknown {
  return Reflect.get(error, name);
}
