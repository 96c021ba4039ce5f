// The cookies of the management API. Scripts cannot read them, browsers send them to this site only, and only over TLS if there is TLS.

import { parseCookie, stringifySetCookie } from 'cookie';

/** `session` is the session itself; `device` marks a browser that somebody has signed in from. */
const NAMES = { session: 'galley_session', device: 'galley_device' } as const;

export type CookieKind = keyof typeof NAMES;

/** Browsers send a `__Host-` cookie to this host and over TLS only. Without TLS they would refuse it. */
function findName(kind: CookieKind, isSecure: boolean): string {
  return isSecure ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

export function readCookie(kind: CookieKind, header: string | undefined, isSecure: boolean): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[findName(kind, isSecure)];
}

/** Whether there is a cookie of a session at all, over TLS or not. */
export function hasSessionCookie(header: string | undefined): boolean {
  return readCookie('session', header, true) !== undefined || readCookie('session', header, false) !== undefined;
}

/** @param maxAgeSeconds 0 deletes the cookie */
export function buildCookie(kind: CookieKind, value: string, isSecure: boolean, maxAgeSeconds: number): string {
  return stringifySetCookie({
    name: findName(kind, isSecure),
    value,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    path: '/',
    maxAge: maxAgeSeconds,
  });
}
