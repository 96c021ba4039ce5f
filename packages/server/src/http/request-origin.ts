// The base of absolute URLs in answers: the public URL, else what the request says of itself. A Host header is the
// client's word, so anything that is not plainly a host falls back to the address that the server listens on.

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';

export interface OriginSettings {
  readonly publicUrl: string | null;
  readonly trustProxy: boolean;
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+\/?$/;
const DEFAULT_PORTS = { http: '80', https: '443' } as const;

/** Without a trailing slash, so that a path can follow. */
export function buildBaseUrl(settings: OriginSettings, headers: IncomingHttpHeaders, listeningOrigin: string): string {
  if (settings.publicUrl !== null) return settings.publicUrl;
  if (!settings.trustProxy) {
    const host = parseHost(headers.host);
    return host === undefined ? listeningOrigin : `http://${host}`;
  }
  const scheme = readFirst(headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http';
  const host = parseHost(readFirst(headers['x-forwarded-host'])) ?? parseHost(headers.host);
  const prefix = parsePrefix(readFirst(headers['x-forwarded-prefix']));
  if (host === undefined) return `${listeningOrigin}${prefix}`;
  const port = parsePort(readFirst(headers['x-forwarded-port']));
  const needsPort = port !== undefined && port !== DEFAULT_PORTS[scheme] && !/:\d+$/.test(host);
  return `${scheme}://${host}${needsPort ? `:${port}` : ''}${prefix}`;
}

/** The same, remembered per host, so that it costs a look-up on the hot path. */
export function createBaseUrlReader(
  settings: OriginSettings,
  readListeningOrigin: () => string,
): (headers: IncomingHttpHeaders) => string {
  const { publicUrl } = settings;
  if (publicUrl !== null) return () => publicUrl;
  // Hosts are the client's to invent: the cache is bounded, and hosts too long to be real are not kept.
  const known = new LRUCache<string, string>({ max: 500 });
  // Most requests name the host that the one before named.
  let lastKey: string | undefined;
  let lastBaseUrl = '';
  return (headers) => {
    const key = settings.trustProxy ? buildProxyKey(headers) : (headers.host ?? '');
    if (key === lastKey) return lastBaseUrl;
    const found = known.get(key);
    const baseUrl = found ?? buildBaseUrl(settings, headers, readListeningOrigin());
    if (key.length <= 1_024) {
      if (found === undefined) known.set(key, baseUrl);
      lastKey = key;
      lastBaseUrl = baseUrl;
    }
    return baseUrl;
  };
}

/** Where the server can be reached from this machine; a wildcard address becomes `localhost`. */
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
  return forwarded.reduce((key, name) => `${key} ${readFirst(headers[name]) ?? ''}`, host ?? '');
}

function readFirst(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  const comma = text?.indexOf(',') ?? -1;
  return comma === -1 ? text?.trim() : text?.slice(0, comma).trim();
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
