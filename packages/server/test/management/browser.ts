// A browser at the management API, as far as signing in is concerned: it keeps its cookie and sends its CSRF token.

import type { SessionBody } from '@galley/wire';
import type { Answer, CallOptions, Manager } from './manager.ts';

export interface Browser {
  readonly cookie: string | undefined;
  readonly csrfToken: string | undefined;
  call(method: string, path: string, body?: unknown, options?: Pick<CallOptions, 'headers'>): Promise<Answer>;
  signIn(email: string, password: string): Promise<Answer>;
}

export function openBrowser({ call }: Pick<Manager, 'call'>): Browser {
  let cookie: string | undefined;
  let csrfToken: string | undefined;

  async function send(
    method: string,
    path: string,
    body?: unknown,
    options: Pick<CallOptions, 'headers'> = {},
  ): Promise<Answer> {
    const headers = {
      ...(cookie === undefined ? {} : { cookie }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      ...options.headers,
    };
    const answer = await call(method, path, { token: undefined, headers, body });
    const set = answer.headers.get('set-cookie');
    if (set !== null) cookie = set.split(';')[0];
    if (isSession(answer.body)) csrfToken = answer.body.csrf_token ?? undefined;
    return answer;
  }

  return {
    get cookie() {
      return cookie;
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
