// The management API as HTTP: every route of the table is served the same way: authenticate, check the rights, read, parse,
// run, send. Only JSON comes in. Answers are never cached and never readable for pages of other origins.

import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../authoring/actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring/authoring-refusal.ts';
import type { Desk } from '../authoring/desk.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { strictMembers } from '../content/schema-members.ts';
import type { KnownCaller, NoteCaller } from '../http/access-log.ts';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS, type Problem, ProblemError } from '../http/problems.ts';
import { readRawQuery } from '../http/request-target.ts';
import type { TrafficMinute } from '../http/traffic-history.ts';
import { ImportRunning, StorageUnavailable } from '../storage/port.ts';
import { authenticate } from './authenticate.ts';
import { MANAGEMENT_ROOT } from './management-root.ts';
import { parseBody } from './parse-body.ts';
import { parseQuery } from './parse-query.ts';
import { buildEtag, findState, findTarget, parseIfMatch, prepareDesk } from './precondition.ts';
import { readPath } from './read-path.ts';
import { registerJsonBodies } from './register-json-bodies.ts';
import type { Audience, Client, DeliverContent, Route } from './route.ts';
import { MANAGEMENT_ROUTES } from './routes.ts';
import { sendRefusal } from './send-refusal.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface ManagementOptions {
  readonly desk: Desk;
  readonly deliver: DeliverContent;
  /** Whether browsers reach the service over TLS, whatever this process sees of it. */
  readonly isPublicUrlSecure: boolean;
  /** The host of the public URL, where one is set. */
  readonly publicHost: string | null;
  readonly readTraffic: () => Promise<readonly TrafficMinute[]>;
  /** Where requests are logged. */
  readonly noteCaller: NoteCaller | undefined;
}

/** Routes that take nothing say so, rather than ignore what somebody believes to have an effect. */
const NOTHING = { query: strictMembers('the query', {}), body: strictMembers('the body', {}) };

export function registerManagement(server: FastifyInstance, options: ManagementOptions): void {
  server.register(async (scope) => {
    registerJsonBodies(scope);
    for (const route of MANAGEMENT_ROUTES) {
      scope.route({
        method: route.method,
        url: `${MANAGEMENT_ROOT}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        exposeHeadRoute: route.method === 'GET',
        // Before the body is read: who may not call learns nothing and sends nothing.
        onRequest: async (request, reply) => admit(route, options, request, reply),
        handler: (request, reply) => serve(route, options, request, reply),
      });
    }
  });
}

async function admit(
  route: Route,
  options: ManagementOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  // An encoded path also finds the route, but not the headers that keep the pages of others out.
  if (request.raw.url?.startsWith(MANAGEMENT_ROOT) !== true) throw new ProblemError(PROBLEMS.notFound);
  try {
    await findActor(route, options, request);
    return undefined;
  } catch (error) {
    return sendExpected(reply, error);
  }
}

async function serve(
  route: Route,
  options: ManagementOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    // Once more: a body may take half a minute to arrive, in which a token can be revoked.
    const { actor, client } = await findActor(route, options, request);
    const path = readPath(request.params);
    options.noteCaller?.(request.raw.headers, { site: path.site });
    const query = parse(route.query ?? NOTHING.query, parseQuery(readRawQuery(request.raw.url ?? '')), 'query');
    const body = route.method === 'GET' ? undefined : parse(route.body ?? NOTHING.body, parseBody(request.body), '');
    const setHeader = (name: string, value: string): void => {
      reply.header(name, value);
    };
    const { desk, deliver, readTraffic } = options;
    const caller = { desk, deliver, actor, path, client, readTraffic, setHeader };
    const condition = route.method === 'GET' ? undefined : parseIfMatch(request.headers['if-match']);
    const guarded = prepareDesk(caller, findTarget(route, MANAGEMENT_ROUTES), condition);
    // What is large is parsed, worked on and written in turns of their own: others are not kept waiting for all of it.
    await setImmediate();
    const outcome = await route.run({ ...caller, desk: guarded, query, body });
    await setImmediate();
    const state = findState(route, MANAGEMENT_ROUTES);
    if (state !== undefined) setHeader('etag', buildEtag(state(outcome)));
    if (route.answer === null) return reply.code(204).send();
    return reply.code(route.status).send(route.render === undefined ? outcome : route.render(outcome));
  } catch (error) {
    return sendExpected(reply, error);
  }
}

function sendExpected(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof AuthoringRefusal) return sendRefusal(reply, error);
  if (error instanceof ImportRunning) return sendProblem(reply, PROBLEMS.importRunning);
  if (error instanceof StorageUnavailable) return sendProblem(reply, PROBLEMS.serviceUnavailable);
  throw error;
}

async function findActor(
  route: Route,
  { desk, isPublicUrlSecure, publicHost, noteCaller }: ManagementOptions,
  request: FastifyRequest,
): Promise<{ readonly actor: Actor | undefined; readonly client: Client }> {
  if (isFromElsewhere(request, publicHost)) throw new ProblemError(PROBLEMS.crossSiteForbidden);
  const client = readClient(request, isPublicUrlSecure);
  const credentials = {
    authorization: readOnce(request, 'authorization'),
    csrfToken: readOnce(request, 'x-csrf-token'),
    method: route.method,
    who: route.who,
    client,
  };
  const actor = await authenticate(credentials, desk.storage, desk.now());
  if (!actor.ok) throw new ProblemError(actor.problem);
  noteCaller?.(request.raw.headers, nameCaller(actor.value));
  const problem = findMissingRight(route.who, actor.value);
  if (problem !== undefined) throw new ProblemError(problem);
  return { actor: actor.value, client };
}

function nameCaller(actor: Actor | undefined): KnownCaller {
  const id = actor?.id ?? undefined;
  return actor?.kind === 'token' ? { key: id } : { user: id };
}

/** Browsers say whose page sends a request; the pages of others have no business here. Some say it in `Origin` alone. */
function isFromElsewhere({ headers, host }: FastifyRequest, publicHost: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  const originHost = URL.canParse(origin) ? new URL(origin).host : '';
  return originHost !== host && originHost !== publicHost;
}

function readClient(request: FastifyRequest, isPublicUrlSecure: boolean): Client {
  const isSecure = isPublicUrlSecure || request.protocol === 'https';
  return {
    address: request.ip,
    agent: request.headers['user-agent'] ?? null,
    isSecure,
    sessionToken: readSessionCookie(request.headers.cookie, isSecure),
  };
}

/** Of two values a proxy may have looked at the other one. */
function readOnce(request: FastifyRequest, name: string): string | undefined {
  const [value, ...others] = request.raw.headersDistinct[name] ?? [];
  if (others.length > 0) throw new ProblemError(PROBLEMS.badRequest);
  return value;
}

function findMissingRight(who: Audience, actor: Actor | undefined): Problem | undefined {
  if (who === 'anyone') return undefined;
  if (actor === undefined) return PROBLEMS.unauthenticated;
  return who === 'owner' && actor.role !== 'owner' ? PROBLEMS.ownerNeeded : undefined;
}

/** @param place how faults name where a value stands; empty for the body itself */
function parse(schema: NonNullable<Route['body']>, given: unknown, place: string): unknown {
  const parsed = parseWithSchema(schema, given === undefined ? {} : given, place);
  if (!parsed.ok) throw refuseFaults(parsed.problem);
  return parsed.value;
}
