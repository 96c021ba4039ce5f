// Simulates a browser that calls the management API: it stores the session cookie and sends the CSRF token.

import type { SessionBody } from '@galley/wire';
import type { Answer, CallOptions, Manager } from './manager.ts';

export interface Browser {
  /** The session cookie. */
  readonly cookie: string | undefined;
  /** The cookie that identifies a browser in which somebody has signed in before. */
  readonly deviceCookie: string | undefined;
  readonly csrfToken: string | undefined;
  call(method: string, path: string, body?: unknown, options?: Pick<CallOptions, 'headers'>): Promise<Answer>;
  signIn(email: string, password: string): Promise<Answer>;
}

export function openBrowser({ call }: Pick<Manager, 'call'>): Browser {
  const cookies = new Map<string, string>();
  let csrfToken: string | undefined;

  async function send(
    method: string,
    path: string,
    body?: unknown,
    options: Pick<CallOptions, 'headers'> = {},
  ): Promise<Answer> {
    const headers = {
      ...(cookies.size === 0 ? {} : { cookie: [...cookies.values()].join('; ') }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      ...options.headers,
    };
    const answer = await call(method, path, { token: undefined, headers, body });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')).replace('__Host-', ''), pair);
    }
    if (isSession(answer.body)) csrfToken = answer.body.csrf_token ?? undefined;
    return answer;
  }

  return {
    get cookie() {
      return cookies.get('galley_session');
    },
    get deviceCookie() {
      return cookies.get('galley_device');
    },
    get csrfToken() {
      return csrfToken;
    },
    call: send,
    signIn: (email, password) => send('POST', '/session', { email, password }),
  };
}

function isSession(body: unknown): body is SessionBody {
  return typeof body === 'object' && body !== null && 'csrf_token' in body;
}
