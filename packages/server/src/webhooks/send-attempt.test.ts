import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AddressRules } from '../files/guarded-request.ts';
import { createTargetRule } from './allowed-targets.ts';
import { type Attempt, sendAttempt } from './send-attempt.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => void sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => listen(createHttpServer(listener));

const LOCAL: AddressRules = { isAllowed: createTargetRule(['127.0.0.1/32']) };

interface Sending {
  readonly rules?: AddressRules;
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
  readonly secrets?: readonly string[];
}

async function send(
  url: string,
  { rules = LOCAL, mostMs = 60_000, signal, secrets = [] }: Sending = {},
): Promise<Attempt | undefined> {
  const call = {
    url,
    headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json' },
    body: '{"name":"Grüße"}',
    secrets,
  };
  return sendAttempt(call, { rules, mostMs, signal: signal ?? new AbortController().signal });
}

describe('an attempt', () => {
  test('posts the body with its headers, and keeps the response', async () => {
    let received: { readonly request: IncomingMessage; readonly body: string } | undefined;
    const port = await serve(async (request, response) => {
      received = { request, body: await text(request) };
      response.writeHead(202, { 'x-request': 'r1' }).end('thanks');
    });
    const attempt = await send(`http://127.0.0.1:${port}/hook?a=1`);
    expect(attempt).toMatchObject({ status: 202, error: null, responseBody: 'thanks' });
    expect(attempt?.responseHeaders).toMatchObject({ 'x-request': 'r1' });
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(0);
    expect(received?.body).toBe('{"name":"Grüße"}');
    expect(received?.request.method).toBe('POST');
    expect(received?.request.url).toBe('/hook?a=1');
    expect(received?.request.headers).toMatchObject({
      'webhook-id': 'msg_1',
      'content-type': 'application/json',
      'content-length': '18',
    });
  });

  test('hides custom header values that the receiver repeats', async () => {
    const long = 'long-secret-'.repeat(300);
    const secrets = ['Bearer very-secret', 'with "quotes"', 'on', long];
    const bodies = [
      'You sent Bearer very-secret, on time.',
      JSON.stringify({ token: 'very-secret', other: 'with "quotes"' }),
      `${long} ${long.slice(0, 3000)}`,
      `${'a'.repeat(2040)}very-secret`,
    ];
    const kept: unknown[] = [];
    for (const body of bodies) {
      const port = await serve((_, response) => void response.setHeader('x-echo', `0 ${secrets[0]}`).end(body));
      const attempt = await send(`http://127.0.0.1:${port}/`, { secrets });
      expect(attempt?.responseHeaders).toMatchObject({ 'x-echo': '0 •••' });
      kept.push(attempt?.responseBody);
    }
    expect(kept).toEqual([
      'You sent •••, on time.',
      '{"token":"•••","other":"•••"}',
      '••• •••',
      `${'a'.repeat(2040)}•••`,
    ]);
  });

  test.each([400, 404, 410, 429, 500, 503])('fails with status %d', async (status) => {
    const port = await serve((_request, response) => response.writeHead(status).end('no'));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      status,
      error: `The receiver responded with status ${status}.`,
      responseBody: 'no',
    });
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %d', async (status) => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    const attempt = await send(`http://127.0.0.1:${port}/`);
    expect(attempt?.error).toBe(`The receiver responded with status ${status}. Galley does not follow redirects.`);
    expect(requests).toBe(1);
  });

  test('keeps only the beginning of a response, and does not read the rest', async () => {
    const { promise: isClosed, resolve } = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      const write = (): void => {
        while (response.write('a'.repeat(1000)));
        response.once('drain', write);
      };
      response.once('close', resolve);
      write();
    });
    const attempt = await send(`http://127.0.0.1:${port}/`);
    expect(attempt).toMatchObject({ status: 200, error: null, responseBody: 'a'.repeat(2048) });
    await isClosed;
  });

  test('counts as delivered if the receiver accepts it but does not end its response', async () => {
    const port = await serve((_request, response) => void response.writeHead(200).write('be\0gin'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const attempt = send(`http://127.0.0.1:${port}/`);
    // The second timer starts when the response has arrived. Polling advances the clock.
    await expect.poll(() => vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(await attempt).toMatchObject({ status: 200, error: null, responseBody: 'be\u{fffd}gin' });
  });

  test('fails if the receiver does not respond in time', async () => {
    const port = await serve(() => {});
    expect(await send(`http://127.0.0.1:${port}/`, { mostMs: 50 })).toMatchObject({
      status: null,
      error: 'The receiver did not respond within 0.05 seconds.',
      responseBody: null,
    });
  });

  test('fails if the connection is reset or refused, or if the receiver responds with something other than HTTP', async () => {
    const resets = await listen(createServer((socket) => void socket.once('data', () => socket.resetAndDestroy())));
    expect((await send(`http://127.0.0.1:${resets}/`))?.error).toMatch(/^The receiver closed the connection/);
    const upgrades = await listen(
      createServer(
        (socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      ),
    );
    expect((await send(`http://127.0.0.1:${upgrades}/`))?.error).toMatch(/^The receiver closed the connection/);
    const talks = await listen(createServer((socket) => void socket.end('220 mail.example ESMTP\r\n')));
    expect((await send(`http://127.0.0.1:${talks}/`))?.error).toMatch(/^The receiver could not be reached \(HPE_/);
    const closed = await serve(() => {});
    const [server] = servers.splice(-1);
    await new Promise((resolve) => server?.close(resolve));
    expect((await send(`http://127.0.0.1:${closed}/`))?.error).toBe(
      'The receiver could not be reached (ECONNREFUSED).',
    );
  });

  test('returns nothing if it is abandoned', async () => {
    const stopping = new AbortController();
    const port = await serve(() => stopping.abort());
    expect(await send(`http://127.0.0.1:${port}/`, { signal: stopping.signal })).toBeUndefined();
    expect(await send(`http://127.0.0.1:${port}/`, { signal: stopping.signal })).toBeUndefined();
  });
});

describe('private addresses', () => {
  const answer = (address: string): NonNullable<AddressRules['lookUp']> => {
    return (_host, _options, callback) => callback(null, [{ address, family: 4 }]);
  };

  test.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'http://localhost/',
  ])('%s is not called', async (url) => {
    const attempt = await send(url, { rules: { isAllowed: createTargetRule([]) } });
    expect(attempt).toMatchObject({ status: null, responseHeaders: null });
    expect(attempt?.error).toContain('is not on the public internet');
  });

  test('a host name that resolves to a private address is not called, unless the settings allow the host', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const url = `http://hooks.example:${port}/`;
    const lookUp = answer('127.0.0.1');
    expect((await send(url, { rules: { isAllowed: createTargetRule([]), lookUp } }))?.status).toBeNull();
    expect((await send(url, { rules: { isAllowed: createTargetRule(['other.example']), lookUp } }))?.status).toBeNull();
    expect(requests).toBe(0);
    expect((await send(url, { rules: { isAllowed: createTargetRule(['hooks.example']), lookUp } }))?.status).toBe(200);
    expect(requests).toBe(1);
  });
});
