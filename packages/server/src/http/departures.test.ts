import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendSoon } from './departures.ts';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';

const server = createServer((request, response) => answer(request.url ?? '', response));
let port = 0;
/** Settles when the answer to `/gone` is over; says whether it was sent. */
let gone = Promise.withResolvers<boolean>();

function answer(url: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': url.length });
  if (url.startsWith('/together/')) {
    sendTogether(url, response);
    return;
  }
  sendSoon({ response, body: url, charset: 'latin1', fail });
  if (url !== '/gone') return;
  response.on('close', () => gone.resolve(response.writableFinished));
  response.socket?.destroy();
}

/** Answers that wait until there are three. One of them is shorter than its head says. */
let together: { readonly url: string; readonly response: ServerResponse }[] = [];

function sendTogether(url: string, response: ServerResponse): void {
  response.strictContentLength = true;
  together.push({ url, response });
  if (together.length < 3) return;
  // The broken one leaves first.
  for (const each of together.sort((one, other) => (one.url < other.url ? -1 : 1))) {
    const body = each.url.endsWith('/broken') ? 'short' : each.url;
    sendSoon({ response: each.response, body, charset: 'latin1', fail });
  }
  together = [];
}

let failures: unknown[] = [];

function fail(response: ServerResponse, error: unknown): void {
  failures.push(error);
  response.destroy();
}

function ask(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  port = address.port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('answers that leave together', () => {
  test('all arrive, each on its own connection, however many there are at once', async () => {
    const paths = Array.from({ length: 100 }, (_, index) => `/${index}`);
    const sockets = paths.map((path) => openSocket(port, ask(path)));
    const answers = await Promise.all(sockets.map((socket) => readResponses(socket, 1)));
    expect(answers.map(([first]) => first?.body)).toEqual(paths);
  });

  test('keep the order of the requests of a connection', async () => {
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const answers = await exchange(port, paths.map(ask).join(''), paths.length);
    expect(answers.map(({ body }) => body)).toEqual(paths);
  });

  test('do not delay each other if a client has gone', async () => {
    gone = Promise.withResolvers();
    const socket = openSocket(port, ask('/gone'));
    const [there] = await exchange(port, ask('/there'), 1);
    expect(there?.body).toBe('/there');
    expect(await gone.promise).toBe(false);
    socket.destroy();
  });

  test('do not delay each other if one cannot be sent, which is reported', async () => {
    failures = [];
    const broken = exchange(port, ask('/together/broken'), 1);
    const others = ['/together/one', '/together/two'];
    const answers = await Promise.all(others.map((path) => exchange(port, ask(path), 1)));
    expect(answers.map(([first]) => first?.body)).toEqual(others);
    expect(await broken).toEqual([]);
    expect(failures).toMatchObject([{ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' }]);
  });
});
