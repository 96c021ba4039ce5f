// A session is a token in the browser's cookie, with its hash on the server. It lasts for 14 days or until it is ended.

import { hashToken } from '../../content/api-token.ts';
import { deleteExpiredSessions, deleteSession, insertSession, type UserRow } from '../../storage/accounts/accounts.ts';
import type { Actor } from '../actor.ts';
import { type Desk, type Job, work } from '../desk.ts';

export const SESSION_SECONDS = 14 * 24 * 60 * 60;
const SECRET_BYTES = 32;
const MOST_AGENT_CHARACTERS = 255;

/** The browser that starts a session. */
export interface Visitor {
  readonly address: string;
  readonly agent: string | null;
  /** The session token in the browser's cookie. The session may no longer exist on the server. */
  readonly sessionToken: string | undefined;
}

export interface StartedSession {
  readonly user: UserRow;
  /** The token is needed only for the cookie, and is not stored. */
  readonly token: string;
  readonly csrfToken: string;
  readonly expiresAt: number;
}

/** Replaces any session that the browser already has. */
export async function startSession(job: Job, user: UserRow, visitor: Visitor): Promise<StartedSession> {
  const token = job.randomBytes(SECRET_BYTES).toString('base64url');
  const csrfToken = job.randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = job.now + SESSION_SECONDS * 1000;
  await job.run(deleteExpiredSessions(job.now));
  if (visitor.sessionToken !== undefined) await job.run(deleteSession(hashToken(visitor.sessionToken)));
  await job.run(
    insertSession({
      tokenHash: hashToken(token),
      userNo: user.no,
      csrfToken,
      createdAt: job.now,
      expiresAt,
      address: visitor.address,
      agent: visitor.agent?.slice(0, MOST_AGENT_CHARACTERS) ?? null,
    }),
  );
  return { user, token, csrfToken, expiresAt };
}

export function buildUserActor(
  user: Pick<UserRow, 'id' | 'name' | 'role' | 'account_no'>,
  address: string | null,
): Actor {
  return { kind: 'user', id: user.id, name: user.name, role: user.role, accountNo: user.account_no, address };
}

/** Ends the session. Its cookie is no longer accepted. */
export function signOut(desk: Desk, actor: Actor, sessionToken: string): Promise<void> {
  return work(desk, actor, async (job) => {
    await job.run(deleteSession(hashToken(sessionToken)));
    await job.note({
      action: 'user.sign_out',
      subjectName: actor.name,
      ...(actor.id === null ? {} : { subjectId: actor.id }),
    });
  });
}
