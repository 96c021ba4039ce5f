import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState } from './drain.ts';
import { registerHealth } from './health.ts';
import type { HttpLimits } from './limits.ts';
import { PROBLEMS, ProblemError } from './problems.ts';
import { exchange, openSocket, type RawResponse, readResponses } from './raw-exchange.fixture.ts';

interface Running {
  readonly server: FastifyInstance;
  readonly port: number;
  readonly origin: string;
  readonly log: PassThrough;
}

async function start(limits: Partial<HttpLimits> = {}, level = 'info', host = '127.0.0.1'): Promise<Running> {
  const destination = new PassThrough();
  const log = createLogger(level, destination);
  const drain = createDrainState();
  const server = createHttpServer({ log, drain, headerPrefix: 'X-ACME', limits });
  registerHealth(server, { checks: {}, drain, log });
  server.get('/', () => ({ root: true }));
  server.get<{ Params: { id: string } }>('/things/:id', (request) => ({ id: request.params.id, query: request.query }));
  server.get('/slow', async (_request, reply) => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return reply.send({ slow: true });
  });
  // Delays the requests queued behind it until one of them times out.
  server.get('/after-timeout', async () => {
    await once(server.server, 'clientError');
    return {};
  });
  server.get('/target', (request) => ({ url: request.url, host: request.headers.host }));
  server.get('/problem', () => {
    throw new ProblemError(PROBLEMS.unauthenticated);
  });
  server.get('/bug', (_request, reply) => {
    reply.header('etag', '"x"').header('content-encoding', 'br').header('ratelimit', '1');
    throw new Error('the database password is hunter2', { cause: new Error('deeper') });
  });
  server.get('/odd-bug', async () => {
    throw 'not an error';
  });
  server.get('/bad-header', (_request, reply) => reply.header('x-bad', 'a\r\nb').send({}));
  server.post('/write-only', (_request, reply) => reply.code(201).send({}));
  server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: 100 },
      scope.getDefaultJsonParser('error', 'error'),
    );
    scope.post('/echo', (request) => ({ body: request.body ?? null }));
  });
  const origin = await server.listen({ port: 0, host });
  return { server, port: Number(new URL(origin).port), origin, log: destination };
}

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.server.close());

const GET = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

function expectProblem(response: RawResponse | undefined, status: number, message: string): void {
  expect(response).toMatchObject({ status, body: JSON.stringify({ message }) });
  expect(response?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{16}-[0-9a-z]+$/),
    date: expect.stringContaining('GMT'),
  });
}

async function expectServing(port: number): Promise<void> {
  const [response] = await exchange(port, GET('/livez'), 1);
  expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' });
}

describe('every response', () => {
  test.each(['/', '/things/1', '/nowhere', '/bug', '/%zz'])('has the shared headers at %s', async (path) => {
    const first = await fetch(running.origin + path);
    const second = await fetch(running.origin + path);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('access-control-expose-headers')).toBe(
      'ETag, Link, X-Request-Id, Cache-Status, Retry-After, RateLimit, RateLimit-Policy',
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
  test('answers HEAD like GET, without a body', async () => {
    const [get] = await exchange(running.port, GET('/things/1'), 1);
    const socket = openSocket(running.port, `HEAD /things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const raw = await text(socket);
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(raw).toContain(`content-length: ${get?.body.length}`);
    expect(raw).toMatch(/\r\n\r\n$/);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'FOO', 'get'])(
    'answers %s on a known path with 405 and lists the allowed methods',
    async (method) => {
      for (const path of ['/things/1', '/things/1?x=1', '/livez']) {
        const [response] = await exchange(running.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
        expectProblem(response, 405, 'Method not allowed.');
        expect(response?.headers.allow).toBe('GET, HEAD, OPTIONS');
      }
    },
  );

  test.each(['GET', 'POST', 'PROPFIND', 'OPTIONS', 'FOO'])('answers %s on an unknown path with 404', async (method) => {
    for (const path of ['/nowhere', '/THINGS/1', '/things//1', '/livez/', '//livez', '/things/1/2']) {
      const [response] = await exchange(running.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
      expectProblem(response, 404, 'Not found.');
    }
  });

  test('lists only the existing methods in Allow', async () => {
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

  test.each(['/things/1', '/nowhere'])('answers a preflight for %s without a key', async (path) => {
    const [response] = await exchange(running.port, `OPTIONS ${path} HTTP/1.1\r\nHost: a\r\n${preflight}\r\n`, 1);
    expect(response).toMatchObject({ status: 204, body: '' });
    expect(response?.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, If-None-Match, Content-Type, X-Request-Id, X-ACME-SITE, X-ACME-SIMPLE-PAGINATION, X-ACME-LANGUAGE, X-ACME-PREVIEW',
      'access-control-max-age': '86400',
    });
    expect(response?.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('lists the allowed methods if the request is not a preflight', async () => {
    const [response] = await exchange(running.port, 'OPTIONS /things/1?x HTTP/1.1\r\nHost: a\r\n\r\n', 1);
    expect(response).toMatchObject({ status: 204, body: '', headers: { allow: 'GET, HEAD, OPTIONS' } });
  });

  test('returns all methods of the server for *', async () => {
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

  test.each(['/bug', '/odd-bug', '/bad-header'])('answers %s with a bare 500 and logs the cause', async (path) => {
    const own = await start();
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

  test("removes the failed response's headers", async () => {
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

describe('the protocol layer', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, index) => `X-${index}: y\r\n`).join('');

  test.each<[string, string | Buffer, number, string]>([
    ['a malformed escape', GET('/%zz'), 400, 'Bad request.'],
    ['a truncated escape', GET('/things/%4'), 400, 'Bad request.'],
    ['escaped bytes that are not UTF-8', GET('/things/%ff%fe'), 400, 'Bad request.'],
    ['an overlong escape', GET('/things/%c0%80'), 400, 'Bad request.'],
    ['an escaped lone surrogate', GET('/things/%ed%a0%80'), 400, 'Bad request.'],
    ['a malformed escape with an unusual method', 'PROPFIND /%zz HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Bad request.'],
    ['a NUL in the path', GET('/things/\0'), 400, 'Bad request.'],
    ['a NUL in a header', GET('/', 'X: a\0b\r\n'), 400, 'Bad request.'],
    ['a target that is not a path', 'GET things HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Bad request.'],
    ['a target with a different scheme', 'GET ftp://a/livez HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Bad request.'],
    ['a target with a user', 'GET http://u@a/livez HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Bad request.'],
    ['a star with GET', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'Bad request.'],
    ['HTTP/1.1 without Host', 'GET /livez HTTP/1.1\r\n\r\n', 400, 'Bad request.'],
    ['two Host headers', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: a\r\n\r\n', 400, 'Bad request.'],
    ['two Host headers and a host in the target', GET('http://a/livez', 'Host: b\r\n'), 400, 'Bad request.'],
    ['two Authorization headers', GET('/livez', 'Authorization: a\r\nauthorization: b\r\n'), 400, 'Bad request.'],
    ['the same Authorization twice', GET('/livez', 'AUTHORIZATION: a\r\nAUTHORIZATION: a\r\n'), 400, 'Bad request.'],
    ['a URL over 8 KB', GET(`/${'a'.repeat(8_300)}`), 414, 'URI too long.'],
    ['a query over 8 KB', GET(`/livez?${'a'.repeat(8_300)}`), 414, 'URI too long.'],
    ['a URL of 1 MB', GET(`/${'a'.repeat(1_000_000)}`), 414, 'URI too long.'],
    ['a header of 1 MB', GET('/livez', `X: ${'a'.repeat(1_000_000)}\r\n`), 431, 'Request header fields too large.'],
    ['10,000 headers', GET('/livez', many(10_000)), 431, 'Request header fields too large.'],
    ['headers of 17 KB', GET('/livez', many(1_700)), 431, 'Request header fields too large.'],
    ['a header without a name', GET('/livez', ': x\r\n'), 400, 'Bad request.'],
    ['a header with a space before the colon', GET('/livez', 'X : y\r\n'), 400, 'Bad request.'],
    ['a folded header', GET('/livez', ' X: y\r\n'), 400, 'Bad request.'],
    ['two content lengths', GET('/livez', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400, 'Bad request.'],
    ['a negative content length', GET('/livez', 'Content-Length: -1\r\n'), 400, 'Bad request.'],
    [
      'a content length and chunks',
      GET('/livez', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'),
      400,
      'Bad request.',
    ],
    ['bare latin-1 bytes in a path', Buffer.from(GET('/things/\u00e9\u00ff'), 'latin1'), 400, 'Bad request.'],
    ['an unmet expectation', GET('/livez', 'Expect: nonsense\r\n'), 417, 'Expectation failed.'],
    [
      'an unmet expectation with a body',
      GET('/livez', 'Expect: no\r\nContent-Length: 9\r\n'),
      417,
      'Expectation failed.',
    ],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'Method not allowed.'],
    ['a version that does not exist', 'GET /livez HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'Bad request.'],
    ['no version', 'GET /livez\r\n\r\n', 400, 'Bad request.'],
    ['words', 'hello there\r\n\r\n', 400, 'Bad request.'],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303aabbcc', 'hex'), 400, 'Bad request.'],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 256)),
      400,
      'Bad request.',
    ],
  ])('rejects %s', async (_name, bytes, status, message) => {
    const responses = await exchange(running.port, bytes, 1);
    expect(responses).toHaveLength(1);
    expectProblem(responses[0], status, message);
    await expectServing(running.port);
  });

  test('closes the connection after an HTTP/2 preface without sending an HTTP/1.1 response', async () => {
    expect(await exchange(running.port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).not.toContainEqual(
      expect.objectContaining({ status: 200 }),
    );
    await expectServing(running.port);
  });

  test('accepts other headers that are repeated, and values that look like headers', async () => {
    const headers = 'Accept: a\r\nAccept: b\r\nX-A: Host: b\r\nFrom: a\r\nFrom: b\r\nAuthorization: a, b\r\n';
    const [response] = await exchange(running.port, GET('/livez', headers), 1);
    expect(response).toMatchObject({ status: 200 });
  });

  test('accepts an escaped NUL like any other character', async () => {
    const [response] = await exchange(running.port, GET('/things/a%00b'), 1);
    expect(response).toMatchObject({ status: 200, body: '{"id":"a\\u0000b","query":{}}' });
  });

  test('ignores an upgrade and serves the request', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n';
    const [response] = await exchange(running.port, GET('/livez', upgrade), 1);
    expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  test('keeps serving other clients when a client resets its tunnel', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = openSocket(running.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n');
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.resetAndDestroy();
    }
    await expectServing(running.port);
  });
});

test('applies the same rules on every address of localhost', async () => {
  const own = await start({}, 'info', 'localhost');
  for (const bound of own.server.addresses()) {
    const address = typeof bound === 'string' ? bound : bound.address;
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    expectProblem((await exchange(own.port, 'nonsense\r\n\r\n', 1, address))[0], 400, 'Bad request.');
    expect(await exchange(own.port, GET('/livez', upgrade), 1, address)).toMatchObject([{ status: 200 }]);
  }
  await own.server.close();
});

describe('the request parser', () => {
  test('accepts HTTP/1.0 without Host', async () => {
    const [response] = await exchange(running.port, 'GET /target HTTP/1.0\r\n\r\n');
    expect(response).toMatchObject({ status: 200, body: '{"url":"/target"}', headers: { connection: 'close' } });
  });

  test.each([
    ['http://b:81/target?x=1', '{"url":"/target?x=1","host":"b:81"}'],
    ['HTTPS://b/target', '{"url":"/target","host":"b"}'],
    ['http://b', '{"root":true}'],
    ['http://b?x=1', '{"root":true}'],
  ])('reads the path and the host from the absolute form %s', async (target, body) => {
    const [response] = await exchange(running.port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
    expect(response).toMatchObject({ status: 200, body });
  });
});

describe('bodies that no handler reads', () => {
  test('neither prevent a GET from being served nor close the connection', async () => {
    const bytes = `${GET('/things/1', 'Content-Type: application/json\r\nContent-Length: 5\r\n')}{{{{{${GET('/things/2')}`;
    const responses = await exchange(running.port, bytes, 2);
    expect(responses.map((response) => response.body)).toEqual(['{"id":"1","query":{}}', '{"id":"2","query":{}}']);
  });

  test('are discarded as they arrive if they are large', async () => {
    const size = 20_000_000;
    const bytes = Buffer.concat([
      Buffer.from(GET('/things/1', `Content-Length: ${size}\r\n`)),
      Buffer.alloc(size, 'x'),
      Buffer.from(GET('/things/2')),
    ]);
    const responses = await exchange(running.port, bytes, 2);
    expect(responses.map((response) => response.body)).toEqual(['{"id":"1","query":{}}', '{"id":"2","query":{}}']);
  });

  test('are cut off soon after the response if they never end', async () => {
    const own = await start({ lingerMs: 50 });
    const socket = openSocket(own.port, GET('/things/1', 'Transfer-Encoding: chunked\r\n'));
    socket.write('5\r\nhello\r\n');
    const responses = await readResponses(socket);
    expect(responses.map((response) => response.status)).toEqual([200]);
    await expectServing(own.port);
    await own.server.close();
  });

  test('end the connection after the response if their encoding is unknown', async () => {
    const responses = await exchange(
      running.port,
      `${GET('/things/1', 'Transfer-Encoding: nonsense\r\n')}${GET('/livez')}`,
    );
    expect(responses.map((response) => response.body)).toEqual(['{"id":"1","query":{}}']);
  });

  test.each(['/things/1', '/slow'])('do not cause a second response if malformed chunks follow %s', async (path) => {
    const responses = await exchange(
      running.port,
      `${GET(path, 'Transfer-Encoding: chunked\r\n')}zz\r\ngarbage\r\n\r\n`,
    );
    expect(responses.map((response) => response.status)).toEqual([200]);
    await expectServing(running.port);
  });

  test('do not cause an error in the log if the client disconnects in the middle of a parsed body', async () => {
    const own = await start();
    const socket = openSocket(
      own.port,
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a"',
    );
    await new Promise((resolve) => own.server.server.once('request', resolve));
    socket.resetAndDestroy();
    await expectServing(own.port);
    await own.server.close();
    own.log.end();
    expect(await text(own.log)).toBe('');
  });
});

describe('a connection', () => {
  test('serves pipelined requests in order', async () => {
    const bytes = GET('/slow') + GET('/things/1') + GET('/slow') + GET('/nowhere');
    const responses = await exchange(running.port, bytes, 4);
    expect(responses.map((response) => [response.status, response.body])).toEqual([
      [200, '{"slow":true}'],
      [200, '{"id":"1","query":{}}'],
      [200, '{"slow":true}'],
      [404, '{"message":"Not found."}'],
    ]);
  });

  test.each([
    ['words', 'nonsense\r\n\r\n', 400],
    ['an unknown method', 'FOO /livez HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an oversized header', GET('/livez', `X: ${'a'.repeat(20_000)}\r\n`), 431],
    ['an oversized URL', GET(`/${'a'.repeat(20_000)}`), 414],
  ])('gets the error for %s after the responses to earlier complete requests', async (_name, broken, status) => {
    const responses = await exchange(running.port, GET('/slow') + GET('/slow') + GET('/things/1') + broken);
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, status]);
    expect(responses.map((response) => response.headers.connection)).toEqual([
      'keep-alive',
      'keep-alive',
      'keep-alive',
      'close',
    ]);
    await expectServing(running.port);
  });

  test('stays open for 72 idle seconds', async () => {
    const [response] = await exchange(running.port, GET('/livez'), 1);
    expect(response?.headers['keep-alive']).toBe('timeout=72');
  });

  test.each([
    ['nothing at all', ''],
    ['half a header', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: '],
  ])('gets a 408 if the client sends %s for too long', async (_name, bytes) => {
    const own = await start({ headersTimeoutMs: 50, requestTimeoutMs: 200, timeoutCheckMs: 20 });
    const responses = await exchange(own.port, bytes);
    expect(responses).toHaveLength(1);
    expectProblem(responses[0], 408, 'Request timeout.');
    await expectServing(own.port);
    await own.server.close();
  });

  test('gets a 408 if a parsed body does not arrive in time', async () => {
    const own = await start({ headersTimeoutMs: 50, requestTimeoutMs: 100, timeoutCheckMs: 20 });
    const post = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
    const responses = await exchange(own.port, post);
    expect(responses).toHaveLength(1);
    expectProblem(responses[0], 408, 'Request timeout.');
    await own.server.close();
  });

  const HALF = [
    ['head', 'GET /things/2 HTTP/1.1\r\nHost: a\r\nX: ', '\r\n\r\n'],
    ['body', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{', '}'],
  ] as const;

  test.each(HALF)(
    'times out if the client sends half a %s after other requests and then stalls',
    async (_name, half) => {
      const own = await start({ headersTimeoutMs: 50, requestTimeoutMs: 100, timeoutCheckMs: 20 });
      const responses = await exchange(own.port, GET('/after-timeout') + GET('/things/1') + half);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 408]);
      await own.server.close();
    },
  );

  /** Much longer than the rest takes to arrive, even on a busy machine. */
  const REST_MS = 2000;

  test.each(HALF)('allows the full time for the rest of a %s if the client had to wait', async (_name, half, rest) => {
    const own = await start({ headersTimeoutMs: 50, requestTimeoutMs: REST_MS, timeoutCheckMs: 20 });
    const socket = openSocket(own.port, GET('/after-timeout') + GET('/things/1') + half);
    const responses = readResponses(socket, 4);
    await once(own.server.server, 'clientError');
    socket.write(rest);
    // The deadline has passed by now and must no longer close the connection.
    setTimeout(() => socket.write(GET('/things/3')), REST_MS + 100);
    expect((await responses).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await own.server.close();
  });

  test('is closed if the client does not read', async () => {
    const own = await start({ unreadTimeoutMs: 50, timeoutCheckMs: 20 });
    const accepted = once(own.server.server, 'connection');
    const socket = openSocket(own.port);
    socket.pause();
    // Far more responses than fit into the buffers between client and server.
    for (let round = 0; round < 200; round += 1) socket.write(GET(`/things/${'a'.repeat(8_000)}`).repeat(10));
    const [connection] = await accepted;
    await once(connection, 'close');
    await expectServing(own.port);
    socket.destroy();
    await own.server.close();
  });
});
