// OPTIONS: CORS preflights are answered for every path and without a key, because browsers send none along. Those for the
// paths that cookies open get no leave: the pages of other origins have no business there.
// @fastify/cors runs for OPTIONS alone: on every request its hook was measured to cost more than 3 % of the throughput,
// and all it would add there are headers that never change (see service-message.ts).

import fastifyCors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { findAllowedMethods } from './allowed-methods.ts';
import { sendProblem } from './problem-response.ts';
import { PROBLEMS } from './problems.ts';
import { isPrivatePath, SHARED_HEADERS } from './service-message.ts';

const SERVICE_HEADERS = ['SITE', 'SIMPLE-PAGINATION', 'LANGUAGE', 'PREVIEW'] as const;

export function registerPreflight(server: FastifyInstance, headerPrefix: string): void {
  server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const isPreflight =
        !isPrivatePath(request.url) &&
        request.headers.origin !== undefined &&
        request.headers['access-control-request-method'] !== undefined;
      if (isPreflight) return;
      const allow = findAllowedMethods(server, request.url);
      if (allow === undefined) return sendProblem(reply, PROBLEMS.notFound);
      return reply.code(204).header('allow', allow).send();
    });
    await scope.register(fastifyCors, {
      origin: '*',
      methods: ['GET', 'HEAD', 'OPTIONS'],
      allowedHeaders: [
        'Authorization',
        'If-None-Match',
        'Content-Type',
        'X-Request-Id',
        ...SERVICE_HEADERS.map((name) => `${headerPrefix}-${name}`),
      ],
      exposedHeaders: SHARED_HEADERS['access-control-expose-headers'],
      maxAge: 86_400,
      strictPreflight: false,
    });
  });
}
