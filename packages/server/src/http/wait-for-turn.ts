// One answer at a time on each connection. Node parses all requests of a segment at once, and each would be answered at once and
// kept in memory until the client has read the answers before it. Instead, a request waits until the answer before it
// has left, and nothing more is read from the connection meanwhile. So answers never mix, and a client that does not read costs one answer.

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** As many requests of a connection may wait while it is read on. */
const MOST_READ_AHEAD = 64;

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests of a connection wait. A connection that is not here has none, and may be read. */
const waitingCounts = new WeakMap<Socket, number>();
const waiting = new WeakMap<ServerResponse, Serve>();
/** Connections that are read although requests wait, since the answer before them waits for others. */
const readAhead = new WeakSet<Socket>();
/** What is put off until a connection is read again. */
const putOff = new WeakMap<Socket, () => void>();

/** For a response that does not hold its connection yet. */
export function waitForTurn(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
  const { socket } = request;
  waitingCounts.set(socket, countWaiting(socket) + 1);
  if (!mayReadOn(socket)) pauseUntilResumed(socket);
  waiting.set(response, serve);
  // Node tells so when it gives the connection to the next response; only afterwards may anything be written.
  response.once('socket', () => process.nextTick(takeTurn, request, response));
}

/** Replaces what a waiting request is answered with; false where it does not wait. */
export function serveInstead(response: ServerResponse, serve: Serve): boolean {
  if (!waiting.has(response)) return false;
  waiting.set(response, serve);
  return true;
}

export function countWaiting(socket: Socket): number {
  return waitingCounts.get(socket) ?? 0;
}

/** Runs `proceed` when the connection is read again; false where it is not paused because of its answers. */
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
    // The rest of its body is still to be read. Otherwise the answer leaves first: Node ends a connection at once when the client has.
    if (request.complete) response.once('close', () => resumeReading(socket));
    else resumeReading(socket);
  }
  serve(request, response);
}

function mayReadOn(socket: Socket): boolean {
  return readAhead.has(socket) && countWaiting(socket) <= MOST_READ_AHEAD;
}

/** Reads the connection while its answer waits for others: otherwise Node would not notice that the client has gone. */
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
 * The response that holds a connection. The property is not in Node's documentation, but Node's own handler of broken requests reads it
 * too, and there is no other way to know it without a cost to every request.
 */
export function findResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse ? response : undefined;
}
