import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDrainState } from './drain.ts';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';
import { buildReadyHead, sendReady } from './send-ready.ts';
import { buildServiceResponse } from './service-message.ts';

const LIST = ['cache-status', 'galley; hit', 'etag', '"x"', 'content-type', 'application/json', 'content-length', 2];
const drain = createDrainState();

function fail(_response: ServerResponse, error: unknown): never {
  throw error;
}

const server = createServer(
  { ServerResponse: buildServiceResponse(drain, () => {}), keepAliveTimeout: 7000 },
  (request, response) => {
    const status = request.url?.includes('known') ? 304 : 200;
    const list = status === 304 ? LIST.slice(0, 4) : LIST;
    if (request.url?.startsWith('/ready')) sendReady(response, buildReadyHead(status, list), '{}', 'latin1', fail);
    else if (status === 304) response.writeHead(304, list).end();
    else response.writeHead(200, list).end('{}');
  },
);

afterEach(() => {
  drain.isDraining = false;
});

/** Returns the raw response, with placeholders for the parts that differ each time. */
async function ask(target: string, method: string, version: string, headers: readonly string[]): Promise<string> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const socket = openSocket(address.port);
  socket.end(`${method} ${target} HTTP/${version}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`);
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) text += chunk;
  return text.replace(/x-request-id: [0-9a-f]+-\w+/, 'x-request-id: ID').replace(/Date: .* GMT/, 'Date: NOW');
}

describe('a response head that was built in advance', () => {
  test.each([
    ['a plain request', '', 'GET', '1.1', ['Host: a'], 'keep-alive'],
    ['a client that closes', '', 'GET', '1.1', ['Host: a', 'Connection: close'], 'close'],
    ['an old client', '', 'GET', '1.0', [], 'close'],
    ['an old client that keeps the connection', '', 'GET', '1.0', ['Connection: keep-alive'], 'keep-alive'],
    ['HEAD', '', 'HEAD', '1.1', ['Host: a'], 'keep-alive'],
    ['a response that the client already has', '/known', 'GET', '1.1', ['Host: a'], 'keep-alive'],
  ])('is identical to what Node would send: %s', async (_name, path, method, version, headers, connection) => {
    const ready = await ask(`/ready${path}`, method, version, headers);
    expect(ready).toBe(await ask(`/plain${path}`, method, version, headers));
    expect(ready.toLowerCase()).toContain(`\r\nconnection: ${connection}\r\n`);
    expect(ready).toContain('x-request-id: ID');
  });

  test.each(['<a>\r\nset-cookie: b=1', '<a>\nb', '<\u010a>', '\0'])('is rejected if a value is %j', (link) => {
    expect(() => buildReadyHead(200, ['link', link])).toThrow(
      'The header link contains characters that are not allowed in a header',
    );
  });

  test('tells clients to close the connection while the server is draining', async () => {
    drain.isDraining = true;
    const ready = await ask('/ready', 'GET', '1.1', ['Host: a']);
    expect(ready).toBe(await ask('/plain', 'GET', '1.1', ['Host: a']));
    expect(ready).toContain('Connection: close');
  });
});

const echo = createServer((request, response) => answerWithUrl(request.url ?? '', response));
let port = 0;
/** Resolves when the response to `/gone` is closed, with true if it was sent completely. */
let gone = Promise.withResolvers<boolean>();

function answerWithUrl(url: string, response: ServerResponse): void {
  if (url.startsWith('/together/')) {
    sendTogether(url, response);
    return;
  }
  sendUrl(url, response, url);
  if (url !== '/gone') return;
  response.on('close', () => gone.resolve(response.writableFinished));
  response.socket?.destroy();
}

/** @param body the same as the URL, unless the response is meant to be broken */
function sendUrl(url: string, response: ServerResponse, body: string): void {
  sendReady(response, buildReadyHead(200, ['content-length', url.length]), body, 'latin1', noteFailure);
}

/** Responses that are held back until there are three of them. One has a body that is shorter than its Content-Length. */
let together: { readonly url: string; readonly response: ServerResponse }[] = [];

function sendTogether(url: string, response: ServerResponse): void {
  response.strictContentLength = true;
  together.push({ url, response });
  if (together.length < 3) return;
  // The broken response is sent first.
  for (const each of together.sort((one, other) => (one.url < other.url ? -1 : 1))) {
    const body = each.url.endsWith('/broken') ? 'short' : each.url;
    sendUrl(each.url, each.response, body);
  }
  together = [];
}

let failures: unknown[] = [];

function noteFailure(response: ServerResponse, error: unknown): void {
  failures.push(error);
  response.destroy();
}

function askFor(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  port = address.port;
});

afterAll(() => {
  echo.closeAllConnections();
  echo.close();
});

describe('responses that are sent together', () => {
  test('all arrive, each on its own connection, however many there are', async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const sockets = paths.map((path) => openSocket(port, askFor(path)));
    const answers = await Promise.all(sockets.map((socket) => readResponses(socket, 1)));
    expect(answers.map(([first]) => first?.body)).toEqual(paths);
  });

  test('are sent in the order of the requests on each connection', async () => {
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const answers = await exchange(port, paths.map(askFor).join(''), paths.length);
    expect(answers.map(({ body }) => body)).toEqual(paths);
  });

  test('do not delay each other if a client has disconnected', async () => {
    gone = Promise.withResolvers();
    const socket = openSocket(port, askFor('/gone'));
    const [there] = await exchange(port, askFor('/there'), 1);
    expect(there?.body).toBe('/there');
    expect(await gone.promise).toBe(false);
    socket.destroy();
  });

  test('do not delay each other if one cannot be sent, and report the failure', async () => {
    failures = [];
    const broken = exchange(port, askFor('/together/broken'), 1);
    const others = ['/together/one', '/together/two'];
    const answers = await Promise.all(others.map((path) => exchange(port, askFor(path), 1)));
    expect(answers.map(([first]) => first?.body)).toEqual(others);
    expect(await broken).toEqual([]);
    expect(failures).toMatchObject([{ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' }]);
  });
});
