// Makes one answer at a time on each connection. Node parses all pipelined requests of a segment at once, and would keep all their
// answers in memory until the client has read the earlier ones. Instead, a request waits until the previous answer has left, and we
// read nothing more from the connection in the meantime. So a client that does not read costs one answer.

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How many requests of a connection may wait while we keep reading from it. */
const MOST_READ_AHEAD = 64;

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests of a connection wait. A connection without an entry has none, and may be read. */
const waitingCounts = new WeakMap<Socket, number>();
const waiting = new WeakMap<ServerResponse, Serve>();
/** Connections that we read although requests wait, because the current answer waits for other clients. */
const readAhead = new WeakSet<Socket>();
/** Work that is postponed until a connection is read again. */
const putOff = new WeakMap<Socket, () => void>();

/** For a response that does not have its connection yet. */
export function waitForTurn(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
  const { socket } = request;
  waitingCounts.set(socket, countWaiting(socket) + 1);
  if (!mayReadOn(socket)) pauseUntilResumed(socket);
  waiting.set(response, serve);
  // Node emits this when it gives the connection to the next response. Only then may we write.
  response.once('socket', () => process.nextTick(takeTurn, request, response));
}

/** Replaces the answer to a waiting request; false if it does not wait. */
export function serveInstead(response: ServerResponse, serve: Serve): boolean {
  if (!waiting.has(response)) return false;
  waiting.set(response, serve);
  return true;
}

export function countWaiting(socket: Socket): number {
  return waitingCounts.get(socket) ?? 0;
}

/** Runs `proceed` when the connection is read again; false if it is not paused because of its answers. */
export function putOffWhilePaused(socket: Socket, proceed: () => void): boolean {
  if (!waitingCounts.has(socket)) return false;
  putOff.set(socket, proceed);
  return true;
}

function pauseUntilResumed(socket: Socket): void {
  socket.off('resume', pauseWhileWaiting).on('resume', pauseWhileWaiting);
  socket.pause();
}

/** Node resumes a connection whenever it wants more of it. */
function pauseWhileWaiting(this: Socket): void {
  this.pause();
}

function takeTurn(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const serve = waiting.get(response);
  waiting.delete(response);
  const count = countWaiting(socket) - 1;
  waitingCounts.set(socket, count);
  if (socket.destroyed || serve === undefined) return;
  if (count === 0) {
    // Read the rest of the body. Otherwise send the answer first: Node closes a connection as soon as the client has closed its side.
    if (request.complete) response.once('close', () => resumeReading(socket));
    else resumeReading(socket);
  }
  serve(request, response);
}

function mayReadOn(socket: Socket): boolean {
  return readAhead.has(socket) && countWaiting(socket) <= MOST_READ_AHEAD;
}

/** Reads the connection while its answer waits for other clients. Otherwise Node would not notice that the client has gone. */
export async function readWhile<Outcome>(
  { req: { socket } }: ServerResponse,
  others: Promise<Outcome>,
): Promise<Outcome> {
  readAhead.add(socket);
  if (waitingCounts.has(socket) && mayReadOn(socket)) socket.off('resume', pauseWhileWaiting).resume();
  try {
    return await others;
  } finally {
    readAhead.delete(socket);
    if (waitingCounts.has(socket)) pauseUntilResumed(socket);
  }
}

export function resumeReading(socket: Socket): void {
  waitingCounts.delete(socket);
  socket.off('resume', pauseWhileWaiting);
  if (socket.destroyed) return;
  putOff.get(socket)?.();
  putOff.delete(socket);
  socket.resume();
}

/** Runs once all answers of a connection have left. */
export function afterResponses(socket: Duplex, proceed: () => void): void {
  const response = findResponse(socket);
  if (response === undefined) proceed();
  // By then Node has given the socket to the next pipelined response, if there is one.
  else response.once('finish', () => afterResponses(socket, proceed));
}

/**
 * The response that has a connection. Node does not document the property, but its own handler of broken requests reads it too, and
 * any other way would cost every request time.
 */
export function findResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse ? response : undefined;
}
