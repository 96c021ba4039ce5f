// The management API as HTTP: every route of the table is served the same way: authenticate, check the rights, parse, run, send.
// Only JSON comes in. Answers are never cached and never readable for pages of other origins.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../authoring/actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring/authoring-refusal.ts';
import type { Desk } from '../authoring/desk.ts';
import { parseWithSchema } from '../content/parse-with-schema.ts';
import { parseStrictJson } from '../content/strict-json.ts';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS, type Problem, ProblemError } from '../http/problems.ts';
import { readRawQuery } from '../http/request-target.ts';
import { StorageUnavailable } from '../storage/port.ts';
import { authenticate } from './authenticate.ts';
import { parseQuery } from './parse-query.ts';
import type { Audience, Client, Route } from './route.ts';
import { MANAGEMENT_ROUTES } from './routes.ts';
import { sendRefusal } from './send-refusal.ts';
import { readSessionCookie } from './session-cookie.ts';

export interface ManagementOptions {
  readonly desk: Desk;
  /** Whether browsers reach the service over TLS, whatever this process sees of it. */
  readonly isPublicUrlSecure: boolean;
}

export const MANAGEMENT_ROOT = '/manage/v1';
/** A saved object with its blocks is rarely above a tenth of this. */
export const MOST_BODY_BYTES = 4 * 1024 * 1024;

export function registerManagement(server: FastifyInstance, options: ManagementOptions): void {
  server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES },
      // Read here, parsed when it is known who sent it.
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    );
    for (const route of MANAGEMENT_ROUTES) {
      scope.route({
        method: route.method,
        url: `${MANAGEMENT_ROOT}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        exposeHeadRoute: false,
        handler: (request, reply) => serve(route, options, request, reply),
      });
    }
  });
}

/** Undefined where there is none. */
function parseBody(bytes: unknown): unknown {
  if (!(bytes instanceof Buffer)) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AuthoringRefusal('The body is not valid UTF-8.', { reason: 'malformed' });
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new AuthoringRefusal(`The body ${parsed.problem}.`, { reason: 'malformed' });
  return parsed.value;
}

async function serve(
  route: Route,
  { desk, isPublicUrlSecure }: ManagementOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    const client = readClient(request, isPublicUrlSecure);
    const actor = await findActor(route, desk, request, client);
    const path = readPath(request);
    const query = parse(route.query, parseQuery(readRawQuery(request.raw.url ?? '')), 'query');
    const body = parse(route.body, parseBody(request.body), '');
    const setHeader = (name: string, value: string): void => {
      reply.header(name, value);
    };
    const answer = await route.run({ desk, actor, path, query, body, client, setHeader });
    return route.answer === null ? reply.code(204).send() : reply.code(route.status).send(answer);
  } catch (error) {
    if (error instanceof AuthoringRefusal) return sendRefusal(reply, error);
    if (error instanceof StorageUnavailable) return sendProblem(reply, PROBLEMS.serviceUnavailable);
    throw error;
  }
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

/** Before anything of the call is looked at: who may not call learns nothing of what is there. */
async function findActor(
  route: Route,
  desk: Desk,
  request: FastifyRequest,
  client: Client,
): Promise<Actor | undefined> {
  if (isFromElsewhere(request)) throw new ProblemError(PROBLEMS.crossSiteForbidden);
  const csrfHeader = request.headers['x-csrf-token'];
  const credentials = {
    authorization: request.headers.authorization,
    csrfToken: typeof csrfHeader === 'string' ? csrfHeader : undefined,
    method: route.method,
    client,
  };
  const actor = await authenticate(credentials, desk.storage, desk.now());
  if (!actor.ok) throw new ProblemError(actor.problem);
  const problem = findMissingRight(route.who, actor.value);
  if (problem !== undefined) throw new ProblemError(problem);
  return actor.value;
}

/** Browsers say whose page sends a request; the pages of others have no business here. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

function findMissingRight(who: Audience, actor: Actor | undefined): Problem | undefined {
  if (who === 'anyone') return undefined;
  if (actor === undefined) return PROBLEMS.unauthenticated;
  return who === 'owner' && actor.role !== 'owner' ? PROBLEMS.ownerNeeded : undefined;
}

function readPath({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return typeof params === 'object' && params !== null ? Object.fromEntries(Object.entries(params)) : {};
}

/** @param place how faults name where a value stands; empty for the body itself */
function parse(schema: Route['body'], given: unknown, place: string): unknown {
  if (schema === undefined) return undefined;
  const parsed = parseWithSchema(schema, given ?? {}, place);
  if (!parsed.ok) throw refuseFaults(parsed.problem);
  return parsed.value;
}
