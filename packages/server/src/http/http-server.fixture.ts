// For tests: a server with a few routes, and checks of its raw responses.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState } from './drain.ts';
import { registerHealth } from './health.ts';
import type { HttpLimits } from './limits.ts';
import { PROBLEMS, ProblemError } from './problems.ts';
import { exchange, type RawResponse } from './raw-exchange.fixture.ts';

export interface RunningServer {
  readonly server: FastifyInstance;
  readonly port: number;
  readonly origin: string;
  readonly log: PassThrough;
}

export async function startServer(limits: Partial<HttpLimits> = {}, host = '127.0.0.1'): Promise<RunningServer> {
  const destination = new PassThrough();
  const log = createLogger('info', destination);
  const drain = createDrainState();
  const server = createHttpServer({ log, drain, headerPrefix: 'X-ACME', limits });
  registerHealth(server, { checks: {}, drain, log });
  server.get('/', () => ({ root: true }));
  server.get<{ Params: { id: string } }>('/things/:id', (request) => ({ id: request.params.id, query: request.query }));
  server.get('/slow', async (_request, reply) => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return reply.send({ slow: true });
  });
  // Delays the requests queued behind it until one of them times out.
  server.get('/after-timeout', async () => {
    await once(server.server, 'clientError');
    return {};
  });
  server.get('/target', (request) => ({ url: request.url, host: request.headers.host }));
  server.get('/problem', () => {
    throw new ProblemError(PROBLEMS.unauthenticated);
  });
  server.get('/bug', (_request, reply) => {
    reply.header('etag', '"x"').header('content-encoding', 'br').header('ratelimit', '1');
    throw new Error('the database password is hunter2', { cause: new Error('deeper') });
  });
  server.get('/odd-bug', async () => {
    // biome-ignore lint/style/useThrowOnlyError: the server must also handle values that are not errors
    throw 'not an error';
  });
  server.get('/bad-header', (_request, reply) => reply.header('x-bad', 'a\r\nb').send({}));
  server.post('/write-only', (_request, reply) => reply.code(201).send({}));
  server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: 100 },
      scope.getDefaultJsonParser('error', 'error'),
    );
    scope.post('/echo', (request) => ({ body: request.body ?? null }));
    // Reads its body only after doing something else, as do routes that first find out who the caller is.
    const onRequest = async (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    scope.post('/late-echo', { onRequest }, (request) => ({ body: request.body ?? null }));
  });
  const origin = await server.listen({ port: 0, host });
  return { server, port: Number(new URL(origin).port), origin, log: destination };
}

export const GET = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** The error with which Node reports that a request has not arrived in time. */
export function buildLateError(): Error {
  return Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

export function expectProblem(response: RawResponse | undefined, status: number, message: string): void {
  expect(response).toMatchObject({ status, body: JSON.stringify({ message }) });
  expect(response?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{16}-[0-9a-z]+$/),
    date: expect.stringContaining('GMT'),
  });
}

export async function expectServing(port: number): Promise<void> {
  const [response] = await exchange(port, GET('/livez'), 1);
  expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' });
}
