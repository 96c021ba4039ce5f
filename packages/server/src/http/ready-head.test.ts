import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createDrainState } from './drain.ts';
import { openSocket } from './raw-exchange.fixture.ts';
import { buildReadyHead, sendReady } from './ready-head.ts';
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

/** The bytes of the response, without the parts that differ each time. */
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

describe('a head that was built in advance', () => {
  test.each([
    ['a plain request', '', 'GET', '1.1', ['Host: a'], 'keep-alive'],
    ['a client that closes', '', 'GET', '1.1', ['Host: a', 'Connection: close'], 'close'],
    ['an old client', '', 'GET', '1.0', [], 'close'],
    ['an old client that keeps the connection', '', 'GET', '1.0', ['Connection: keep-alive'], 'keep-alive'],
    ['HEAD', '', 'HEAD', '1.1', ['Host: a'], 'keep-alive'],
    ['an answer that the client has', '/known', 'GET', '1.1', ['Host: a'], 'keep-alive'],
  ])('is what Node would send: %s', async (_name, path, method, version, headers, connection) => {
    const ready = await ask(`/ready${path}`, method, version, headers);
    expect(ready).toBe(await ask(`/plain${path}`, method, version, headers));
    expect(ready.toLowerCase()).toContain(`\r\nconnection: ${connection}\r\n`);
    expect(ready).toContain('x-request-id: ID');
  });

  test.each(['<a>\r\nset-cookie: b=1', '<a>\nb', '<\u010a>', '\0'])('is not made of %j', (link) => {
    expect(() => buildReadyHead(200, ['link', link])).toThrow('The header link holds what no header may hold');
  });

  test('tells clients to close while the server drains', async () => {
    drain.isDraining = true;
    const ready = await ask('/ready', 'GET', '1.1', ['Host: a']);
    expect(ready).toBe(await ask('/plain', 'GET', '1.1', ['Host: a']));
    expect(ready).toContain('Connection: close');
  });
});
