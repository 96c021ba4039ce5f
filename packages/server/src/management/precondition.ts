// Conditions of a write. Its session must still exist when its turn comes. With `If-Match` (RFC 9110, 13.1.1), it names the ETag
// of a GET, and happens only if that is still the ETag. They are compared inside the transaction of the write, so of two writes
// with the same ETag only one can happen.

import { hash } from 'node:crypto';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import type { Desk, Job } from '../authoring/desk.ts';
import { hashToken } from '../content/api-token.ts';
import { PROBLEMS, ProblemError, withHeaders } from '../http/problems.ts';
import { selectSession } from '../storage/accounts/accounts.ts';
import type { Route } from './route.ts';

/** Any state, or one with one of these ETags. */
export type IfMatch = '*' | readonly string[];

const ETAG = /^(?:W\/)?"[!\x23-\x7e\x80-\xff]*"$/;

/** Undefined if there is no condition. Weak ETags match nothing. */
export function parseIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const etags = splitList(header);
  if (etags.length > 0 && etags.every((etag) => ETAG.test(etag))) return etags;
  throw new AuthoringRefusal('The If-Match header must be *, or ETags in double quotes, separated by commas.', {
    reason: 'malformed',
  });
}

/** An ETag can contain commas. */
function splitList(header: string): readonly string[] {
  const elements = header.match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return elements.map((element) => element.trim()).filter((element) => element !== '');
}

/** @param state everything that writes can change, as JSON values */
export function buildEtag(state: unknown): string {
  return `"${hash('sha256', JSON.stringify(state), 'base64url').slice(0, 22)}"`;
}

/** What an ETag is made from; undefined if there is none. A write with the answer of a GET has its ETag. */
export function findState({ state, answer }: Route, routes: readonly Route[]): Route['state'] {
  if (state !== undefined || answer === null) return state;
  return routes.find((other) => other.state !== undefined && other.answer === answer)?.state;
}

/** The GET route for what a write changes: at its path, or the nearest path above. Undefined if it has no ETag. */
export function findTarget(route: Route, routes: readonly Route[]): Route | undefined {
  if (route.method === 'GET') return undefined;
  for (let path = route.changes ?? route.path; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const nearest = routes.find((each) => each.method === 'GET' && each.path === path);
    if (nearest !== undefined) return nearest.state === undefined ? undefined : nearest;
  }
  return undefined;
}

/** What a route needs to run, except the input. */
type Caller = Omit<Parameters<Route['run']>[0], 'query' | 'body'>;

/** The desk for a call. It writes only if the caller's session still exists and the condition is met. */
export function prepareDesk(caller: Caller, target: Route | undefined, condition: IfMatch | undefined): Desk {
  const refuseEnded = (job: Pick<Job, 'run'>): Promise<void> => refuseEndedSession(caller, job);
  const desk = { ...caller.desk, precondition: refuseEnded };
  if (condition === undefined || condition === '*') return desk;
  // Something without an ETag matches none.
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

/** The session may have ended while the work waited for its turn, for example by a new password. */
async function refuseEndedSession(
  { actor, client: { sessionToken } }: Caller,
  { run }: Pick<Job, 'run'>,
): Promise<void> {
  if (actor?.kind !== 'user' || sessionToken === undefined) return;
  const session = await run(selectSession(hashToken(sessionToken)));
  if (session === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
}
