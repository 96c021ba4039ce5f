// Reads the target of a request (RFC 9112, 3.2): its path, its path for the log, and whether a browser opens it.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface RequestTarget {
  readonly url: string;
  readonly host: string;
}

/** Nearly all targets begin with a slash; the clients of proxies send the absolute form. This is the absolute form as the path and host that it means; undefined for anything that is no http(s) URL. */
export function normalizeTarget(target: string): RequestTarget | undefined {
  const match = /^https?:\/\/([^/?#@\s]+)([/?#].*)?$/i.exec(target);
  if (match === null) return undefined;
  const [, host = '', rest = ''] = match;
  return { host, url: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Paths that load balancers and monitoring request. */
export const PROBED_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

const MOST_LOGGED_CHARACTERS = 1024;

/** An API key, a management token or the token of a set-up link. A caller may put one where it does not belong, and we must not repeat it. */
export const KEY = /(g[kms]_)[\w-]+/;

const KEYS = new RegExp(KEY, 'g');
/** A character that needs no encoding, encoded once or more often. */
const ENCODED = /%(?:25)*([2-6][\da-f]|7[\da-e])/gi;

/** The path for the log. A key belongs into a header; who puts it into the address, however it is encoded, must not find it in the log. */
export function readLoggedPath({ url = '' }: IncomingMessage): string {
  const path = (/^[^?#]*/.exec(url)?.[0] ?? '').slice(0, MOST_LOGGED_CHARACTERS);
  const plain = path.replace(ENCODED, (_encoded, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return KEY.test(plain) ? plain.replace(KEYS, '$1[redacted]') : path;
}

/** Browsers name HTML when they open an address; everything else takes whatever comes. */
export function acceptsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((range) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range));
}
