import { describe, expect, test } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState } from './drain.ts';
import { buildRequest } from './request.fixture.ts';
import { createRequestOrigin, type OriginSettings, readListeningOrigin } from './request-origin.ts';

type TrustedProxies = OriginSettings['trustProxy'];

const FALLBACK = 'http://127.0.0.1:3000';
const DIRECT = { publicUrl: null, trustProxy: 0 };
const PROXIED = { publicUrl: null, trustProxy: 1 };

const forwarded = {
  host: 'inner:3000',
  'x-forwarded-host': 'cdn.example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '8443',
  'x-forwarded-prefix': '/content',
};

function readBaseUrl(settings: OriginSettings, headers: Readonly<Record<string, string>>, peer?: string): string {
  return createRequestOrigin(settings, () => FALLBACK).readBaseUrl(buildRequest(headers, peer));
}

describe('the base of absolute URLs', () => {
  test('is the public URL if it is set, whatever the request contains', () => {
    expect(readBaseUrl({ publicUrl: 'https://p/q', trustProxy: 1 }, forwarded)).toBe('https://p/q');
  });

  test.each([
    ['example.com', 'http://example.com'],
    ['Example.COM:8080', 'http://example.com:8080'],
    ['my_service', 'http://my_service'],
    ['example.com.', 'http://example.com.'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
  ])('is built from the host %s', (host, baseUrl) => {
    expect(readBaseUrl(DIRECT, { host })).toBe(baseUrl);
  });

  test.each([
    undefined,
    '',
    'a b',
    'evil.com/path',
    'evil.com?x',
    'evil.com#x',
    'user@evil.com',
    'evil.com\\@x',
    'a,b',
    'a:b',
    'a:99999',
    'a:0',
    '-a',
    '<script>',
    '"',
    'ex\u00e4mple.com',
    '[::1',
    'a'.repeat(300),
  ])('is the listening address if the host is %s', (host) => {
    expect(readBaseUrl(DIRECT, host === undefined ? {} : { host })).toBe(FALLBACK);
  });

  test('uses forwarded headers only from a trusted proxy', () => {
    expect(readBaseUrl(DIRECT, forwarded)).toBe('http://inner:3000');
    expect(readBaseUrl(PROXIED, forwarded)).toBe('https://cdn.example.com:8443/content');
    const inNetwork = { publicUrl: null, trustProxy: ['10.0.0.0/8'] };
    expect(readBaseUrl(inNetwork, forwarded, '10.1.2.3')).toBe('https://cdn.example.com:8443/content');
    expect(readBaseUrl(inNetwork, forwarded, '203.0.113.9')).toBe('http://inner:3000');
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'http://inner:3000'],
    [{ 'x-forwarded-proto': 'https' }, 'https://inner:3000'],
    [{ 'x-forwarded-proto': 'http, HTTPS' }, 'https://inner:3000'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://inner:3000'],
    [{ 'x-forwarded-host': 'evil.example, b.example' }, 'http://b.example'],
    [{ 'x-forwarded-host': 'evil.example,' }, 'http://inner:3000'],
    [{ 'x-forwarded-host': 'bad host' }, 'http://inner:3000'],
    [{ 'x-forwarded-host': 'a.example', 'x-forwarded-port': '80' }, 'http://a.example'],
    [{ 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' }, 'https://a.example'],
    [{ 'x-forwarded-host': 'a.example:1', 'x-forwarded-port': '2' }, 'http://a.example:1'],
    [{ 'x-forwarded-host': 'a.example', 'x-forwarded-port': 'x' }, 'http://a.example'],
    [{ 'x-forwarded-prefix': '/a/b/' }, 'http://inner:3000/a/b'],
    [{ 'x-forwarded-prefix': '//evil.com' }, 'http://inner:3000'],
    [{ 'x-forwarded-prefix': '/a/../b' }, 'http://inner:3000'],
    [{ 'x-forwarded-prefix': '/"><script>' }, 'http://inner:3000'],
  ])('is built from the proxy headers %j as %s', (headers, baseUrl) => {
    expect(readBaseUrl(PROXIED, { host: 'inner:3000', ...headers })).toBe(baseUrl);
  });

  test('is cached for each host', () => {
    let fallbacks = 0;
    const { readBaseUrl: read } = createRequestOrigin(DIRECT, () => {
      fallbacks += 1;
      return FALLBACK;
    });
    const hosts = [{ host: 'a' }, { host: 'b' }, { host: 'a' }, {}];
    expect(hosts.map((headers) => read(buildRequest(headers)))).toEqual(['http://a', 'http://b', 'http://a', FALLBACK]);
    expect(fallbacks).toBe(3);
  });

  test('is cached separately for different forwarded headers', () => {
    const { readBaseUrl: read } = createRequestOrigin(PROXIED, () => FALLBACK);
    expect(read(buildRequest({ host: 'a' }))).toBe('http://a');
    expect(read(buildRequest({ host: 'a', 'x-forwarded-proto': 'https' }))).toBe('https://a');
    expect(read(buildRequest({ host: 'a', 'x-forwarded-host': 'b' }))).toBe('http://b');
    expect(read(buildRequest({ host: 'a', 'x-forwarded-prefix': '/p' }))).toBe('http://a/p');
  });

  test('does not change for clients behind a proxy when another client bypasses the proxy', () => {
    const { readBaseUrl: read } = createRequestOrigin({ publicUrl: null, trustProxy: ['10.0.0.0/8'] }, () => FALLBACK);
    const separators = [' ', '\t', ','];
    for (const by of separators) {
      const host = ['a', 'b', 'https', '', ''].join(by);
      expect(read(buildRequest({ host }, '203.0.113.9'))).toBe(FALLBACK);
    }
    const headers = { host: 'a', 'x-forwarded-host': 'b', 'x-forwarded-proto': 'https' };
    expect(read(buildRequest(headers, '10.0.0.1'))).toBe('https://b');
    expect(read(buildRequest(headers, '203.0.113.9'))).toBe('http://a');
  });

  test('stays correct after any number of made-up hosts', () => {
    const { readBaseUrl: read } = createRequestOrigin(DIRECT, () => FALLBACK);
    for (let index = 0; index < 10_000; index += 1) read(buildRequest({ host: `host-${index}` }));
    expect(read(buildRequest({ host: 'x'.repeat(100_000) }))).toBe(FALLBACK);
    expect(read(buildRequest({ host: 'host-1' }))).toBe('http://host-1');
  });
});

describe('the scheme that browsers use', () => {
  test('is the scheme of the public URL, or the one that a trusted proxy sends', () => {
    const isSecure = (settings: OriginSettings, proto: string): boolean =>
      createRequestOrigin(settings, () => FALLBACK).isSecure(buildRequest({ 'x-forwarded-proto': proto }));
    expect(isSecure({ publicUrl: 'https://p', trustProxy: 0 }, 'http')).toBe(true);
    expect(isSecure({ publicUrl: 'http://p', trustProxy: 1 }, 'https')).toBe(true);
    expect(isSecure(PROXIED, 'http')).toBe(false);
    expect(isSecure(DIRECT, 'https')).toBe(false);
  });
});

describe('readListeningOrigin', () => {
  test.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ])('returns a URL that reaches a server on %s', async (host, expected) => {
    const server = createHttpServer({
      log: createLogger('silent'),
      drain: createDrainState(),
      headerPrefix: 'X',
    });
    await server.listen({ port: 0, host });
    expect(readListeningOrigin(server)).toMatch(expected);
    await server.close();
  });
});

function readAddress(trusted: TrustedProxies, peer: string, forwardedFor?: string): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const settings = { publicUrl: null, trustProxy: trusted };
  return createRequestOrigin(settings, () => FALLBACK).readAddress(buildRequest(headers, peer));
}

const CLIENT = '203.0.113.9';
const PRIVATE = ['10.0.0.0/8', 'fc00::/7'];

describe("the client's address", () => {
  test.each<[TrustedProxies, string, string | undefined, string]>([
    // No proxy is trusted.
    [0, CLIENT, undefined, CLIENT],
    [0, CLIENT, '198.51.100.1', CLIENT],
    // The proxy appends an address; the client may have forged everything to the left of it.
    [1, '10.0.0.1', CLIENT, CLIENT],
    [1, '10.0.0.1', `198.51.100.1, ${CLIENT}`, CLIENT],
    [1, '10.0.0.1', `198.51.100.1,,, 8.8.8.8 ,${CLIENT}`, CLIENT],
    [1, '10.0.0.1', undefined, '10.0.0.1'],
    [2, '10.0.0.1', `198.51.100.1, ${CLIENT}, 10.0.0.2`, CLIENT],
    // There are fewer proxies than configured.
    [3, '10.0.0.1', `${CLIENT}, 10.0.0.2`, CLIENT],
    // Proxies are trusted by network.
    [PRIVATE, '10.0.0.1', `198.51.100.1, ${CLIENT}, 10.9.9.9, fd00::7`, CLIENT],
    [PRIVATE, CLIENT, '198.51.100.1', CLIENT],
    [PRIVATE, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [PRIVATE, '::ffff:10.0.0.1', CLIENT, CLIENT],
    [['::1/128'], '::1', '2001:db8::1', '2001:db8::1'],
  ])('with trusted proxies %j, peer %s and X-Forwarded-For %s is %s', (trusted, peer, forwardedFor, address) => {
    expect(readAddress(trusted, peer, forwardedFor)).toBe(address);
  });

  test.each([
    ['203.0.113.9:4711', CLIENT],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:203.0.113.9', CLIENT],
    [`fe80::1%${'x'.repeat(200)}`, 'fe80::1'],
    [`  ${CLIENT}\t`, CLIENT],
    [`${CLIENT}, ,`, CLIENT],
  ])('is read from %j as %s', (written, address) => {
    expect(readAddress(1, '10.0.0.1', written)).toBe(address);
  });

  test.each([
    '',
    ',',
    ', ,',
    'unknown',
    '_hidden',
    'unix:',
    'evil.example',
    '999.1.1.1',
    '203.0.113.9:port',
    '[2001:db8::1',
    '<script>',
    `${CLIENT} ${CLIENT}`,
    '0x7f.1',
  ])('is the address of the proxy if the header is %j', (written) => {
    expect(readAddress(1, '10.0.0.1', written)).toBe('10.0.0.1');
  });

  test.each(['1.2.3.4,', ' ,', '10.0.0.1, ', '['])('is read from a very long forged header: %s', (part) => {
    const header = `${part.repeat(2000)}, ${CLIENT}`;
    expect(readAddress(1, '10.0.0.1', header)).toBe(CLIENT);
    expect(readAddress(PRIVATE, '10.0.0.1', header)).toBe(CLIENT);
  });

  test('is empty if the connection is closed', () => {
    expect(readAddress(0, '')).toBe('');
  });
});
