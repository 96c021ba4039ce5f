// The one way in which a problem becomes bytes: `{"message": …}` and nothing else, never cached, whichever layer found it.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@galley/wire';
import type { FastifyReply } from 'fastify';
import type { Problem } from './problems.ts';
import { createRequestId, SHARED_HEADERS } from './service-message.ts';

/** Answers with a problem in a route or hook of Fastify. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).headers(buildHeaders(problem)).send(buildBody(problem));
}

/** Answers with a problem before Fastify has seen the request. */
export function writeProblem(response: ServerResponse, problem: Problem): void {
  const body = buildBody(problem);
  response.writeHead(problem.status, { ...buildHeaders(problem), 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Answers with a problem where there is no request to answer, only a connection that cannot go on. */
export function writeProblemToSocket(socket: Duplex, problem: Problem, lingerMs: number): void {
  const body = buildBody(problem);
  const headers = {
    ...SHARED_HEADERS,
    ...buildHeaders(problem),
    'x-request-id': createRequestId(),
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  lingerThenDestroy(socket, lingerMs);
}

/**
 * Closing a connection whose peer still sends makes the kernel reset it, and the peer loses the answer. So what still
 * arrives is read and thrown away, for a bounded time. The returned function calls the end off.
 */
export function lingerThenDestroy(socket: Duplex, lingerMs: number): () => void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  const cancel = (): void => {
    clearTimeout(timer);
    socket.off('close', cancel);
  };
  timer.unref();
  socket.once('close', cancel);
  return cancel;
}

function buildHeaders(problem: Problem): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...problem.headers };
}

function buildBody(problem: Problem): string {
  const body: ErrorBody = { message: problem.message };
  return JSON.stringify(body);
}
