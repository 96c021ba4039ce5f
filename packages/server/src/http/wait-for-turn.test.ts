import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSocket, readResponses } from './raw-exchange.fixture.ts';
import { readWhile, waitForTurn } from './wait-for-turn.ts';

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

let server: Server;
let port: number;
/** The first request on a connection waits for this. */
let held: PromiseWithResolvers<void>;
let served: string[];
let began: PromiseWithResolvers<ServerResponse>;

beforeEach(async () => {
  held = Promise.withResolvers();
  began = Promise.withResolvers();
  served = [];
  server = createServer((request, response) => {
    if (response.socket === null) waitForTurn(request, response, answer);
    else answer(request, response);
  });
  const answer = async ({ url = '' }: { readonly url?: string | undefined }, response: ServerResponse) => {
    began.resolve(response);
    if (url === '/held') await readWhile(response, held.promise);
    served.push(url);
    if (!response.destroyed) response.end(url);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = asAddress(server.address()).port;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function asAddress(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('The server has no port');
}

test('notices that a client has disconnected while its response is waiting, even if more of its requests are waiting', async () => {
  const socket = openSocket(port, GET('/held') + GET('/second').repeat(10));
  const response = await began.promise;
  const closed = once(response, 'close');
  socket.destroy();
  await closed;
  held.resolve();
  await once(server.close(), 'close');
  expect(served).toEqual(['/held']);
});

test('serves later requests in order, after the response that is waiting', async () => {
  const socket = openSocket(port, GET('/held') + GET('/second'));
  await began.promise;
  socket.write(GET('/third') + GET('/fourth'));
  held.resolve();
  expect((await readResponses(socket, 4)).map(({ body }) => body)).toEqual(['/held', '/second', '/third', '/fourth']);
});

test('stops reading from a connection on which too many requests are waiting', async () => {
  const socket = openSocket(port, GET('/held') + GET('/second').repeat(65));
  const response = await began.promise;
  const before = response.req.socket.bytesRead;
  socket.write(GET('/third'));
  await new Promise((resolve) => socket.write(GET('/fourth'), resolve));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(response.req.socket.bytesRead).toBe(before);
  held.resolve();
  const bodies = (await readResponses(socket, 68)).map(({ body }) => body);
  expect([bodies.at(0), bodies.at(-2), bodies.at(-1)]).toEqual(['/held', '/third', '/fourth']);
});
