import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, GET, type RunningServer, startServer } from './http-server.fixture.ts';
import { exchange, openSocket } from './raw-exchange.fixture.ts';

let running: RunningServer;

beforeAll(async () => {
  running = await startServer();
});

afterAll(() => running.server.close());

describe('every response', () => {
  test.each(['/', '/things/1', '/nowhere', '/bug', '/%zz'])('has the shared headers at %s', async (path) => {
    const first = await fetch(running.origin + path);
    const second = await fetch(running.origin + path);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('access-control-expose-headers')).toBe(
      'ETag, Link, X-Request-Id, Cache-Status, Retry-After, RateLimit, RateLimit-Policy, Accept-Ranges, Content-Range',
    );
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
  });

  test('has the request id that the client sent, or a new one', async () => {
    const readId = async (headers: Record<string, string>): Promise<string | null> =>
      (await fetch(`${running.origin}/`, { headers })).headers.get('x-request-id');
    expect(await readId({ 'x-request-id': 'mine' })).toBe('mine');
    expect(await readId({ 'request-id': 'mine' })).not.toBe('mine');
  });
});

describe('the router', () => {
  test('responds to HEAD as it does to GET, but without a body', async () => {
    const [get] = await exchange(running.port, GET('/things/1'), 1);
    const socket = openSocket(running.port, `HEAD /things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const raw = await text(socket);
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(raw).toContain(`content-length: ${get?.body.length}`);
    expect(raw).toMatch(/\r\n\r\n$/);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'FOO', 'get'])(
    'responds to %s on a known path with 405 and lists the allowed methods',
    async (method) => {
      for (const path of ['/things/1', '/things/1?x=1', '/livez']) {
        const [response] = await exchange(running.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
        expectProblem(response, 405, 'Method not allowed.');
        expect(response?.headers.allow).toBe('GET, HEAD, OPTIONS');
      }
    },
  );

  test.each(['GET', 'POST', 'PROPFIND', 'OPTIONS', 'FOO'])(
    'responds to %s on an unknown path with 404',
    async (method) => {
      for (const path of ['/nowhere', '/THINGS/1', '/things//1', '/livez/', '//livez', '/things/1/2']) {
        const [response] = await exchange(running.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
        expectProblem(response, 404, 'Not found.');
      }
    },
  );

  test('sends an Allow header with exactly the supported methods', async () => {
    const [response] = await exchange(running.port, GET('/write-only'), 1);
    expectProblem(response, 405, 'Method not allowed.');
    expect(response?.headers.allow).toBe('POST, OPTIONS');
  });

  test.each([
    ['a wrong media type', 'Content-Type: nonsense\r\nContent-Length: 1\r\n', 'x'],
    ['broken JSON', 'Content-Type: application/json\r\nContent-Length: 1\r\n', '{'],
    ['no media type', 'Content-Length: 1\r\n', 'x'],
    ['a media type and no body', 'Content-Type: application/json\r\n', ''],
  ])('rejects a POST with %s because of its method or path, not its body', async (_name, headers, body) => {
    const [known] = await exchange(running.port, `POST /things/1 HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`, 1);
    expectProblem(known, 405, 'Method not allowed.');
    const [unknown] = await exchange(running.port, `POST /no HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`, 1);
    expectProblem(unknown, 404, 'Not found.');
  });

  test('accepts long path parameters', async () => {
    const id = 'a'.repeat(8_000);
    const [response] = await exchange(running.port, GET(`/things/${id}`), 1);
    expect(response?.body).toBe(JSON.stringify({ id, query: {} }));
  });

  test('does not parse the query', async () => {
    const [response] = await exchange(running.port, GET('/things/1?a=b&__proto__=c'), 1);
    expect(response?.body).toBe('{"id":"1","query":{}}');
  });
});

describe('OPTIONS', () => {
  const preflight =
    'Origin: https://shop.example\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: x-acme-site\r\n';

  test.each(['/things/1', '/nowhere'])('answers a preflight for %s without requiring a key', async (path) => {
    const [response] = await exchange(running.port, `OPTIONS ${path} HTTP/1.1\r\nHost: a\r\n${preflight}\r\n`, 1);
    expect(response).toMatchObject({ status: 204, body: '' });
    expect(response?.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, If-None-Match, Cache-Control, Content-Type, Range, Last-Event-ID, X-Request-Id, X-ACME-SITE, X-ACME-SIMPLE-PAGINATION, X-ACME-LANGUAGE, X-ACME-PREVIEW, X-ACME-SOURCE-MAP',
      'access-control-max-age': '86400',
    });
    expect(response?.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('lists the allowed methods if the request is not a preflight', async () => {
    const [response] = await exchange(running.port, 'OPTIONS /things/1?x HTTP/1.1\r\nHost: a\r\n\r\n', 1);
    expect(response).toMatchObject({ status: 204, body: '', headers: { allow: 'GET, HEAD, OPTIONS' } });
  });

  test('for *, returns all methods that the server supports', async () => {
    const [response] = await exchange(running.port, 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 1);
    expect(response).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });
});

describe('the error handler', () => {
  test('sends a thrown problem unchanged', async () => {
    const [response] = await exchange(running.port, GET('/problem'), 1);
    expectProblem(response, 401, 'Unauthenticated.');
    expect(response?.headers['www-authenticate']).toBe('Bearer');
  });

  test.each(['/bug', '/odd-bug', '/bad-header'])('responds to %s with a bare 500 and logs the cause', async (path) => {
    const own = await startServer();
    const [response] = await exchange(own.port, GET(path, 'Authorization: Bearer secret-token\r\n'), 1);
    await own.server.close();
    own.log.end();
    expectProblem(response, 500, 'Server error.');
    const lines = (await text(own.log)).trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      reqId: response?.headers['x-request-id'],
      msg: 'request failed',
    });
    if (path === '/bug') expect(lines[0]).toContain('deeper');
    expect(lines[0]).not.toContain('secret-token');
  });

  test('removes the headers of the response that failed', async () => {
    const [response] = await exchange(running.port, GET('/bug'), 1);
    expect(response?.headers).not.toHaveProperty('etag');
    expect(response?.headers).not.toHaveProperty('content-encoding');
    expect(response?.headers.ratelimit).toBe('1');
  });

  test('reports an unparsable body as a client error', async () => {
    const post = (headers: string, body: string) =>
      exchange(running.port, `POST /echo HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`, 1);
    expectProblem((await post('Content-Type: application/json\r\nContent-Length: 1\r\n', '{'))[0], 400, 'Bad request.');
    expectProblem(
      (await post('Content-Type: text/x\r\nContent-Length: 1\r\n', '{'))[0],
      415,
      'Unsupported media type.',
    );
    expectProblem(
      (await post('Content-Type: application/json\r\nContent-Length: 101\r\n', ''))[0],
      413,
      'Payload too large.',
    );
    expect((await post('Content-Type: application/json\r\nContent-Length: 7\r\n', '{"a":1}'))[0]?.body).toBe(
      '{"body":{"a":1}}',
    );
    expect((await post('Content-Type: application/json\r\n', ''))[0]?.body).toBe('{"body":null}');
  });
});
