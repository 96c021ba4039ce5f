// Conditions for a write. The caller's session must still exist when the write runs. With `If-Match` (RFC 9110, 13.1.1), the call
// specifies the ETag from a GET, and the write happens only if that is still the current ETag. The ETags are compared in the same
// transaction, so if two writes specify the same ETag, only one of them can succeed.

import { hash } from 'node:crypto';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import type { Desk, Job } from '../authoring/desk.ts';
import { hashToken } from '../content/api-token.ts';
import { PROBLEMS, ProblemError, withHeaders } from '../http/problems.ts';
import { selectSession } from '../storage/accounts/accounts.ts';
import type { Route } from './route.ts';

/** `*` matches any state; otherwise the ETag must be in the list. */
export type IfMatch = '*' | readonly string[];

const ETAG = /^(?:W\/)?"[!\x23-\x7e\x80-\xff]*"$/;

/** Returns undefined if there is no condition. Weak ETags match nothing. */
export function parseIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const etags = splitList(header);
  if (etags.length > 0 && etags.every((etag) => ETAG.test(etag))) return etags;
  throw new AuthoringRefusal('The If-Match header must be *, or ETags in double quotes, separated by commas.', {
    reason: 'malformed',
  });
}

/** Splits at commas, except inside an ETag. */
function splitList(header: string): readonly string[] {
  const elements = header.match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return elements.map((element) => element.trim()).filter((element) => element !== '');
}

/** @param state all data that writes can change, as JSON values */
export function buildEtag(state: unknown): string {
  return `"${hash('sha256', JSON.stringify(state), 'base64url').slice(0, 22)}"`;
}

/**
 * Returns the function that selects the data for the ETag, if there is one. A write that returns the same body as a GET also returns the
 * same ETag.
 */
export function findState({ state, answer }: Route, routes: readonly Route[]): Route['state'] {
  if (state !== undefined || answer === null) return state;
  return routes.find((other) => other.state !== undefined && other.answer === answer)?.state;
}

/** Finds the GET route for the object that a write changes: at its path, or at the nearest parent. Undefined if that route has no ETag. */
export function findTarget(route: Route, routes: readonly Route[]): Route | undefined {
  if (route.method === 'GET') return undefined;
  for (let path = route.changes ?? route.path; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const nearest = routes.find((each) => each.method === 'GET' && each.path === path);
    if (nearest !== undefined) return nearest.state === undefined ? undefined : nearest;
  }
  return undefined;
}

/** Everything that a route needs to run, except its input. */
type Caller = Omit<Parameters<Route['run']>[0], 'query' | 'body'>;

/** Returns the desk for a call. It writes only if the caller's session still exists and the condition is met. */
export function prepareDesk(caller: Caller, target: Route | undefined, condition: IfMatch | undefined): Desk {
  const refuseEnded = (job: Pick<Job, 'run'>): Promise<void> => refuseEndedSession(caller, job);
  const desk = { ...caller.desk, precondition: refuseEnded };
  if (condition === undefined || condition === '*') return desk;
  // If there is no ETag, no condition can match.
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

/** The session may have ended while the operation was waiting, for example because the password was changed. */
async function refuseEndedSession(
  { actor, client: { sessionToken } }: Caller,
  { run }: Pick<Job, 'run'>,
): Promise<void> {
  if (actor?.kind !== 'user' || sessionToken === undefined) return;
  const session = await run(selectSession(hashToken(sessionToken)));
  if (session === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
}
