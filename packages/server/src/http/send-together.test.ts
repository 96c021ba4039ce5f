import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';
import { sendTogether } from './send-together.ts';

const echo = createServer((request, response) => answerWithUrl(request.url ?? '', response));
let port = 0;
/** Resolves when the response to `/gone` is closed, with true if it was sent completely. */
let gone = Promise.withResolvers<boolean>();

function answerWithUrl(url: string, response: ServerResponse): void {
  if (url.startsWith('/together/')) {
    sendAllThree(url, response);
    return;
  }
  sendUrl(url, response, url);
  if (url !== '/gone') return;
  response.on('close', () => gone.resolve(response.writableFinished));
  response.socket?.destroy();
}

/** @param body the same as the URL, unless the response is meant to be broken */
function sendUrl(url: string, response: ServerResponse, body: string): void {
  response.writeHead(200, ['content-length', `${url.length}`]);
  sendTogether({ response, body, charset: 'latin1', fail: noteFailure });
}

/** Responses that are held back until there are three of them. One has a body that is shorter than its Content-Length. */
let together: { readonly url: string; readonly response: ServerResponse }[] = [];

function sendAllThree(url: string, response: ServerResponse): void {
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
  test('all arrive, each on its own connection, even if there are very many', async () => {
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
