// HTTP behaviour: HEAD, OPTIONS, validators, compression, and the headers of every response.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECORDS } from './fixture.ts';
import { exchange, LIST_PATH, openReader, type Reader, type Reply, SIMPLE } from './reader.ts';
import { content, PRESS } from './records.ts';

const TARGETS = [
  LIST_PATH,
  `${LIST_PATH}?limit=2`,
  `${LIST_PATH}?slug=nothing`,
  `${LIST_PATH}/c_full`,
  `${LIST_PATH}/c_bare`,
];
const LIST = `${LIST_PATH}?limit=100`;

let reader: Reader;

beforeAll(async () => {
  reader = await openReader(RECORDS);
});

afterAll(() => reader.close());

function accepting(encoding: string | undefined) {
  return encoding === undefined ? {} : { headers: { 'accept-encoding': encoding } };
}

function decode({ headers, bytes }: Reply): string {
  switch (headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(bytes).toString();
    case 'zstd':
      return zstdDecompressSync(bytes).toString();
    case 'gzip':
      return gunzipSync(bytes).toString();
    default:
      return bytes.toString();
  }
}

/** All headers except those that differ from request to request. */
function steadyHeaders({ headers }: Reply): object {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return rest;
}

test('responds to HEAD as it does to GET, but without a body, both on success and on error', async () => {
  const targets = [...TARGETS, `${LIST_PATH}/c_unknown`, `${LIST_PATH}?limit=0`, '/api/v1/nothing'];
  for (const target of targets) {
    for (const options of [{}, SIMPLE, accepting('br'), { token: undefined }, { site: undefined }]) {
      // The first response is rendered; later ones come from the cache.
      await reader.call(target, options);
      const get = await reader.call(target, options);
      const head = await reader.call(target, { ...options, method: 'HEAD' });
      expect(head.bytes.length).toBe(0);
      expect(head.status, target).toBe(get.status);
      expect(steadyHeaders(head), target).toEqual(steadyHeaders(get));
      expect(Number(head.headers['content-length'])).toBe(get.bytes.length);
    }
  }
});

test("accepts a CORS preflight without a key, for any origin and all of the API's own headers", async () => {
  for (const target of [LIST_PATH, `${LIST_PATH}/c_full`]) {
    const reply = await reader.call(target, {
      method: 'OPTIONS',
      token: undefined,
      site: undefined,
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-service-site',
      },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    expect(reply.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase().split(', ');
    for (const name of ['authorization', 'if-none-match', 'x-service-site', 'x-service-simple-pagination']) {
      expect(allowed).toContain(name);
    }
    expect(allowed).toContain('x-service-language');
    expect(allowed).toContain('x-service-preview');
  }
});

test('responds to any other OPTIONS request with the allowed methods', async () => {
  const reply = await reader.call(LIST_PATH, { method: 'OPTIONS', token: undefined, site: undefined });
  expect([reply.status, reply.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
});

test('lets any origin read every response and the headers that clients need', async () => {
  for (const target of [...TARGETS, `${LIST_PATH}/c_unknown`, '/api/v1/nothing']) {
    const reply = await reader.call(target, { headers: { origin: 'https://app.example' } });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    for (const name of ['ETag', 'Link', 'X-Request-Id', 'Cache-Status', 'Retry-After']) {
      expect(reply.headers['access-control-expose-headers']).toContain(name);
    }
  }
});

test('neither sets nor reads cookies', async () => {
  const reply = await reader.list('', { token: undefined, headers: { cookie: `token=${reader.token}` } });
  expect(reply.status).toBe(401);
  for (const target of TARGETS) expect((await reader.call(target)).headers['set-cookie']).toBeUndefined();
});

test('sends a strong ETag, Cache-Control, Vary and Cache-Status with every 200', async () => {
  for (const target of TARGETS) {
    const { headers, status } = await reader.call(target);
    expect(status).toBe(200);
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers['cache-status']).toMatch(/^galley; (hit|fwd=miss)$/);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const vary = String(headers.vary).toLowerCase().split(', ');
    expect(vary).toContain('accept-encoding');
    expect(vary).toContain('authorization');
    for (const name of ['site', 'simple-pagination', 'language', 'preview'])
      expect(vary).toContain(`x-service-${name}`);
  }
});

test('sends the same ETag for the same response and a different one for a different response', async () => {
  const seen = new Set<string>();
  for (const target of TARGETS) {
    const [first, second] = [await reader.call(target), await reader.call(target)];
    expect(second.headers.etag).toBe(first.headers.etag);
    seen.add(String(first.headers.etag));
  }
  expect(seen.size).toBe(TARGETS.length);
  const simple = await reader.list('', SIMPLE);
  expect(seen).not.toContain(simple.headers.etag);
});

test('returns 304 without a body for a matching If-None-Match: single tags, weak tags, lists and *', async () => {
  for (const target of TARGETS) {
    const { etag } = (await reader.call(target)).headers;
    for (const tags of [`${etag}`, `W/${etag}`, `"other", ${etag}`, `W/"other" , W/${etag},"more"`, '*', ' * ']) {
      const reply = await reader.call(target, { headers: { 'if-none-match': tags } });
      expect(reply.status, `${target} ${tags}`).toBe(304);
      expect(reply.bytes.length).toBe(0);
      expect(reply.headers.etag).toBe(etag);
      expect(reply.headers['content-type']).toBeUndefined();
      expect(reply.headers['content-length']).toBeUndefined();
      const head = await reader.call(target, { method: 'HEAD', headers: { 'if-none-match': tags } });
      expect(head.status).toBe(304);
    }
  }
});

test('returns the full response when no If-None-Match tag matches', async () => {
  const { etag } = (await reader.list()).headers;
  for (const tags of [
    '"other"',
    '',
    'W/"other"',
    String(etag).slice(1, -1),
    `${etag}x`,
    `"x${String(etag).slice(1)}`,
  ]) {
    const reply = await reader.list('', { headers: { 'if-none-match': tags } });
    expect(reply.status, tags).toBe(200);
  }
});

test('keeps Vary, Cache-Control and Link on a 304', async () => {
  const full = await reader.list('limit=2');
  const reply = await reader.list('limit=2', { headers: { 'if-none-match': String(full.headers.etag) } });
  for (const name of ['vary', 'cache-control', 'link', 'cache-status'] as const) {
    expect(reply.headers[name], name).toBe(full.headers[name]);
  }
});

test('returns errors, not 304, for requests without access or for content that is not found', async () => {
  const headers = { 'if-none-match': '*' };
  expect((await reader.list('', { headers, token: undefined })).status).toBe(401);
  expect((await reader.get('c_unknown', { headers })).status).toBe(404);
  expect((await reader.list('limit=0', { headers })).status).toBe(422);
});

test('changes the ETag as soon as anything in the response changes', async () => {
  const { service } = reader;
  await service.importRecords([content({ id: 'c_tagged', name: 'Tagged', draft: { name: 'Retagged' } })]);
  const before = String((await reader.get('c_tagged')).headers.etag);
  const list = String((await reader.list()).headers.etag);
  expect((await reader.get('c_tagged', { headers: { 'if-none-match': before } })).status).toBe(304);
  await service.publish(PRESS, 'c_tagged');
  const changed = await reader.get('c_tagged', { headers: { 'if-none-match': before } });
  expect([changed.status, changed.headers.etag === before]).toEqual([200, false]);
  expect((await reader.list('', { headers: { 'if-none-match': list } })).status).toBe(200);
});

test('compresses with br, zstd or gzip as requested, and the body is the same after decompression', async () => {
  const plain = await reader.call(LIST);
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const encoding of ['br', 'zstd', 'gzip']) {
    for (const target of [LIST, `${LIST_PATH}/c_full`]) {
      const reply = await reader.call(target, accepting(encoding));
      expect(reply.headers['content-encoding']).toBe(encoding);
      expect(Number(reply.headers['content-length'])).toBe(reply.bytes.length);
      expect(decode(reply)).toBe((await reader.call(target)).text);
    }
  }
  expect((await reader.call(LIST, accepting('br'))).bytes.length).toBeLessThan(plain.bytes.length / 2);
});

test('respects q-values, and does not compress when no encoding is accepted', async () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br; q=0.1 , zstd;q=0.2', 'zstd'],
    ['br;q=0, *', 'zstd'],
    ['*', 'br'],
    ['gzip;q=1.0, *;q=0.5', 'gzip'],
    ['identity', undefined],
    ['deflate, compress', undefined],
    ['br;q=0, zstd;q=0, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['', undefined],
    [';;;,,,q=1', undefined],
    ['br;q=nonsense', undefined],
    [undefined, undefined],
  ] as const) {
    const reply = await reader.call(LIST, accepting(accepted));
    expect(reply.headers['content-encoding'], accepted).toBe(encoding);
    expect(decode(reply)).toBe((await reader.call(LIST)).text);
  }
});

test('sends a different ETag for each encoding and accepts it only for that encoding', async () => {
  const tags = new Map<string, string>();
  for (const encoding of ['identity', 'br', 'zstd', 'gzip']) {
    tags.set(encoding, String((await reader.call(LIST, accepting(encoding))).headers.etag));
  }
  expect(new Set(tags.values()).size).toBe(4);
  for (const [encoding, tag] of tags) {
    const ask = (accepted: string) =>
      reader.call(LIST, { headers: { 'accept-encoding': accepted, 'if-none-match': tag } });
    expect((await ask(encoding)).status).toBe(304);
    expect((await ask(encoding === 'br' ? 'gzip' : 'br')).status).toBe(200);
  }
});

/** Requests to each part of the service, and requests that are rejected before they reach any part. */
const NAMED_TARGETS = [
  LIST_PATH,
  `${LIST_PATH}/c_full`,
  `${LIST_PATH}/c_unknown`,
  '/api/v1/nothing',
  '/livez',
  '/manage/v1/setup',
  '/%zz',
  `/${'a'.repeat(8_300)}`,
];

async function askNamed(method: string, target: string, id: string | string[] | undefined): Promise<unknown> {
  const key = { authorization: `Bearer ${reader.token}`, 'x-service-site': PRESS };
  const headers = { ...key, ...(id === undefined ? {} : { 'x-request-id': id }) };
  return (await exchange(reader.service.url, method, target, headers)).headers['x-request-id'];
}

test('assigns a unique id to every request', async () => {
  const ids = new Set<unknown>();
  for (const target of [...NAMED_TARGETS, LIST_PATH]) ids.add(await askNamed('GET', target, undefined));
  expect(ids.size).toBe(NAMED_TARGETS.length + 1);
});

test('uses the request id that the caller sends, whatever the status', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
    for (const target of NAMED_TARGETS) {
      for (const id of ['7', 'Aa0._-', 'x'.repeat(128)]) expect(await askNamed(method, target, id)).toBe(id);
    }
  }
});

test('replaces an invalid request id', async () => {
  const hostile = ['', ' ', 'x'.repeat(129), 'a b', 'a,b', 'é', '<b>', '"', '{}', 'a\tb', '$(x)', ['one', 'two']];
  for (const target of NAMED_TARGETS) {
    for (const given of hostile) expect(await askNamed('GET', target, given)).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
  }
});

test('tells caches not to store errors', async () => {
  for (const target of [`${LIST_PATH}/c_unknown`, `${LIST_PATH}?limit=0`, '/api/v1/nothing']) {
    const { headers } = await reader.call(target);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
  }
});

test('builds its URLs from the Host header', async () => {
  const reply = await reader.list('limit=2', { headers: { host: 'Content.Example:8443' } });
  expect(reply.body).toMatchObject({ meta: { path: `http://content.example:8443${LIST_PATH}` } });
  expect(reply.headers.link).toContain(`<http://content.example:8443${LIST_PATH}?limit=2&cursor=`);
});

test('does not use an invalid host in URLs', async () => {
  for (const host of ['evil.example/path', 'user@evil.example', 'a b', '"><script>', 'x:99999', 'x?y']) {
    const reply = await reader.list('limit=2', { headers: { host } });
    expect(reply.body, host).toMatchObject({ meta: { path: `${reader.service.url}${LIST_PATH}` } });
  }
});

test('ignores X-Forwarded headers unless it is configured to trust the proxy', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/x' };
  const reply = await reader.list('limit=2', { headers });
  expect(reply.body).toMatchObject({ meta: { path: `${reader.service.url}${LIST_PATH}` } });
});
