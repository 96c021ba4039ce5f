import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  buildLateError,
  expectProblem,
  expectServing,
  GET,
  type RunningServer,
  startServer,
} from './http-server.fixture.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';

let running: RunningServer;

beforeAll(async () => {
  running = await startServer();
});

afterAll(() => running.server.close());

describe('the protocol layer', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, index) => `X-${index}: y\r\n`).join('');

  test.each<[string, string | Buffer, number, string]>([
    ['a malformed escape', GET('/%zz'), 400, 'Bad request.'],
    ['an escape cut short', GET('/things/%4'), 400, 'Bad request.'],
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

test('applies the same rules on every localhost address', async () => {
  const own = await startServer({}, 'localhost');
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
  test('do not prevent a GET from being served, and the connection stays open', async () => {
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
    const own = await startServer({ lingerMs: 50 });
    const socket = openSocket(own.port, GET('/things/1', 'Transfer-Encoding: chunked\r\n'));
    socket.write('5\r\nhello\r\n');
    const responses = await readResponses(socket);
    expect(responses.map((response) => response.status)).toEqual([200]);
    await expectServing(own.port);
    await own.server.close();
  });

  test('cause the connection to be closed after the response if their encoding is unknown', async () => {
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

  test.each(['/echo', '/late-echo'])('are refused by %s if their chunks are malformed', async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const responses = await exchange(running.port, `${head}zz\r\ngarbage\r\n\r\n`);
    expect(responses.map((response) => response.status)).toEqual([400]);
    await expectServing(running.port);
  });

  test('do not cause an error in the log if the client disconnects in the middle of a parsed body', async () => {
    const own = await startServer();
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

  test('stays open for 72 seconds while idle', async () => {
    const [response] = await exchange(running.port, GET('/livez'), 1);
    expect(response?.headers['keep-alive']).toBe('timeout=72');
  });

  test.each([
    ['nothing at all', ''],
    ['half a header', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: '],
  ])('gets a 408 if the client has sent %s by the deadline', async (_name, bytes) => {
    const own = await startServer({ headersTimeoutMs: 50, requestTimeoutMs: 200, timeoutCheckMs: 20 });
    const responses = await exchange(own.port, bytes);
    expect(responses).toHaveLength(1);
    expectProblem(responses[0], 408, 'Request timeout.');
    await own.server.close();
  });

  test('gets a 408 if a parsed body does not arrive in time', async () => {
    const own = await startServer({ headersTimeoutMs: 50, requestTimeoutMs: 100, timeoutCheckMs: 20 });
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

  describe.each(HALF)('that sends half a %s after other requests', (_name, half, rest) => {
    let own: RunningServer;
    let socket: Socket;
    let responses: ReturnType<typeof readResponses>;
    let served: readonly PromiseWithResolvers<void>[];

    // Node reports that the request is late while the service still works on the earlier requests.
    beforeEach(async () => {
      own = await startServer();
      served = [1, 2, 3, 4].map(() => Promise.withResolvers());
      const next = served.values();
      own.server.server.on('request', (_request, response) => {
        const { value } = next.next();
        response.once('close', () => value?.resolve());
      });
      const bytes = GET('/after-timeout') + GET('/things/1') + half;
      const accepted = once(own.server.server, 'connection');
      socket = openSocket(own.port, bytes);
      responses = readResponses(socket, 4);
      const [connection] = await accepted;
      await expect.poll(() => connection.bytesRead).toBe(bytes.length);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      own.server.server.emit('clientError', buildLateError(), connection);
      await served[1]?.promise;
      await turn();
    });

    afterEach(async () => {
      await own.server.close();
      vi.useRealTimers();
    });

    test('times out if the client then stalls', async () => {
      vi.advanceTimersByTime(DEFAULT_LIMITS.requestTimeoutMs);
      expect((await responses).map(({ status }) => status)).toEqual([200, 200, 408]);
    });

    test('has the full amount of time for the rest', async () => {
      vi.advanceTimersByTime(DEFAULT_LIMITS.requestTimeoutMs - 1);
      socket.write(rest);
      await served[2]?.promise;
      // The deadline no longer closes the connection.
      vi.advanceTimersByTime(DEFAULT_LIMITS.requestTimeoutMs);
      socket.write(GET('/things/3'));
      expect((await responses).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    });
  });

  test('is closed if the client does not read its responses', async () => {
    const own = await startServer({ unreadTimeoutMs: 50, timeoutCheckMs: 20 });
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
