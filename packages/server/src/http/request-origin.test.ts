import { describe, expect, test } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState } from './drain.ts';
import { buildBaseUrl, createBaseUrlReader, readListeningOrigin } from './request-origin.ts';

const FALLBACK = 'http://127.0.0.1:3000';
const DIRECT = { publicUrl: null, trustProxy: false };
const PROXIED = { publicUrl: null, trustProxy: true };

const forwarded = {
  host: 'inner:3000',
  'x-forwarded-host': 'cdn.example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '8443',
  'x-forwarded-prefix': '/content',
};

describe('buildBaseUrl', () => {
  test('the public URL comes before anything that a request says', () => {
    expect(buildBaseUrl({ publicUrl: 'https://p/q', trustProxy: true }, forwarded, FALLBACK)).toBe('https://p/q');
  });

  test.each([
    ['example.com', 'http://example.com'],
    ['Example.COM:8080', 'http://example.com:8080'],
    ['my_service', 'http://my_service'],
    ['example.com.', 'http://example.com.'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
  ])('the host %s is taken as it is', (host, baseUrl) => {
    expect(buildBaseUrl(DIRECT, { host }, FALLBACK)).toBe(baseUrl);
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
  ])('the host %s falls back to the address that the server listens on', (host) => {
    expect(buildBaseUrl(DIRECT, host === undefined ? {} : { host }, FALLBACK)).toBe(FALLBACK);
  });

  test('forwarded headers count only where a proxy is trusted', () => {
    expect(buildBaseUrl(DIRECT, forwarded, FALLBACK)).toBe('http://inner:3000');
    expect(buildBaseUrl(PROXIED, forwarded, FALLBACK)).toBe('https://cdn.example.com:8443/content');
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'http://inner:3000'],
    [{ 'x-forwarded-proto': 'https' }, 'https://inner:3000'],
    [{ 'x-forwarded-proto': 'HTTPS, http' }, 'https://inner:3000'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://inner:3000'],
    [{ 'x-forwarded-host': 'a.example, b.example' }, 'http://a.example'],
    [{ 'x-forwarded-host': 'bad host' }, 'http://inner:3000'],
    [{ 'x-forwarded-host': 'a.example', 'x-forwarded-port': '80' }, 'http://a.example'],
    [{ 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' }, 'https://a.example'],
    [{ 'x-forwarded-host': 'a.example:1', 'x-forwarded-port': '2' }, 'http://a.example:1'],
    [{ 'x-forwarded-host': 'a.example', 'x-forwarded-port': 'x' }, 'http://a.example'],
    [{ 'x-forwarded-prefix': '/a/b/' }, 'http://inner:3000/a/b'],
    [{ 'x-forwarded-prefix': '//evil.com' }, 'http://inner:3000'],
    [{ 'x-forwarded-prefix': '/a/../b' }, 'http://inner:3000'],
    [{ 'x-forwarded-prefix': '/"><script>' }, 'http://inner:3000'],
  ])('behind a proxy %j gives %s', (headers, baseUrl) => {
    expect(buildBaseUrl(PROXIED, { host: 'inner:3000', ...headers }, FALLBACK)).toBe(baseUrl);
  });
});

describe('createBaseUrlReader', () => {
  test('remembers what it built, and tells hosts apart', () => {
    let fallbacks = 0;
    const read = createBaseUrlReader(DIRECT, () => {
      fallbacks += 1;
      return FALLBACK;
    });
    expect([read({ host: 'a' }), read({ host: 'b' }), read({ host: 'a' }), read({})]).toEqual([
      'http://a',
      'http://b',
      'http://a',
      FALLBACK,
    ]);
    expect(fallbacks).toBe(3);
  });

  test('tells forwarded headers apart', () => {
    const read = createBaseUrlReader(PROXIED, () => FALLBACK);
    expect(read({ host: 'a' })).toBe('http://a');
    expect(read({ host: 'a', 'x-forwarded-proto': 'https' })).toBe('https://a');
    expect(read({ host: 'a', 'x-forwarded-host': 'b' })).toBe('http://b');
    expect(read({ host: 'a', 'x-forwarded-prefix': '/p' })).toBe('http://a/p');
  });

  test('survives any number of invented hosts', () => {
    const read = createBaseUrlReader(DIRECT, () => FALLBACK);
    for (let index = 0; index < 10_000; index += 1) read({ host: `host-${index}` });
    expect(read({ host: 'x'.repeat(100_000) })).toBe(FALLBACK);
    expect(read({ host: 'host-1' })).toBe('http://host-1');
  });
});

describe('readListeningOrigin', () => {
  test.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ])('of a server on %s', async (host, expected) => {
    const server = createHttpServer({
      log: createLogger('silent'),
      drain: createDrainState(),
      trustProxy: false,
      headerPrefix: 'X',
    });
    await server.listen({ port: 0, host });
    expect(readListeningOrigin(server)).toMatch(expected);
    await server.close();
  });
});
