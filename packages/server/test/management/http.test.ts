// How the management API handles all kinds of HTTP requests, well-formed or not.

import { once } from 'node:events';
import type { ManagementPageBody, ManagementTokenBody, NewManagementTokenBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, openSocket, readResponses } from '../../src/http/raw-exchange.fixture.ts';
import { type Manager, startManager } from './manager.ts';

const NOT_FOUND = { message: 'Not found.' };

describe('the management API over HTTP', () => {
  let manager: Manager;
  let port: number;

  beforeAll(async () => {
    manager = await startManager();
    port = Number(new URL(manager.service.url).port);
  });

  afterAll(() => manager.close());

  function buildRequest(line: string, headers: readonly string[] = [], body = '', token = manager.owner): string {
    const all = [`${line} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${token}`, ...headers];
    return `${all.join('\r\n')}\r\n\r\n${body}`;
  }

  function buildChange(name: string, token = manager.owner): string {
    const body = JSON.stringify({ name });
    const headers = ['content-type: application/json', `content-length: ${body.length}`];
    return buildRequest('PATCH /manage/v1/account', headers, body, token);
  }

  describe('methods and paths', () => {
    test('HEAD responds like GET, without the body', async () => {
      const get = await manager.call('GET', '/account');
      const head = await manager.call('HEAD', '/account');
      expect([head.status, head.body]).toEqual([200, undefined]);
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
      expect(await manager.call('HEAD', '/account', { token: undefined })).toMatchObject({ status: 401 });
    });

    test('OPTIONS returns the methods that a path allows', async () => {
      const known = await manager.call('OPTIONS', '/account', { token: undefined });
      expect([known.status, known.headers.get('allow')]).toEqual([204, 'GET, HEAD, PATCH, OPTIONS']);
      expect(await manager.call('OPTIONS', '/nothing')).toMatchObject({ status: 404, body: NOT_FOUND });
    });

    test('a preflight request from another origin gets no CORS headers', async () => {
      const headers = {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization',
      };
      const preflight = await manager.call('OPTIONS', '/account', { token: undefined, headers });
      const granted = [...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([preflight.status, granted]).toEqual([204, []]);
      const delivery = await fetch(`${manager.service.url}/api/v1/content`, { method: 'OPTIONS', headers });
      expect(delivery.headers.get('access-control-allow-origin')).toBe('*');
    });

    test.each(['PUT', 'DELETE', 'POST'])(
      '%s on a path that does not allow it returns 405 with the allowed methods',
      async (method) => {
        const answer = await manager.call(method, '/account', method === 'DELETE' ? {} : { body: { a: 1 } });
        expect(answer).toMatchObject({ status: 405, body: { message: 'Method not allowed.' } });
        expect(answer.headers.get('allow')).toBe('GET, HEAD, PATCH, OPTIONS');
      },
    );

    test.each(['', '/', '/nothing', '/account/', '/Account', '//account', '/account/x', '/../account', '/account%2f'])(
      'the path /manage/v1%s does not exist',
      async (path) => {
        const [answer] = await exchange(port, buildRequest(`GET /manage/v1${path}`), 1);
        expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([404, { ...NOT_FOUND, code: 'not_found' }]);
        expect(answer?.headers['access-control-allow-origin']).toBeUndefined();
        expect(answer?.headers['cache-control']).toBe('no-store');
      },
    );

    test('a percent-encoded path does not match any route, so it cannot bypass any rules', async () => {
      const [answer] = await exchange(port, buildRequest('GET /%6danage/v1/account'), 1);
      expect(answer).toMatchObject({ status: 404, body: JSON.stringify(NOT_FOUND) });
    });

    test.each(['/%zz', '/%', '/%c3%28', '/account%ff'])('the malformed path %s returns 400', async (path) => {
      const [answer] = await exchange(port, buildRequest(`GET /manage/v1${path}`), 1);
      expect(answer).toMatchObject({ status: 400, body: '{"message":"Bad request.","code":"bad_request"}' });
    });

    test.each(['%00', 's%00small', '%EF%BF%BF', '..', '%2e%2e%2fx', 'x'.repeat(3_000)])(
      'a site named %s does not exist',
      async (name) => {
        const [answer] = await exchange(port, buildRequest(`GET /manage/v1/sites/${name}`), 1);
        expect(answer?.status).toBe(404);
      },
    );

    test('a path that is too long returns 414', async () => {
      const answer = await manager.call('GET', `/account/${'x'.repeat(9_000)}`);
      expect(answer).toMatchObject({ status: 414, body: { message: 'URI too long.' } });
      expect(await manager.call('GET', `/account/${'x'.repeat(8_000)}`)).toMatchObject({ status: 404 });
    });
  });

  describe('queries', () => {
    test('unknown parameters are rejected, each with its path', async () => {
      const answer = await manager.call('GET', '/account?colour=red&%5B%5D=x');
      expect(answer).toMatchObject({
        status: 422,
        body: {
          errors: [
            { path: 'query.colour', message: 'is unknown; the query has none' },
            { path: 'query["[]"]', message: 'is unknown; the query has none' },
          ],
        },
      });
    });

    test('a repeated parameter and a value that no database could store are rejected', async () => {
      const answer = await manager.call('GET', '/account?a=1&a=2&b=%00&a=3');
      expect(answer).toMatchObject({
        status: 422,
        body: {
          errors: [
            { path: 'query.a', message: 'must not be given twice' },
            { path: 'query.b', message: 'must be well-formed Unicode text without NUL characters' },
          ],
        },
      });
    });

    test('names of inherited object properties are rejected as unknown', async () => {
      expect(await manager.call('GET', '/account?__proto__=1')).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'query.__proto__' }] },
      });
    });
  });

  describe('bodies', () => {
    test('an unauthorized caller is rejected before any byte of the body is read', async () => {
      const headers = { 'content-type': 'text/plain' };
      const huge = 'x'.repeat(5_000_000);
      for (const body of ['nonsense', huge]) {
        expect(await manager.call('PATCH', '/account', { body, headers, token: undefined })).toMatchObject({
          status: 401,
        });
        expect(await manager.call('PATCH', '/account', { body, headers, token: manager.editor })).toMatchObject({
          status: 403,
        });
      }
    });

    test('a missing body counts as an empty object', async () => {
      for (const options of [{}, { headers: { 'content-type': 'application/json' } }]) {
        const answer = await manager.call('PATCH', '/account', options);
        expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'name' }] } });
      }
    });

    test.each(['null', '[]', '"name"', '7'])('%s is rejected because it is not an object', async (body) => {
      expect(await manager.call('PATCH', '/account', { body })).toMatchObject({
        status: 422,
        body: { errors: [{ path: '', message: expect.stringContaining('must be an object') }] },
      });
    });

    test.each(['{"name":', '{"name":"a","name":"b"}', '{"name":"\\u0000"}', `${'['.repeat(200)}${']'.repeat(200)}`])(
      'malformed JSON returns 400 and says what is wrong: %s',
      async (body) => {
        const answer = await manager.call('PATCH', '/account', { body });
        expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/\.$/) } });
      },
    );

    test('invalid UTF-8 returns 400', async () => {
      const headers = ['content-type: application/json', 'content-length: 12'];
      const bytes = Buffer.concat([
        Buffer.from(buildRequest('PATCH /manage/v1/account', headers)),
        Buffer.from('{"name":"\xff"}', 'latin1'),
      ]);
      const [answer] = await exchange(port, bytes, 1);
      expect(answer).toMatchObject({
        status: 400,
        body: '{"message":"The body is not valid UTF-8.","code":"malformed"}',
      });
    });

    test.each([
      [{ 'content-type': 'application/json; charset=utf-16' }],
      [{ 'content-type': 'application/json;charset="ISO-8859-1"' }],
      [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
      [{ 'content-type': 'text/plain' }],
      [{ 'content-type': 'application/x-www-form-urlencoded' }],
      [{ 'content-type': 'nonsense' }],
    ])('%j returns 415', async (headers) => {
      expect(await manager.call('PATCH', '/account', { body: '{"name":"x"}', headers })).toMatchObject({
        status: 415,
        body: { message: 'Unsupported media type.' },
      });
    });

    test.each(['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"', 'application/json'])(
      '%s is accepted',
      async (type) => {
        const headers = { 'content-type': type };
        const answer = await manager.call('PATCH', '/account', { body: '{"name":"Read"}', headers });
        expect(answer).toMatchObject({ status: 200, body: { name: 'Read' } });
      },
    );

    test('a body sent with GET is ignored', async () => {
      const headers = ['content-type: application/json', 'content-length: 8'];
      const [answer] = await exchange(port, buildRequest('GET /manage/v1/account', headers, 'nonsense'), 1);
      expect(answer?.status).toBe(200);
    });
  });

  describe('headers', () => {
    test('two Authorization headers return 400, because they are ambiguous', async () => {
      const [answer] = await exchange(port, buildRequest('GET /manage/v1/account', ['authorization: Bearer x']), 1);
      expect(answer).toMatchObject({ status: 400, body: '{"message":"Bad request.","code":"bad_request"}' });
    });

    test('two different Content-Length headers return 400 and close the connection', async () => {
      const headers = ['content-type: application/json', 'content-length: 2', 'content-length: 3'];
      const [answer] = await exchange(port, buildRequest('PATCH /manage/v1/account', headers, '{} '), 1);
      expect(answer?.status).toBe(400);
    });

    test.each(['cross-site', 'same-site', 'none, cross-site', ''])(
      'sec-fetch-site: "%s" is rejected as cross-origin',
      async (site) => {
        const headers = { 'sec-fetch-site': site };
        expect(await manager.call('GET', '/account', { headers })).toMatchObject({ status: 403 });
      },
    );

    test.each(['same-origin', 'none'])('sec-fetch-site: "%s" is accepted', async (site) => {
      const headers = { 'sec-fetch-site': site };
      expect(await manager.call('GET', '/account', { headers })).toMatchObject({ status: 200 });
    });

    test('headers that are too large return 431', async () => {
      const headers = { cookie: 'x'.repeat(20_000) };
      expect(await manager.call('GET', '/account', { headers })).toMatchObject({ status: 431 });
    });
  });

  describe('connections', () => {
    test('pipelined requests get their responses in order', async () => {
      const requests = [buildChange('First'), buildRequest('GET /manage/v1/nothing'), buildChange('Second')];
      const answers = await exchange(port, requests.join(''), 3);
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
      expect(answers.map(({ body }) => JSON.parse(body).name)).toEqual(['First', undefined, 'Second']);
    });

    test('a truncated body changes nothing, and the service keeps running', async () => {
      const before = await manager.call('GET', '/account');
      const whole = buildChange('Only part of this arrives');
      for (const keep of [10, 1]) {
        const socket = openSocket(port, whole.slice(0, -keep));
        await once(socket, 'connect');
        socket.resetAndDestroy();
        await once(socket, 'close');
      }
      expect((await manager.call('GET', '/account')).body).toEqual(before.body);
    });

    test('a token revoked while the body is being sent no longer works', async () => {
      const created = { name: 'Short-lived', role: 'owner' };
      const { id, token } = await manager.expectOk<NewManagementTokenBody>('POST', '/tokens', created);
      const whole = buildChange('Too late', token);
      const socket = openSocket(port, whole.slice(0, -5));
      const readLastUse = async () => {
        const { data } = await manager.expectOk<ManagementPageBody<ManagementTokenBody>>('GET', '/tokens?limit=100');
        return data.find((it) => it.id === id)?.last_used_at;
      };
      await expect.poll(readLastUse).not.toBe(null);
      await manager.expectOk('POST', `/tokens/${id}/revoke`);
      const answers = readResponses(socket, 1);
      socket.write(whole.slice(-5));
      expect((await answers)[0]).toMatchObject({
        status: 401,
        body: '{"message":"Unauthenticated.","code":"unauthenticated"}',
      });
    });

    test('a client that disconnects early does not affect other clients', async () => {
      const socket = openSocket(port, buildChange('From a disconnected client'));
      await once(socket, 'connect');
      socket.resetAndDestroy();
      const answers = await Promise.all(Array.from({ length: 20 }, () => manager.call('GET', '/account')));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    });
  });
});
