// Parses the text of a single setting into a typed value. Returns undefined if the text is invalid. The text must be trimmed and not empty.

import { isIP } from 'node:net';
import { type AssetsLocation, parseAssetsUrl } from '../files/assets-url.ts';

export function parseWholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d{1,15}$/.test(text)) return undefined;
    const value = Number(text);
    return value >= least && value <= most ? value : undefined;
  };
}

export function parseBoolean(text: string): boolean | undefined {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return undefined;
  }
}

export function parseChoice<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice | undefined {
  return (text) => choices.find((choice) => choice === text.toLowerCase());
}

export function parseHost(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : undefined;
}

export function parseHosts(text: string): readonly string[] | undefined {
  const hosts = text.split(',').map((part) => parseHost(part.trim())?.toLowerCase());
  return hosts.every((host) => host !== undefined) ? Object.freeze(hosts) : undefined;
}

// With these prefixes, our headers would clash with standard headers that every browser sends, such as Accept-Language.
const TAKEN_PREFIXES = new Set(['accept', 'content']);

export function parseHeaderPrefix(text: string): string | undefined {
  if (!/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(text) || text.length > 64) return undefined;
  return TAKEN_PREFIXES.has(text.toLowerCase()) ? undefined : text;
}

export function parsePublicUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (text.includes('?') || text.includes('#') || url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}

const MOST_PROXIES = 32;

/** The same names and networks as in Express and Fastify. */
const NAMED_NETWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** A number of proxies, or their networks in CIDR notation. */
export function parseTrustedProxies(text: string): number | readonly string[] | undefined {
  const isOn = parseBoolean(text);
  if (isOn !== undefined) return isOn ? 1 : 0;
  if (/^\d+$/.test(text)) return parseWholeNumber(0, MOST_PROXIES)(text);
  const networks = text.split(',').map((part) => parseNetworks(part.trim().toLowerCase()));
  return networks.every((each) => each !== undefined) ? Object.freeze(networks.flat()) : undefined;
}

function parseNetworks(text: string): readonly string[] | undefined {
  const named = NAMED_NETWORKS.get(text);
  if (named !== undefined) return named;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || address.includes('%') || rest.length > 0) return undefined;
  // A prefix of 0 would trust every address.
  const length = prefix === undefined ? bits : parseWholeNumber(1, bits)(prefix);
  return length === undefined ? undefined : [`${address}/${length}`];
}

/** Host names in lower case, and networks in CIDR notation. */
export function parseHostsAndNetworks(text: string): readonly string[] | undefined {
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  const entries = parts.map((part) => parseNetworks(part) ?? parseHost(part));
  return entries.every((entry) => entry !== undefined) ? Object.freeze(entries.flat()) : undefined;
}

export type DatabaseUrl =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  if (text.startsWith('sqlite:')) {
    // Other tools write an absolute path as `sqlite:///var/galley.db`.
    const path = text.slice('sqlite:'.length).replace(/^\/\//, '');
    return path === '' || path.includes('\0') ? undefined : Object.freeze({ engine: 'sqlite', path });
  }
  const url = parsePostgresUrl(text);
  return url === undefined ? undefined : Object.freeze({ engine: 'postgres', url });
}

export function parsePostgresUrls(text: string): readonly string[] | undefined {
  const urls = text.split(',').map((part) => parsePostgresUrl(part.trim()));
  return urls.every((url) => url !== undefined) ? Object.freeze(urls) : undefined;
}

function parsePostgresUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

export function parseAssetsLocation(text: string): AssetsLocation | undefined {
  const location = parseAssetsUrl(text);
  return location.ok ? location.value : undefined;
}

export function parsePath(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}
