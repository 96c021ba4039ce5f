// Builds only one response at a time for each connection. Node parses all pipelined requests in a segment together, and would keep all
// their responses in memory until the client has read the earlier ones. Instead, a request waits until the previous response has been
// sent, and we read nothing more from the connection in the meantime. So a client that does not read its responses keeps only one of them
// in memory.

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The maximum number of requests that may wait on a connection while we keep reading from it. */
const MOST_READ_AHEAD = 64;

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The number of waiting requests on each connection. A connection without an entry has none, and may be read from. */
const waitingCounts = new WeakMap<Socket, number>();
const waiting = new WeakMap<ServerResponse, Serve>();
/**
 * Connections that we keep reading from although requests are waiting, because the current response is waiting for other clients to read
 * theirs.
 */
const readAhead = new WeakSet<Socket>();
/** Work that is postponed until we read from a connection again. */
const putOff = new WeakMap<Socket, () => void>();

/** Makes a request wait if its response does not own the connection yet. */
export function waitForTurn(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
  const { socket } = request;
  waitingCounts.set(socket, countWaiting(socket) + 1);
  if (!mayReadOn(socket)) pauseUntilResumed(socket);
  waiting.set(response, serve);
  // Node emits this event when it hands the connection to the next response. We must not write before that.
  response.once('socket', () => process.nextTick(takeTurn, request, response));
}

/** Replaces the handler of a waiting request; returns false if the request is not waiting. */
export function serveInstead(response: ServerResponse, serve: Serve): boolean {
  if (!waiting.has(response)) return false;
  waiting.set(response, serve);
  return true;
}

export function countWaiting(socket: Socket): number {
  return waitingCounts.get(socket) ?? 0;
}

/** Runs `proceed` once reading from the connection resumes. Returns false if pending responses have not paused the connection. */
export function putOffWhilePaused(socket: Socket, proceed: () => void): boolean {
  if (!waitingCounts.has(socket)) return false;
  putOff.set(socket, proceed);
  return true;
}

function pauseUntilResumed(socket: Socket): void {
  socket.off('resume', pauseWhileWaiting).on('resume', pauseWhileWaiting);
  socket.pause();
}

/** Pauses the connection again, because Node resumes reading whenever it wants more data. */
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
    // If part of the body has not arrived yet, read it now. Otherwise send the response first, because Node closes a connection as soon
    // as the client has closed its side.
    if (request.complete) response.once('close', () => resumeReading(socket));
    else resumeReading(socket);
  }
  serve(request, response);
}

function mayReadOn(socket: Socket): boolean {
  return readAhead.has(socket) && countWaiting(socket) <= MOST_READ_AHEAD;
}

/**
 * Reads from the connection while its response is waiting for other clients to read theirs. Otherwise Node would not notice if the client
 * disconnected.
 */
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

/** Runs `proceed` once all responses on a connection have been sent. */
export function afterResponses(socket: Duplex, proceed: () => void): void {
  const response = findResponse(socket);
  if (response === undefined) proceed();
  // By then, Node has handed the socket to the next pipelined response, if there is one.
  else response.once('finish', () => afterResponses(socket, proceed));
}

/**
 * The response that currently owns a connection. Node does not document the property, but its own handler for broken requests also reads
 * it, and any other approach would slow down every request.
 */
export function findResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse ? response : undefined;
}
