import type { SessionBody } from '@galley/wire';
import { z } from 'zod';
import { SESSION_SECONDS, type StartedSession } from '../../authoring/people/sessions.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { buildCookie } from '../host-cookie.ts';
import type { Client } from '../route.ts';
import { tokenBody } from '../tokens/token-body.ts';
import { renderUser, userBody } from '../users/user-members.ts';
import type { Entrance } from './entrance.ts';
import { DEVICE_SECONDS } from './known-device.ts';

export const sessionBody: z.ZodType<SessionBody> = z
  .strictObject({
    user: userBody.nullable(),
    token: tokenBody.nullable(),
    csrf_token: z.string().nullable(),
    expires_at: z.string().nullable(),
  })
  .meta({ id: 'Session' });

interface Caller {
  readonly client: Client;
  readonly entrance: Entrance;
  readonly setHeader: (name: string, value: string) => void;
}

/** Hands the browser its cookies, and says who is signed in now. */
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
