// The management API's cookies. Scripts cannot read them, and browsers send them only to this site, over TLS if it is available.

import { parseCookie, stringifySetCookie } from 'cookie';

/** `session` is the session itself; `device` marks a browser from which somebody has signed in. */
const NAMES = { session: 'galley_session', device: 'galley_device' } as const;

export type CookieKind = keyof typeof NAMES;

/** Browsers send a `__Host-` cookie only to this host and only over TLS. Without TLS, they would reject it. */
function findName(kind: CookieKind, isSecure: boolean): string {
  return isSecure ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

export function readCookie(kind: CookieKind, header: string | undefined, isSecure: boolean): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[findName(kind, isSecure)];
}

/** Whether there is a session cookie, with or without TLS. */
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
