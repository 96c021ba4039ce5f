// The origin of a request: the client's address, the host, the scheme, and the base URL for links in responses. Clients can forge a Host
// header, so anything that is not a valid host is replaced with the public URL or the address that the server listens on. X-Forwarded-*
// headers count only behind a trusted proxy.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';

/** The number of proxies in front of this service, or their networks (`10.0.0.0/8`). */
type TrustedProxies = number | readonly string[];

export interface OriginSettings {
  readonly publicUrl: string | null;
  readonly trustProxy: TrustedProxies;
}

export interface RequestOrigin {
  /** The client's address. */
  readonly readAddress: (request: IncomingMessage) => string;
  /** The host that the client called, in lower case and with its port; undefined if there is none. */
  readonly readHost: (request: IncomingMessage) => string | undefined;
  /** Whether browsers reach the service over TLS, according to headers that we trust. */
  readonly isSecure: (request: IncomingMessage) => boolean;
  /** The base of absolute URLs, without a trailing slash, ready for a path to be appended. */
  readonly readBaseUrl: (request: IncomingMessage) => string;
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+\/?$/;
const DEFAULT_PORTS = { http: '80', https: '443' } as const;

export function createRequestOrigin(settings: OriginSettings, readListeningOrigin: () => string): RequestOrigin {
  const { publicUrl, trustProxy } = settings;
  const { isForwarded, readAddress } = createProxyTrust(trustProxy);
  return {
    readAddress,
    readHost: (request) => readHost(request.headers, isForwarded(request)),
    isSecure: publicUrl?.startsWith('https:')
      ? () => true
      : (request) => isForwarded(request) && readScheme(request.headers) === 'https',
    readBaseUrl: publicUrl === null ? rememberBaseUrls(isForwarded, readListeningOrigin) : () => publicUrl,
  };
}

/** Caches base URLs by host, so finding one costs only a lookup on the hot path. */
function rememberBaseUrls(
  isForwarded: (request: IncomingMessage) => boolean,
  readListeningOrigin: () => string,
): RequestOrigin['readBaseUrl'] {
  // Clients can make up hosts, so the cache is bounded and does not store hosts that are too long to be real.
  const known = new LRUCache<string, string>({ max: 500 });
  // Most requests have the same host as the previous one.
  let lastKey: string | undefined;
  let lastBaseUrl = '';
  return (request) => {
    const { headers } = request;
    const isProxied = isForwarded(request);
    const key = isProxied ? buildProxyKey(headers) : (headers.host ?? '');
    if (key === lastKey) return lastBaseUrl;
    const found = known.get(key);
    const baseUrl = found ?? buildBaseUrl(headers, isProxied, readListeningOrigin());
    if (key.length <= 1_024) {
      if (found === undefined) known.set(key, baseUrl);
      lastKey = key;
      lastBaseUrl = baseUrl;
    }
    return baseUrl;
  };
}

function buildBaseUrl(headers: IncomingHttpHeaders, isForwarded: boolean, listeningOrigin: string): string {
  const host = readHost(headers, isForwarded);
  if (!isForwarded) return host === undefined ? listeningOrigin : `http://${host}`;
  const scheme = readScheme(headers);
  const prefix = parsePrefix(readLast(headers['x-forwarded-prefix']));
  if (host === undefined) return `${listeningOrigin}${prefix}`;
  const port = parsePort(readLast(headers['x-forwarded-port']));
  const needsPort = port !== undefined && port !== DEFAULT_PORTS[scheme] && !/:\d+$/.test(host);
  return `${scheme}://${host}${needsPort ? `:${port}` : ''}${prefix}`;
}

function readHost(headers: IncomingHttpHeaders, isForwarded: boolean): string | undefined {
  const forwarded = isForwarded ? parseHost(readLast(headers['x-forwarded-host'])) : undefined;
  return forwarded ?? parseHost(headers.host);
}

function readScheme(headers: IncomingHttpHeaders): 'http' | 'https' {
  return readLast(headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http';
}

/** The URL at which programs on this machine can reach the server. A wildcard address becomes `localhost`. */
export function readListeningOrigin(server: FastifyInstance): string {
  const address = server.server.address();
  if (address === null || typeof address === 'string') return 'http://localhost';
  const isWildcard = address.address === '0.0.0.0' || address.address === '::';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${isWildcard ? 'localhost' : host}:${address.port}`;
}

function buildProxyKey(headers: IncomingHttpHeaders): string {
  const { host } = headers;
  const forwarded = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-prefix'] as const;
  // Headers cannot contain a line break, so different requests never share a key.
  return forwarded.reduce((key, name) => `${key}\n${readLast(headers[name]) ?? ''}`, host ?? '');
}

/** If there are several values, the last one comes from the proxy closest to this service. */
function readLast(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.at(-1);
  return text?.slice(text.lastIndexOf(',') + 1).trim();
}

function parseHost(text: string | undefined): string | undefined {
  const match = text === undefined ? null : HOST.exec(text);
  if (match === null || (match[1] !== undefined && parsePort(match[1]) === undefined)) return undefined;
  return match[0].toLowerCase();
}

function parsePort(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? String(port) : undefined;
}

function parsePrefix(text: string | undefined): string {
  if (text === undefined || !PREFIX.test(text) || /\/\.\.?(\/|$)/.test(text)) return '';
  return text.replace(/\/$/, '');
}

interface ProxyTrust {
  /** Whether the request came through a trusted proxy. Only then do its X-Forwarded-* headers count. */
  readonly isForwarded: (request: IncomingMessage) => boolean;
  /** The client's address, without its port or zone; empty if the connection is closed. */
  readonly readAddress: (request: IncomingMessage) => string;
}

function createProxyTrust(trusted: TrustedProxies): ProxyTrust {
  const trusts =
    typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trustNetworks(trusted);
  const isForwarded = typeof trusted === 'number' ? () => trusted > 0 : rememberBySocket((peer) => trusts(peer, 0));
  return { isForwarded, readAddress: (request) => findClient(request, trusts) };
}

type Trusts = (address: string, hop: number) => boolean;

function trustNetworks(networks: readonly string[]): Trusts {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Caches the result per connection: proxies keep their connections open, and every list needs the address. */
function rememberBySocket(trustsPeer: (peer: string) => boolean): ProxyTrust['isForwarded'] {
  const known = new WeakMap<Socket, boolean>();
  return ({ socket }) => {
    let isTrusted = known.get(socket);
    if (isTrusted === undefined) {
      isTrusted = trustsPeer(readPeer(socket));
      known.set(socket, isTrusted);
    }
    return isTrusted;
  };
}

/**
 * Each proxy appends the address of its caller to X-Forwarded-For, and the client can forge everything to the left of that. So we read
 * the list from the right, and continue only past trusted proxies.
 */
function findClient({ socket, headers }: IncomingMessage, trusts: Trusts): string {
  const peer = readPeer(socket);
  let client = peer;
  let rest = joinValues(headers['x-forwarded-for']);
  for (let hop = 0; trusts(client, hop); hop += 1) {
    const [before, last] = splitLast(rest);
    // Stop at a proxy that hides the address (`unknown`).
    const address = parseAddress(last);
    if (address === undefined) break;
    client = address;
    rest = before;
  }
  return client;
}

function readPeer({ remoteAddress }: Socket): string {
  return parseAddress(remoteAddress ?? '') ?? '';
}

function joinValues(value: string | readonly string[] | undefined): string {
  return value === undefined || typeof value === 'string' ? (value ?? '') : value.join(',');
}

/** The last nonempty element (RFC 9110, 5.6.1), and the text before it. Clients can make the list very long. */
function splitLast(list: string): readonly [before: string, last: string] {
  let end = list.length;
  while (end > 0 && ', \t'.includes(list.charAt(end - 1))) end -= 1;
  const start = list.lastIndexOf(',', end - 1) + 1;
  return [list.slice(0, start), list.slice(start, end).trim()];
}

/** Some proxies add a port, and brackets around IPv6 addresses. */
function parseAddress(text: string): string | undefined {
  const [, bracketed, ported] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? ported ?? text).split('%');
  if (isIP(address) === 0) return undefined;
  // A dual-stack socket reports IPv4 addresses in this form.
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}
