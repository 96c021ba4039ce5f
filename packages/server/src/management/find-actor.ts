// Finds out who sent a request, and whether they may use the route. Requests from pages on other sites are rejected.

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { KnownCaller, NoteCaller } from '../http/access-log.ts';
import { PROBLEMS, type Problem, ProblemError } from '../http/problems.ts';
import type { RequestOrigin } from '../http/request-origin.ts';
import { againIfLost } from '../storage/retry.ts';
import { authenticate } from './authenticate.ts';
import type { Audience, Client, GuardedRoute } from './route.ts';
import { readCookie } from './session/host-cookie.ts';

export interface ActorOptions {
  readonly desk: Pick<Desk, 'storage' | 'now'>;
  readonly origin: RequestOrigin;
  /** The host in the public URL, if there is one. */
  readonly publicHost: string | null;
  /** Records the caller of a request for the log. */
  readonly noteCaller: NoteCaller | undefined;
}

/** Throws a `ProblemError` if the caller is not allowed to use the route. The actor is undefined if nobody has signed in. */
export async function findActor(
  route: GuardedRoute,
  { desk, origin, publicHost, noteCaller }: ActorOptions,
  request: FastifyRequest,
): Promise<{ readonly actor: Actor | undefined; readonly client: Client }> {
  if (isFromElsewhere(request.headers, [origin.readHost(request.raw), publicHost]))
    throw new ProblemError(PROBLEMS.crossSiteForbidden);
  const client = readClient(request, origin);
  const credentials = {
    authorization: request.headers.authorization,
    csrfToken: readOnce(request, 'x-csrf-token'),
    method: route.method,
    who: route.who,
    client,
  };
  const actor = await againIfLost(() => authenticate(credentials, desk.storage, desk.now()));
  if (!actor.ok) throw new ProblemError(actor.problem);
  noteCaller?.(request.raw.headers, describeCaller(actor.value));
  const problem = findMissingRight(route.who, actor.value);
  if (problem !== undefined) throw new ProblemError(problem);
  return { actor: actor.value, client };
}

function describeCaller(actor: Actor | undefined): KnownCaller {
  const id = actor?.id ?? undefined;
  return actor?.kind === 'token' ? { key: id } : { user: id };
}

/** Browsers say which page sent a request, some of them only in the `Origin` header. Requests from pages on other sites are rejected. */
function isFromElsewhere(headers: IncomingHttpHeaders, ownHosts: readonly (string | null | undefined)[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !ownHosts.includes(new URL(origin).host);
}

function readClient(request: FastifyRequest, origin: RequestOrigin): Client {
  const isSecure = origin.isSecure(request.raw);
  return {
    address: origin.readAddress(request.raw),
    agent: request.headers['user-agent'] ?? null,
    isSecure,
    baseUrl: origin.readBaseUrl(request.raw),
    sessionToken: readCookie('session', request.headers.cookie, isSecure),
    deviceCookie: readCookie('device', request.headers.cookie, isSecure),
  };
}

/** Rejects a header that is sent twice, because a proxy may have used the other value. */
export function readOnce(request: FastifyRequest, name: string): string | undefined {
  const [value, ...others] = request.raw.headersDistinct[name] ?? [];
  if (others.length > 0) throw new ProblemError(PROBLEMS.badRequest);
  return value;
}

function findMissingRight(who: Audience, actor: Actor | undefined): Problem | undefined {
  if (who === 'anyone') return undefined;
  if (actor === undefined) return PROBLEMS.unauthenticated;
  return who === 'owner' && actor.role !== 'owner' ? PROBLEMS.ownerNeeded : undefined;
}
