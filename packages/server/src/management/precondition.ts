// Writes on condition. A session must not have ended while its write waited for its turn; and a write may name the state that it
// is meant for (RFC 9110, 13.1.1). What a GET answers has an ETag; a write that names it in `If-Match` happens only
// while that is still the ETag. It is compared inside the write's own transaction, so of two writes that name the same one
// only one can happen.

import { hash } from 'node:crypto';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import type { Desk, Job } from '../authoring/desk.ts';
import { hashToken } from '../content/api-token.ts';
import { PROBLEMS, ProblemError, withHeaders } from '../http/problems.ts';
import { selectSession } from '../storage/port.ts';
import type { Route } from './route.ts';

/** Any state will do, or one that has one of these ETags. */
export type IfMatch = '*' | readonly string[];

const ETAG = /^(?:W\/)?"[!\x23-\x7e\x80-\xff]*"$/;

/** Undefined where there is no condition. A weak ETag is one that nothing has. */
export function parseIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const etags = splitList(header);
  if (etags.length > 0 && etags.every((etag) => ETAG.test(etag))) return etags;
  throw new AuthoringRefusal('The If-Match header must be *, or ETags in double quotes, separated by commas.', {
    reason: 'malformed',
  });
}

/** An ETag may hold commas. */
function splitList(header: string): readonly string[] {
  const elements = header.match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return elements.map((element) => element.trim()).filter((element) => element !== '');
}

/** @param state whatever writes change of it, as JSON tells it */
export function buildEtag(state: unknown): string {
  return `"${hash('sha256', JSON.stringify(state), 'base64url').slice(0, 22)}"`;
}

/** What an ETag is made of; undefined where there is none. Writes that answer as a GET does, of the same outcome, tell its ETag. */
export function findState({ state, answer }: Route, routes: readonly Route[]): Route['state'] {
  if (state !== undefined || answer === null) return state;
  return routes.find((other) => other.state !== undefined && other.answer === answer)?.state;
}

/** What a write changes: what GET answers at its path, or at the nearest path above. Undefined where that has no ETag. */
export function findTarget(route: Route, routes: readonly Route[]): Route | undefined {
  if (route.method === 'GET') return undefined;
  for (let path = route.changes ?? route.path; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const nearest = routes.find((each) => each.method === 'GET' && each.path === path);
    if (nearest !== undefined) return nearest.state === undefined ? undefined : nearest;
  }
  return undefined;
}

/** What a route needs to run, but for what was sent to it. */
type Caller = Omit<Parameters<Route['run']>[0], 'query' | 'body'>;

/** The desk for a call: nothing is written at it unless the caller's session is still there and the condition is met. */
export function prepareDesk(caller: Caller, target: Route | undefined, condition: IfMatch | undefined): Desk {
  const refuseEnded = (job: Pick<Job, 'run'>): Promise<void> => refuseEndedSession(caller, job);
  const desk = { ...caller.desk, precondition: refuseEnded };
  if (condition === undefined || condition === '*') return desk;
  // What has no ETag has none of those.
  if (target?.state === undefined) throw new ProblemError(PROBLEMS.preconditionFailed);
  const { run, state } = target;
  return {
    ...desk,
    precondition: async (job) => {
      await refuseEnded(job);
      const inside = { ...desk, storage: { ...desk.storage, read: job.run }, prepared: job.prepared };
      const etag = buildEtag(state(await run({ ...caller, desk: inside, query: undefined, body: undefined })));
      if (!condition.includes(etag)) throw new ProblemError(withHeaders(PROBLEMS.preconditionFailed, { etag }));
    },
  };
}

/** While the work waited for its turn, somebody may have ended the session, such as by a new password. */
async function refuseEndedSession(
  { actor, client: { sessionToken } }: Caller,
  { run }: Pick<Job, 'run'>,
): Promise<void> {
  if (actor?.kind !== 'user' || sessionToken === undefined) return;
  const session = await run(selectSession(hashToken(sessionToken)));
  if (session === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
}
