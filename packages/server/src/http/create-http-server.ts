// The HTTP server for both APIs: Fastify, with an explicit value for every default that a client could notice. Two Fastify features are
// off because they would slow down every request: `request.log` logs nothing (use the given logger, with `request.id`), and
// `request.query` is empty (parse `readRawQuery` yourself). `request.ip`, `.host` and `.protocol` ignore proxies; use request-origin.ts.

import fastifyCors from '@fastify/cors';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { createNodeServer, type TakeFirst, type WatchRequest } from './create-node-server.ts';
import type { DrainState } from './drain.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { sendProblem } from './problem-response.ts';
import { PROBLEMS, type Problem, ProblemError, withHeaders } from './problems.ts';
import { isPrivatePath, readRequestId, SHARED_HEADERS } from './service-message.ts';
import { UnreadAnswers } from './unread-answers.ts';

export interface HttpServerOptions {
  readonly log: Logger;
  readonly drain: DrainState;
  readonly headerPrefix: string;
  readonly limits?: Partial<HttpLimits>;
  /** If omitted, the server creates one. */
  readonly unread?: UnreadAnswers;
  /** Answers requests before Fastify sees them; returns false to pass a request on to Fastify. */
  readonly takeFirst?: TakeFirst;
  readonly watches?: readonly WatchRequest[];
}

/** No route uses Fastify's schemas, and loading their compilers takes 50 ms. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } };

function refuseSchema(): never {
  throw new Error('Routes do not use Fastify schemas');
}

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { log, drain, headerPrefix, takeFirst, watches = [] } = options;
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const { unread = new UnreadAnswers({ connections: drain.connections, log, limits }) } = options;
  const server: FastifyInstance = fastify({
    serverFactory: (listener) =>
      createNodeServer(listener, {
        drain,
        limits,
        unread,
        takeFirst,
        watches,
        findAllowed: (url) => findAllowedMethods(server, url),
      }),
    requestIdHeader: false,
    genReqId: readRequestId,
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: NO_SCHEMAS,
    // While the server drains, requests on open connections are still served, with `Connection: close`.
    return503OnClosing: false,
    // The server from the factory has its own listener for client errors.
    clientErrorHandler: () => {},
    frameworkErrors: (error, _request, reply) => sendProblem(reply, findFrameworkProblem(error)),
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: limits.urlLength,
      querystringParser: () => ({}),
    },
  });

  // A scope reads bodies only if it adds a parser.
  server.removeAllContentTypeParsers();
  server.setErrorHandler((error, request, reply) => sendError(server, log, error, request, reply));
  server.setNotFoundHandler((request, reply) => sendNotFound(server, request, reply));
  registerPreflight(server, headerPrefix);
  return server;
}

/** 405 if the path exists for a different method, otherwise 404. */
function sendNotFound(server: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allow = findAllowedMethods(server, request.url);
  return sendProblem(
    reply,
    allow === undefined ? PROBLEMS.notFound : withHeaders(PROBLEMS.methodNotAllowed, { allow }),
  );
}

function sendError(
  server: FastifyInstance,
  log: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  clearHeaders(reply);
  if (error instanceof ProblemError) return sendProblem(reply, error.problem);
  if (isRefusal(error)) {
    // Fastify checks bodies and media types before the path. For an unknown path, the response must be 404.
    return request.is404 ? sendNotFound(server, request, reply) : sendProblem(reply, findFrameworkProblem(error));
  }
  log.error(
    { reqId: request.id, method: request.method, route: request.routeOptions.url, err: error },
    'request failed',
  );
  return sendProblem(reply, PROBLEMS.serverError);
}

/** Removes headers that were set for the failed response, such as its ETag and its encoding. */
function clearHeaders(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) {
    const isAboutCaller = name === 'connection' || name.startsWith('ratelimit');
    if (!isAboutCaller) reply.removeHeader(name);
  }
}

/** Whether Fastify rejected the request with this error, or the client disconnected while sending its body. */
function isRefusal(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  if (!('statusCode' in error) || typeof error.statusCode !== 'number' || error.statusCode >= 500) return false;
  return error.code.startsWith('FST_') || error.code === 'ECONNRESET';
}

function findFrameworkProblem(error: FastifyError): Problem {
  switch (error.statusCode) {
    case 413:
      return PROBLEMS.payloadTooLarge;
    case 414:
      return PROBLEMS.uriTooLong;
    case 415:
      return PROBLEMS.unsupportedMediaType;
    default:
      return PROBLEMS.badRequest;
  }
}

const PROBED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The value of `Allow` for a path; undefined if the path has no route. */
function findAllowedMethods(server: FastifyInstance, url: string): string | undefined {
  const reached = PROBED_METHODS.filter((method) => server.findRoute({ method, url }) !== null);
  if (reached.length === 0) return undefined;
  return [...reached.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');
}

const SERVICE_HEADERS = ['SITE', 'SIMPLE-PAGINATION', 'LANGUAGE', 'PREVIEW', 'SOURCE-MAP'] as const;

/**
 * CORS preflights are answered on every path without requiring a key, because browsers send no key with a preflight. Paths that use cookies
 * allow no other origin. @fastify/cors runs for OPTIONS only: on every request, its hook would reduce throughput by more than 3%
 * (measured), only to add headers that never change (see service-message.ts).
 */
function registerPreflight(server: FastifyInstance, headerPrefix: string): void {
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
        'Cache-Control',
        'Content-Type',
        'Range',
        'Last-Event-ID',
        'X-Request-Id',
        ...SERVICE_HEADERS.map((name) => `${headerPrefix}-${name}`),
      ],
      exposedHeaders: SHARED_HEADERS['access-control-expose-headers'],
      maxAge: 86_400,
      strictPreflight: false,
    });
  });
}
