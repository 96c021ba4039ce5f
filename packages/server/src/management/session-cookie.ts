// The cookie of a session: out of reach for scripts, sent to this site alone, and over TLS only where there is TLS.

import { parseCookie, stringifySetCookie } from 'cookie';

/** Browsers keep a `__Host-` cookie to this very host and to TLS; without TLS they would refuse it. */
const NAMES = { secure: '__Host-galley_session', plain: 'galley_session' } as const;

export function readSessionCookie(header: string | undefined, isSecure: boolean): string | undefined {
  if (header === undefined) return undefined;
  return parseCookie(header)[isSecure ? NAMES.secure : NAMES.plain];
}

/** Whether there is a cookie of a session at all, over TLS or not. */
export function hasSessionCookie(header: string | undefined): boolean {
  return readSessionCookie(header, true) !== undefined || readSessionCookie(header, false) !== undefined;
}

/** @param maxAgeSeconds 0 takes the cookie away */
export function buildSessionCookie(token: string, isSecure: boolean, maxAgeSeconds: number): string {
  return stringifySetCookie({
    name: isSecure ? NAMES.secure : NAMES.plain,
    value: token,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    path: '/',
    maxAge: maxAgeSeconds,
  });
}
