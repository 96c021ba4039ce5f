// Writes problems as responses: `{"message": …}`, plus `code` in the management API. They are never cached.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@galley/wire';
import type { FastifyReply } from 'fastify';
import type { Problem } from './problems.ts';
import { createRequestId, isPrivatePath, SHARED_HEADERS } from './service-message.ts';

/** Sends a problem from a Fastify route or hook. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).headers(buildHeaders(problem)).send(buildBody(problem, reply.request.raw.url));
}

/** Sends a problem before Fastify has seen the request. */
export function writeProblem(response: ServerResponse, problem: Problem): void {
  const body = buildBody(problem, response.req.url);
  response.writeHead(problem.status, { ...buildHeaders(problem), 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Sends a problem on a connection whose request could not be read. */
export function writeProblemToSocket(socket: Duplex, problem: Problem, lingerMs: number): void {
  const body = buildBody(problem, undefined);
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
 * If we closed a connection while its peer was still sending, the kernel would reset it and the peer would lose the response. So we
 * first read and discard the rest, for a limited time. The returned function cancels the close.
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

function buildBody({ code, message }: Problem, url: string | undefined): string {
  const body: ErrorBody & { readonly code?: string } = isPrivatePath(url) ? { message, code } : { message };
  return JSON.stringify(body);
}
