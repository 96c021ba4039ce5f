import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState, installShutdown, type ShutdownOptions } from './drain.ts';
import { registerHealth } from './health.ts';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';

/** More than fits into the buffers between client and server. */
const LARGE = 'x'.repeat(15_000_000);
const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

afterEach(() => {
  vi.useRealTimers();
});

async function startService(options: Partial<ShutdownOptions> = {}) {
  const drain = createDrainState();
  const lines = new PassThrough();
  const log = createLogger('info', lines);
  const server = createHttpServer({ log, drain, headerPrefix: 'X-SERVICE' });
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  registerHealth(server, { checks: {}, drain, log });
  server.get('/hold', async () => {
    held.resolve();
    await release.promise;
    return { held: true };
  });
  server.get('/large', (_request, reply) => reply.send(LARGE));
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  const { stop } = installShutdown({ server, drain, log, signals: [], hardStopMs: 600_000, ...options });
  return { port: Number(new URL(origin).port), drain, lines, held: held.promise, release: release.resolve, stop };
}

/** Resolves once the server has read something from each of its connections. */
async function hearAll(drain: { readonly connections: ReadonlySet<Socket> }, count: number): Promise<void> {
  const countHeard = (): number => [...drain.connections].filter(({ bytesRead }) => bytesRead > 0).length;
  await expect.poll(countHeard).toBe(count);
}

async function expectRefusal(port: number): Promise<void> {
  const [refusal] = await once(connect(port, '127.0.0.1'), 'error');
  // A connection that was still in the kernel's queue when the server closed gets a reset.
  expect(refusal).toMatchObject({ code: expect.stringMatching(/^(ECONNREFUSED|ECONNRESET)$/) });
}

test('lets requests in flight finish, and closes idle and unused connections without waiting for them', async () => {
  const service = await startService();
  const held = exchange(service.port, GET('/hold'));
  const idle = openSocket(service.port, GET('/livez'));
  await once(idle, 'data');
  const unused = openSocket(service.port);
  await once(unused, 'connect');
  await service.held;

  const closed = [idle, unused].map((socket) => once(socket.resume(), 'end'));
  const stopped = service.stop();
  await expectRefusal(service.port);
  await Promise.all(closed);
  service.release();
  expect(await held).toMatchObject([{ status: 200, body: '{"held":true}', headers: { connection: 'close' } }]);
  await stopped;
});

test('serves requests on open connections, but reports that it is not ready', async () => {
  const service = await startService();
  const late = openSocket(service.port, 'GET /readyz HTTP/1.1\r\n');
  const later = openSocket(service.port, 'GET /livez HTTP/1.1\r\n');
  await hearAll(service.drain, 2);

  const stopped = service.stop();
  late.write('Host: a\r\n\r\n');
  later.write('Host: a\r\n\r\n');
  expect(await readResponses(late)).toMatchObject([
    { status: 503, body: '{"status":"unavailable","checks":{}}', headers: { connection: 'close' } },
  ]);
  expect(await readResponses(later)).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
  await stopped;
});

test('stops listening after the drain phase, and lets requests finish that began before', async () => {
  const stopping = Promise.withResolvers<void>();
  const service = await startService({ drainMs: 1, onStopping: stopping.resolve });
  const held = exchange(service.port, GET('/hold'));
  await service.held;
  const stopped = service.stop();
  await stopping.promise;
  await expectRefusal(service.port);
  service.release();
  expect(await held).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);
  await stopped;
});

test('cuts off requests and responses that take too long, and logs their paths without the queries', async () => {
  let isClosed = false;
  const onClosed = (): void => {
    isClosed = true;
  };
  const service = await startService({ hardStopMs: 1, onClosed });
  const held = exchange(service.port, GET('/hold'));
  const slow = openSocket(service.port, GET('/large?secret=1'));
  await once(slow, 'readable');
  await service.held;
  await service.stop();
  expect(await held).toEqual([]);
  expect(isClosed).toBe(true);
  service.lines.end();
  const { msg, connections, answers } = JSON.parse(await text(service.lines));
  expect([msg, connections]).toEqual(['requests were cut off because they took too long to finish', 2]);
  expect(answers).toHaveLength(2);
  expect(answers).toContainEqual({ method: 'GET', path: '/hold', unsentBytes: 0 });
  expect(answers).toContainEqual({
    method: 'GET',
    path: '/large',
    unsentBytes: expect.toSatisfy((bytes) => bytes > 9),
  });
  slow.destroy();
});

test('finishes sending a response to a slow client', async () => {
  const service = await startService();
  const slow = openSocket(service.port, GET('/large'));
  await once(slow, 'readable');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stopped = service.stop();
  let length = 0;
  for await (const chunk of slow) {
    length += chunk.length;
    // From time to time, the service closes its idle connections.
    vi.advanceTimersByTime(50);
  }
  expect(length).toBeGreaterThan(LARGE.length);
  await stopped;
});
