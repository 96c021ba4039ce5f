// Signing in and out, and finding out who is signed in.

import type { SessionBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { AuthoringRefusal, refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Desk } from '../../authoring/desk.ts';
import { MOST_PASSWORD_CHARACTERS } from '../../authoring/people/passwords.ts';
import { SESSION_SECONDS, type StartedSession, signOut } from '../../authoring/people/sessions.ts';
import { signIn } from '../../authoring/people/sign-in.ts';
import { changePassword } from '../../authoring/people/users.ts';
import { hashToken } from '../../content/api-token.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { buildEmailKey, hasAtMostCharacters } from '../../content/text-rules.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { PROBLEMS, ProblemError } from '../../http/problems.ts';
import { selectSession, selectUser, selectUserByEmail, type UserRow } from '../../storage/accounts/accounts.ts';
import { selectManagementToken } from '../../storage/accounts/management-tokens.ts';
import { type Client, defineRoute, type Route } from '../route.ts';
import { DEVICE_SECONDS, type Entrance } from '../session/entrance.ts';
import { buildCookie } from '../session/host-cookie.ts';
import type { Acquaintance } from '../session/password-throttle.ts';
import { renderToken, tokenBody } from './token-routes.ts';
import { emailMember, passwordMember, renderUser, userBody } from './user-routes.ts';

export const sessionBody: z.ZodType<SessionBody> = z
  .strictObject({
    user: userBody.nullable().describe('Null if the caller is a token.'),
    token: tokenBody.nullable().describe('Null if the caller is a user.'),
    csrf_token: z
      .string()
      .nullable()
      .describe('Send it as `X-CSRF-Token` with every change. Null if the caller is a token, which does not need one.'),
    expires_at: z.string().nullable(),
  })
  .meta({ id: 'Session' });

interface Caller {
  readonly client: Client;
  readonly entrance: Entrance;
  readonly setHeader: (name: string, value: string) => void;
}

/** Sets the cookies and returns the new session. */
export function renderStarted(session: StartedSession, { client, entrance, setHeader }: Caller): SessionBody {
  const device = entrance.devices.introduce(session.user);
  setHeader('set-cookie', buildCookie('session', session.token, client.isSecure, SESSION_SECONDS));
  setHeader('set-cookie', buildCookie('device', device, client.isSecure, DEVICE_SECONDS));
  return {
    user: renderUser(session.user),
    token: null,
    csrf_token: session.csrfToken,
    expires_at: formatTimestamp(session.expiresAt),
  };
}

export const SESSION_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'signIn',
    method: 'POST',
    path: '/session',
    who: 'anyone',
    tag: 'Session',
    summary: 'Sign in',
    description:
      'Sets a session cookie for 14 days. Send the `csrf_token` in the response as `X-CSRF-Token` with every change. ' +
      'Every failed sign-in gets the same 401 response, whatever the reason. A second cookie marks the browser as one of ' +
      'the user’s known devices for a year, so that wrong passwords from others do not delay sign-ins there.',
    body: strictMembers('a sign-in', { email: emailMember, password: passwordMember }),
    status: 200,
    answer: sessionBody,
    refusals: [422, 429],
    run: async ({ desk, body: { email, password }, client, entrance, setHeader }) => {
      refuseEndless('password', password);
      const knownBy = await findDevice(desk, email, client, entrance);
      const session = await entrance.throttle.try({ email, address: client.address, knownBy, setHeader }, () =>
        signIn(desk, { email, password, visitor: client }, (failure) => entrance.failures.note(failure)),
      );
      if (session === undefined) throw new ProblemError(PROBLEMS.signInFailed);
      return renderStarted(session, { client, entrance, setHeader });
    },
  }),
  defineRoute({
    operationId: 'getSession',
    method: 'GET',
    path: '/session',
    who: 'member',
    tag: 'Session',
    summary: 'Identify the caller',
    status: 200,
    answer: sessionBody,
    run: ({ desk, actor, client }) =>
      actor.kind === 'token' ? readToken(desk, actor) : readSession(desk, actor, client),
  }),
  defineRoute({
    operationId: 'signOut',
    method: 'DELETE',
    path: '/session',
    repeatGets: 'nothing',
    who: 'member',
    tag: 'Session',
    summary: 'Sign out',
    description: 'Ends the session on the server and deletes its cookie.',
    status: 204,
    answer: null,
    refusals: [409],
    run: async ({ desk, actor, client, setHeader }) => {
      await signOut(desk, actor, findSessionToken(actor, client));
      setHeader('set-cookie', buildCookie('session', '', client.isSecure, 0));
    },
  }),
  defineRoute({
    operationId: 'changePassword',
    method: 'PUT',
    path: '/session/password',
    repeatGets: 'nothing',
    who: 'member',
    tag: 'Session',
    summary: 'Change your own password',
    description: 'Ends all of your sessions and starts a new one: the cookie and the CSRF token change.',
    body: strictMembers('a password change', { current_password: passwordMember, new_password: passwordMember }),
    status: 200,
    answer: sessionBody,
    refusals: [409, 422, 429],
    run: async ({ desk, actor, body, client, entrance, setHeader }) => {
      const knownBy = { kind: 'session', id: hashToken(findSessionToken(actor, client)) } as const;
      const { email } = await findUser(desk, actor);
      const { current_password: currentPassword, new_password: newPassword } = body;
      refuseEndless('current_password', currentPassword);
      const session = await entrance.throttle.try({ email, address: client.address, knownBy, setHeader }, () =>
        changePassword(desk, actor, { currentPassword, newPassword, visitor: client }),
      );
      if (session === undefined) {
        throw refuseFaults([{ path: 'current_password', message: 'is not your password', code: 'password_wrong' }]);
      }
      return renderStarted(session, { client, entrance, setHeader });
    },
  }),
];

async function findDevice(
  { storage }: Desk,
  email: string,
  { deviceCookie }: Client,
  { devices }: Entrance,
): Promise<Acquaintance | undefined> {
  if (deviceCookie === undefined) return undefined;
  const user = await storage.read(selectUserByEmail(buildEmailKey(email)));
  const id = user === undefined ? undefined : devices.recognise(deviceCookie, user);
  return id === undefined ? undefined : { kind: 'device', id };
}

/** Text that is too long to be a password is rejected before it is hashed. */
function refuseEndless(path: string, password: string): void {
  if (hasAtMostCharacters(password, MOST_PASSWORD_CHARACTERS)) return;
  const message = `must be at most ${MOST_PASSWORD_CHARACTERS} characters long`;
  throw refuseFaults([{ path, message, code: 'too_long', values: { max: MOST_PASSWORD_CHARACTERS } }]);
}

function findSessionToken(actor: Actor, { sessionToken }: Client): string {
  if (actor.kind === 'user' && sessionToken !== undefined) return sessionToken;
  throw new AuthoringRefusal('A token has no session or password. Sign in as a user.', { reason: 'conflict' });
}

/** The session may have ended during the call. */
async function findUser(desk: Desk, actor: Actor): Promise<UserRow> {
  const user = await desk.storage.read(selectUser(actor.accountNo, actor.id ?? ''));
  if (user === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
  return user;
}

async function readSession(desk: Desk, actor: Actor, { sessionToken = '' }: Client): Promise<SessionBody> {
  const user = await findUser(desk, actor);
  const session = await desk.storage.read(selectSession(hashToken(sessionToken)));
  if (session === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
  return {
    user: renderUser(user),
    token: null,
    csrf_token: session.csrf_token,
    expires_at: formatTimestamp(session.expires_at),
  };
}

async function readToken(desk: Desk, actor: Actor): Promise<SessionBody> {
  const row = await desk.storage.read(selectManagementToken(actor.accountNo, actor.id ?? ''));
  if (row === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
  const token = renderToken(row, desk.now());
  return { user: null, token, csrf_token: null, expires_at: token.expires_at };
}
