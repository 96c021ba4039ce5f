// Who calls the management API: a management token in the Authorization header, or a session's cookie. Keys of the delivery
// API open nothing here. A session's cookie travels by itself, so what changes something must also show its CSRF token.

import type { Actor } from '../authoring/actor.ts';
import { buildUserActor } from '../authoring/people/sessions.ts';
import { hashToken, isSameSecret } from '../content/api-token.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import {
  findTokenState,
  type ManagementTokenRow,
  markManagementTokenUsed,
  type SessionRow,
  type Storage,
  selectManagementTokenByHash,
  selectSession,
} from '../storage/port.ts';
import type { Audience, Client, Method } from './route.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  readonly csrfToken: string | undefined;
  readonly method: Method;
  /** Whom the route is for. */
  readonly who: Audience;
  readonly client: Client;
}

const BEARER = /^bearer +([\w-]{1,512}) *$/i;
/** The time of the last use is for people; a write for each request would be for nobody. */
const USE_NOTED_EVERY_MS = 60_000;

/** Undefined where the caller shows nothing at all. */
export async function authenticate(
  { authorization, csrfToken, method, who, client }: Credentials,
  storage: Storage,
  now: number,
): Promise<Result<Actor | undefined, Problem>> {
  if (authorization !== undefined) {
    const token = BEARER.exec(authorization)?.[1];
    const row = token === undefined ? undefined : await storage.read(selectManagementTokenByHash(hashToken(token)));
    if (row === undefined || findTokenState(row, now) !== 'active') return fail(PROBLEMS.unauthenticated);
    noteUse(row, storage, now);
    return ok(buildTokenActor(row, client));
  }
  if (client.sessionToken === undefined) return ok(undefined);
  const session = await storage.read(selectSession(hashToken(client.sessionToken)));
  // An ended session is no offence: whoever signs in again sends its cookie too.
  if (session === undefined || !isSessionLive(session, now)) return ok(undefined);
  if (method === 'GET' || (csrfToken !== undefined && isSameSecret(csrfToken, session.csrf_token))) {
    return ok(buildSessionActor(session, client));
  }
  // Where anyone may call, the cookie is not what lets the call in: signing in works whatever the browser still holds.
  return who === 'anyone' ? ok(undefined) : fail(PROBLEMS.csrfTokenMissing);
}

/** The tokens whose use is being noted: while an import runs, calls that come meanwhile must not queue a write each. */
const beingNoted = new WeakMap<Storage, Set<string>>();

/** Nobody waits for it, and one that is lost is no loss. */
function noteUse({ id, last_used_at }: ManagementTokenRow, storage: Storage, now: number): void {
  if (last_used_at !== null && now - last_used_at < USE_NOTED_EVERY_MS) return;
  const ids = beingNoted.get(storage) ?? new Set();
  if (ids.has(id)) return;
  beingNoted.set(storage, ids.add(id));
  storage
    .writeUnseen(markManagementTokenUsed(id, now))
    .catch(() => undefined)
    .finally(() => ids.delete(id));
}

function isSessionLive(session: SessionRow, now: number): boolean {
  return session.expires_at > now && session.suspended_at === null;
}

function buildTokenActor({ id, name, role, account_no }: ManagementTokenRow, { address }: Client): Actor {
  return { kind: 'token', id, name, role, accountNo: account_no, address };
}

function buildSessionActor({ user_id, name, role, account_no }: SessionRow, { address }: Client): Actor {
  return buildUserActor({ id: user_id, name, role, account_no }, address);
}
