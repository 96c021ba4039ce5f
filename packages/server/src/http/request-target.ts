// Reads the target of a request (RFC 9112, 3.2), the path to log, and whether a browser is opening the URL as a page.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface RequestTarget {
  readonly url: string;
  readonly host: string;
}

/**
 * Parses a target in absolute form, as clients send it to proxies, into its path and host; undefined if it is not an http(s) URL.
 * Nearly all targets start with a slash instead.
 */
export function normalizeTarget(target: string): RequestTarget | undefined {
  const match = /^https?:\/\/([^/?#@\s]+)([/?#].*)?$/i.exec(target);
  if (match === null) return undefined;
  const [, host = '', rest = ''] = match;
  return { host, url: rest.startsWith('/') ? rest : `/${rest}` };
}

/** The paths that load balancers and monitoring request. */
export const PROBED_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

const MOST_LOGGED_CHARACTERS = 1024;

/**
 * An API key, a management token, the token from a setup link, a preview secret or the token of a share link. A caller may put one in the
 * wrong place, and we must not repeat it.
 */
export const KEY = /(g(?:[kms]|ps|sh)_)[\w-]+/;

const KEYS = new RegExp(KEY, 'g');
/** A character that is encoded, perhaps more than once, although it does not need to be. */
const ENCODED = /%(?:25)*([2-6][\da-f]|7[\da-e])/gi;

/** The path for the log. If somebody puts a key into the URL instead of a header, in any encoding, the log must not contain it. */
export function readLoggedPath({ url = '' }: IncomingMessage): string {
  const path = (/^[^?#]*/.exec(url)?.[0] ?? '').slice(0, MOST_LOGGED_CHARACTERS);
  const plain = path.replace(ENCODED, (_encoded, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return KEY.test(plain) ? plain.replace(KEYS, '$1[redacted]') : path;
}

/** Browsers ask for HTML when they open a URL. Other clients accept anything. */
export function acceptsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((range) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range));
}
