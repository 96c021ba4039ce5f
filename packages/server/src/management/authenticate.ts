// Identifies the caller of the management API by a management token in the Authorization header, or by a session cookie. API keys do
// not work here. Browsers send cookies automatically, so changes also require the session's CSRF token.

import type { Actor } from '../authoring/actor.ts';
import { buildUserActor } from '../authoring/people/sessions.ts';
import { hashToken, isSameSecret } from '../content/api-token.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import { type SessionRow, selectSession } from '../storage/accounts/accounts.ts';
import {
  findTokenState,
  type ManagementTokenRow,
  markManagementTokenUsed,
  selectManagementTokenByHash,
} from '../storage/accounts/management-tokens.ts';
import type { Storage } from '../storage/storage.ts';
import type { Audience, Client, Method } from './route.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  readonly csrfToken: string | undefined;
  readonly method: Method;
  /** Who may call the route. */
  readonly who: Audience;
  readonly client: Client;
}

const BEARER = /^bearer +([\w-]{1,512}) *$/i;
/** The time of last use is only for display, so it does not need to be exact. */
const USE_NOTED_EVERY_MS = 60_000;

/** Returns undefined if there are no credentials at all. */
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
  // A session that has ended is not an error: the browser still sends its cookie when the user signs in again.
  if (session === undefined || !isSessionLive(session, now)) return ok(undefined);
  if (method === 'GET' || (csrfToken !== undefined && isSameSecret(csrfToken, session.csrf_token))) {
    return ok(buildSessionActor(session, client));
  }
  // Routes that anyone may call do not need the cookie, so signing in works even with an old one.
  return who === 'anyone' ? ok(undefined) : fail(PROBLEMS.csrfTokenMissing);
}

/** Tokens whose use is being recorded. Without this, each call during an import would queue a write. */
const beingNoted = new WeakMap<Storage, Set<string>>();

/** Callers do not wait for this write, and losing it does no harm. */
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

export function isSessionLive(session: SessionRow, now: number): boolean {
  return session.expires_at > now && session.suspended_at === null;
}

function buildTokenActor({ id, name, role, account_no }: ManagementTokenRow, { address }: Client): Actor {
  return { kind: 'token', id, name, role, accountNo: account_no, address };
}

function buildSessionActor({ user_id, name, role, account_no }: SessionRow, { address }: Client): Actor {
  return buildUserActor({ id: user_id, name, role, account_no }, address);
}
