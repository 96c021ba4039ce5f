// Access to the delivery API: key, site, rate limit and preview permission are checked in the documented order.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '../../src/storage/keys/api-keys.ts';
import { LISTED, RECORDS } from './fixture.ts';
import { errorOf, exchange, idsOf, LIST_PATH, openReader, type Reader, type Reply } from './reader.ts';
import { PLAIN, PRESS, site } from './records.ts';

const UNAUTHENTICATED = [401, 'Unauthenticated.'];
const SITE_MISSING = [403, 'You must supply the Site ID in the appropriate header.'];
const SITE_INVALID = [400, 'Invalid Site ID.'];
const SITE_FORBIDDEN = [403, 'You are not permitted to access this Site.'];
const TOO_MANY = [429, 'Too many requests.'];
const PREVIEW_FORBIDDEN = [403, 'This API key may not read previews.'];
const NOT_FOUND = [404, 'Content not found.'];

const BOTH_ENDPOINTS = [LIST_PATH, `${LIST_PATH}/c_full`, `${LIST_PATH}/c_unknown`];

let reader: Reader;

beforeAll(async () => {
  reader = await openReader(RECORDS);
});

afterAll(() => reader.close());

test('accepts a request with a key and a site ID', async () => {
  expect(idsOf(await reader.list())).toEqual(LISTED);
  expect((await reader.get('c_full')).status).toBe(200);
});

test('rejects a request without a key on both endpoints', async () => {
  for (const target of BOTH_ENDPOINTS) {
    const reply = await reader.call(target, { token: undefined });
    expect(errorOf(reply)).toEqual(UNAUTHENTICATED);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
  }
});

test('rejects an unknown key', async () => {
  for (const token of ['wrong', 'gk_', `${reader.token}x`, reader.token.slice(0, -1), reader.token.toLowerCase()]) {
    expect(errorOf(await reader.list('', { token }))).toEqual(UNAUTHENTICATED);
  }
});

test('rejects an Authorization header that is not a bearer token', async () => {
  const { token } = reader;
  const malformed = [
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Basic ${Buffer.from(`user:${token}`).toString('base64')}`,
    `Bearer${token}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer: ${token}`,
    `"Bearer ${token}"`,
    `Bearer ${'a'.repeat(5000)}`,
  ];
  for (const authorization of malformed) {
    const reply = await reader.list('', { token: undefined, headers: { authorization } });
    expect(errorOf(reply), authorization).toEqual(UNAUTHENTICATED);
  }
});

test('accepts the Authorization scheme in upper and lower case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    const headers = { authorization: `${scheme} ${reader.token}` };
    expect((await reader.list('', { token: undefined, headers })).status).toBe(200);
  }
});

test('never reads the token from the URL', async () => {
  const names = ['token', 'access_token', 'api_key', 'key', 'authorization', 'Authorization', 'bearer'];
  const query = names.map((name) => `${name}=${reader.token}`).join('&');
  expect(errorOf(await reader.list(query, { token: undefined }))).toEqual(UNAUTHENTICATED);
  expect(errorOf(await reader.get(`c_full?${query}`, { token: undefined }))).toEqual(UNAUTHENTICATED);
  const base = reader.service.url.replace('http://', `http://${reader.token}@`);
  const reply = await exchange(reader.service.url, 'GET', `${base}${LIST_PATH}`, { 'x-service-site': PRESS });
  expect(reply.status).not.toBe(200);
});

test('never reads the site ID from the URL', async () => {
  const query = ['site', 'site_id', 'X-SERVICE-SITE', 'x-service-site'].map((name) => `${name}=${PRESS}`).join('&');
  expect(errorOf(await reader.list(query, { site: undefined }))).toEqual(SITE_MISSING);
});

test('rejects an expired key and accepts one that has not expired yet', async () => {
  const { service } = reader;
  const expired = await service.createKey({ sites: [PRESS], expires: Date.now() - 1 });
  const live = await service.createKey({ sites: [PRESS], expires: Date.now() + 3_600_000 });
  expect(errorOf(await reader.list('', { token: expired.token }))).toEqual(UNAUTHENTICATED);
  expect((await reader.list('', { token: live.token })).status).toBe(200);
});

test('rejects a revoked key on the very next request', async () => {
  const { service } = reader;
  const { id, token } = await service.createKey({ sites: [PRESS] });
  expect((await reader.list('', { token })).status).toBe(200);
  await service.storage.transaction((transaction) => transaction.run(revokeKey(id, Date.now())));
  expect(errorOf(await reader.list('', { token }))).toEqual(UNAUTHENTICATED);
});

test('rejects a request with a missing or empty site ID', async () => {
  for (const target of BOTH_ENDPOINTS) {
    expect(errorOf(await reader.call(target, { site: undefined }))).toEqual(SITE_MISSING);
    for (const empty of ['', '   ']) expect(errorOf(await reader.call(target, { site: empty }))).toEqual(SITE_MISSING);
  }
});

test('rejects an unknown site ID', async () => {
  const unknown = ['s_unknown', 'S_PRESS', 's_pres', 's_press2', `${PRESS}, ${PLAIN}`, "' or 1=1 --", '1', '*'];
  for (const target of BOTH_ENDPOINTS) {
    for (const id of unknown) expect(errorOf(await reader.call(target, { site: id })), id).toEqual(SITE_INVALID);
  }
});

test('rejects a key without access to the site', async () => {
  for (const target of [...BOTH_ENDPOINTS, `${LIST_PATH}/c_plain`]) {
    expect(errorOf(await reader.call(target, { site: PLAIN }))).toEqual(SITE_FORBIDDEN);
  }
  const { token } = await reader.service.createKey({ sites: [] });
  expect(errorOf(await reader.list('', { token }))).toEqual(SITE_FORBIDDEN);
});

test('accepts a key for several sites on each of those sites', async () => {
  const { token } = await reader.service.createKey({ sites: [PRESS, PLAIN] });
  expect(idsOf(await reader.list('', { token }))).toEqual(LISTED);
  expect(idsOf(await reader.list('', { token, site: PLAIN }))).toEqual(['c_plain', 'c_plain_too']);
});

test('accepts a key for all sites on sites that are created later', async () => {
  const { token } = await reader.service.createKey({ allSites: true });
  expect(errorOf(await reader.list('', { token, site: 's_later' }))).toEqual(SITE_INVALID);
  await reader.service.importRecords([site('s_later')]);
  expect(idsOf(await reader.list('', { token, site: 's_later' }))).toEqual([]);
});

test('rejects a key that has exceeded its rate limit and says when to retry', async () => {
  const { token } = await reader.service.createKey({ sites: [PRESS], rateLimit: 3 });
  for (let spent = 0; spent < 3; spent++) expect((await reader.list('limit=2', { token })).status).toBe(200);
  const reply = await reader.list('limit=2', { token });
  expect(errorOf(reply)).toEqual(TOO_MANY);
  const seconds = Number(reply.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(reply.headers.ratelimit).toBe(`"key";r=0;t=${seconds}`);
  expect(reply.headers['ratelimit-policy']).toBe('"key";q=3;w=60');
});

test('reports the number of remaining requests in the response to every counted request', async () => {
  const { token } = await reader.service.createKey({ sites: [PRESS], rateLimit: 20 });
  const { headers } = await reader.get('c_full', { token });
  const etag = headers.etag ?? '';
  const gzip = { 'accept-encoding': 'gzip' };
  const counted: readonly [number, Promise<Reply>][] = [
    [200, reader.get('c_full', { token })],
    [200, reader.get('c_full', { token, headers: gzip })],
    [200, reader.list('limit=2', { token })],
    [200, reader.list('limit=2', { token, headers: { connection: 'close' } })],
    [200, reader.get('c_full', { token, method: 'HEAD' })],
    [304, reader.get('c_full', { token, headers: { 'if-none-match': etag } })],
    [403, reader.list('', { token, headers: { 'x-service-preview': 'true' } })],
    [404, reader.get('c_nothing', { token })],
    [404, reader.get('c_nothing', { token, method: 'HEAD' })],
    [422, reader.list('limit=0', { token })],
  ];
  const left: number[] = [readLimit(headers)];
  for (const [status, sent] of counted) {
    const reply = await sent;
    expect(reply.status).toBe(status);
    expect(reply.headers['ratelimit-policy']).toBe('"key";q=20;w=60');
    expect(reply.headers['access-control-expose-headers']).toMatch(/\bRateLimit, RateLimit-Policy\b/);
    left.push(readLimit(reply.headers));
  }
  expect(left.toSorted((one, other) => other - one)).toEqual(left.map((_, index) => 19 - index));
});

function readLimit({ ratelimit }: Reply['headers']): number {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(String(ratelimit)) ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThanOrEqual(60);
  return Number(left);
}

test('sends no rate limit headers for a key without a limit or for a request that is not counted', async () => {
  const { token } = await reader.service.createKey({ sites: [PRESS], rateLimit: 5 });
  const replies = [
    await reader.get('c_full'),
    await reader.list('limit=0'),
    await reader.list('', { token: undefined }),
    await reader.list('', { token, site: PLAIN }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 422, 401, 403]);
  for (const { headers } of replies) {
    expect(headers).not.toHaveProperty('ratelimit');
    expect(headers).not.toHaveProperty('ratelimit-policy');
  }
});

test('counts requests separately for each key', async () => {
  const { service } = reader;
  const [spent, fresh] = [
    await service.createKey({ sites: [PRESS], rateLimit: 1 }),
    await service.createKey({ sites: [PRESS], rateLimit: 1 }),
  ];
  await reader.list('', { token: spent.token });
  expect(errorOf(await reader.list('', { token: spent.token }))).toEqual(TOO_MANY);
  expect((await reader.list('', { token: fresh.token })).status).toBe(200);
  expect((await reader.list()).status).toBe(200);
});

test("applies the server's default limit to keys without their own limit", async () => {
  const limited = await openReader(RECORDS, { GALLEY_RATE_LIMIT: '2' });
  try {
    const own = await limited.service.createKey({ sites: [PRESS], rateLimit: 3 });
    for (let spent = 0; spent < 2; spent++) expect((await limited.list()).status).toBe(200);
    const reply = await limited.list();
    expect(errorOf(reply)).toEqual(TOO_MANY);
    expect(reply.headers['ratelimit-policy']).toBe('"key";q=2;w=60');
    for (let spent = 0; spent < 3; spent++) expect((await limited.list('', { token: own.token })).status).toBe(200);
    expect(errorOf(await limited.list('', { token: own.token }))).toEqual(TOO_MANY);
  } finally {
    await limited.close();
  }
});

test('rejects a preview request with a key that has no preview permission', async () => {
  for (const target of BOTH_ENDPOINTS) {
    const reply = await reader.call(target, { headers: { 'x-service-preview': 'true' } });
    expect(errorOf(reply)).toEqual(PREVIEW_FORBIDDEN);
  }
});

test('checks the key first, then the site, then access to it, and then everything else', async () => {
  const { token } = await reader.service.createKey({ sites: [PRESS], rateLimit: 1 });
  const headers = { 'x-service-preview': 'true', 'x-service-language': 'xx' };
  const wrong = (options: object) => reader.list('limit=0&sort=nothing', { token, headers, ...options });
  expect(errorOf(await wrong({ token: 'wrong', site: undefined }))).toEqual(UNAUTHENTICATED);
  expect(errorOf(await wrong({ token: 'wrong', site: 's_unknown' }))).toEqual(UNAUTHENTICATED);
  expect(errorOf(await wrong({ token: 'wrong', site: PLAIN }))).toEqual(UNAUTHENTICATED);
  expect(errorOf(await wrong({ site: undefined }))).toEqual(SITE_MISSING);
  expect(errorOf(await wrong({ site: 's_unknown' }))).toEqual(SITE_INVALID);
  expect(errorOf(await wrong({ site: PLAIN }))).toEqual(SITE_FORBIDDEN);
  // None of these requests counted against the key's limit of one, so the next request is within the limit. It fails the preview check.
  expect(errorOf(await wrong({}))).toEqual(PREVIEW_FORBIDDEN);
  expect(errorOf(await wrong({}))).toEqual(TOO_MANY);
});

test('checks the preview permission first, then the parameters, and then whether the content exists', async () => {
  const headers = { 'x-service-preview': 'true', 'x-service-language': 'xx' };
  expect(errorOf(await reader.get('c_unknown', { headers }))).toEqual(PREVIEW_FORBIDDEN);
  const language = { 'x-service-language': 'xx' };
  expect((await reader.get('c_unknown', { headers: language })).status).toBe(422);
  expect((await reader.get('c_unknown?fallback_default_language=maybe')).status).toBe(422);
  expect(errorOf(await reader.get('c_unknown'))).toEqual(NOT_FOUND);
});

test('reports a wrong path or method even without a key', async () => {
  const nobody = { token: undefined, site: undefined };
  for (const path of ['/', '/api', '/api/v1', '/api/v2/content', '/api/v1/contents', '/api/v1/content/c_full/fields']) {
    expect(errorOf(await reader.call(path, nobody)), path).toEqual([404, 'Not found.']);
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const target of [LIST_PATH, `${LIST_PATH}/c_full`]) {
      const reply = await reader.call(target, { method, ...nobody });
      expect(errorOf(reply)).toEqual([405, 'Method not allowed.']);
      expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
  }
});

test('has no endpoints for content types or assets', async () => {
  for (const path of ['content-types', 'content_types', 'types', 'assets', 'assets/a_cover', 'authors', 'sites']) {
    expect(errorOf(await reader.call(`/api/v1/${path}`)), path).toEqual([404, 'Not found.']);
  }
});

test('has no version other than v1', async () => {
  for (const path of ['/api/content', '/api/v0/content', '/api/v2/content', '/content', '/API/V1/content']) {
    expect(errorOf(await reader.call(path)), path).toEqual([404, 'Not found.']);
  }
});
