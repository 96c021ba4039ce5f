import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Service {
  readonly child: ChildProcess;
  readonly port: number;
  readonly exit: Promise<readonly unknown[]>;
  readonly heard: readonly unknown[];
  readonly hears: (event: string) => Promise<void>;
}

async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const child = fork(join(import.meta.dirname, 'drain.fixture.ts'), {
    env: { ...process.env, ...environment },
    execArgv: [],
    silent: true,
  });
  children.push(child);
  const heard: unknown[] = [];
  let onHeard = (): void => {};
  child.on('message', (event) => {
    heard.push(event);
    onHeard();
  });
  const hears = async (event: string): Promise<void> => {
    while (!heard.includes(event)) await new Promise<void>((resolve) => (onHeard = resolve));
  };
  const exit = once(child, 'exit');
  await once(child, 'message');
  return { child, port: readPort(heard[0]), exit, heard, hears };
}

function readPort(event: unknown): number {
  if (typeof event === 'object' && event !== null && 'port' in event && typeof event.port === 'number')
    return event.port;
  throw new Error('the service did not report its port');
}

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets requests in flight finish before the service exits with status 0',
  async (signal) => {
    const service = await startService();
    const held = exchange(service.port, GET('/hold'));
    await service.hears('held');

    service.child.kill(signal);
    await service.hears('stopping');
    const [refusal] = await once(connect(service.port, '127.0.0.1'), 'error');
    // A connection that was still in the kernel's queue when the server closed gets a reset.
    expect(refusal).toMatchObject({ code: expect.stringMatching(/^(ECONNREFUSED|ECONNRESET)$/) });

    service.child.send('release');
    const responses = await held;
    expect(responses).toMatchObject([{ status: 200, body: '{"held":true}', headers: { connection: 'close' } }]);
    await service.hears('closed');
    expect(await service.exit).toEqual([0, null]);
  },
);

test('closes idle and unused connections immediately, without waiting for busy ones', async () => {
  const service = await startService();
  const held = exchange(service.port, GET('/hold'));
  const idle = openSocket(service.port, GET('/livez'));
  await once(idle, 'data');
  const unused = openSocket(service.port);
  await once(unused, 'connect');
  await service.hears('held');

  service.child.kill('SIGTERM');
  await once(idle, 'end');
  await once(unused.resume(), 'end');

  service.child.send('release');
  expect(await held).toHaveLength(1);
  expect(await service.exit).toEqual([0, null]);
});

test('serves requests on open connections, but reports that it is not ready', async () => {
  const service = await startService();
  const late = openSocket(service.port, 'GET /readyz HTTP/1.1\r\n');
  const later = openSocket(service.port, 'GET /livez HTTP/1.1\r\n');
  await Promise.all([once(late, 'connect'), once(later, 'connect')]);
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');

  service.child.kill('SIGTERM');
  await service.hears('stopping');
  late.write('Host: a\r\n\r\n');
  later.write('Host: a\r\n\r\n');
  expect(await readResponses(late)).toMatchObject([
    { status: 503, body: '{"status":"unavailable","checks":{}}', headers: { connection: 'close' } },
  ]);
  expect(await readResponses(later)).toMatchObject([{ status: 200, headers: { connection: 'close' } }]);

  service.child.send('release');
  await held;
  expect(await service.exit).toEqual([0, null]);
});

test('cuts off a request that takes too long', async () => {
  const service = await startService({ HARD_STOP_MS: '50' });
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');
  service.child.kill('SIGTERM');
  expect(await held).toEqual([]);
  await service.hears('closed');
  expect(await service.exit).toEqual([0, null]);
});

/** A client that requested 15 MB and read only the first bytes. */
async function openSlowReader({ port }: Service, path = '/large'): Promise<Socket> {
  const socket = openSocket(port, GET(path));
  await once(socket, 'readable');
  return socket;
}

test('finishes sending a response to a slow client', async () => {
  const service = await startService();
  const slow = await openSlowReader(service);
  const idle = openSocket(service.port, GET('/livez'));
  await once(idle, 'data');

  service.child.kill('SIGTERM');
  await service.hears('stopping');
  // Other connections do not wait for this one.
  await once(idle, 'end');
  let length = 0;
  slow.on('data', (chunk: Buffer) => {
    length += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 1);
  });
  await once(slow, 'end');
  expect(length).toBeGreaterThan(15_000_000);
  await service.hears('closed');
  expect(await service.exit).toEqual([0, null]);
});

test('cuts off a response that takes too long to send, and logs its path without the query', async () => {
  const service = await startService({ HARD_STOP_MS: '50' });
  const slow = await openSlowReader(service, '/large?secret=1');
  service.child.kill('SIGTERM');
  await service.hears('requests were cut off because they took too long to finish');
  expect(service.heard).toContainEqual(
    expect.stringMatching(/^\[\{"method":"GET","path":"\/large","unsentBytes":[1-9]\d+\}\]$/),
  );
  expect(await service.exit).toEqual([0, null]);
  slow.destroy();
});

test('serves new connections in the drain phase, closes them after the response, and reports that it is not ready', async () => {
  const service = await startService({ DRAIN_MS: '5000' });
  service.child.kill('SIGTERM');
  await service.hears('stopping');
  expect(await exchange(service.port, GET('/readyz'))).toMatchObject([
    { status: 503, body: '{"status":"unavailable","checks":{}}', headers: { connection: 'close' } },
  ]);
  expect(await exchange(service.port, GET('/livez'))).toMatchObject([
    { status: 200, headers: { connection: 'close' } },
  ]);
  // A request that starts in the drain phase may finish after it.
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');
  await service.hears('not listening');
  await once(connect(service.port, '127.0.0.1'), 'error');
  service.child.send('release');
  expect(await held).toMatchObject([{ status: 200, body: '{"held":true}', headers: { connection: 'close' } }]);
  expect(await service.exit).toEqual([0, null]);
});

test('a second signal in the drain phase ends the process immediately', async () => {
  const service = await startService({ DRAIN_MS: '300000' });
  service.child.kill('SIGTERM');
  await service.hears('stopping');
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
});

test('a second signal ends the process immediately', async () => {
  const service = await startService();
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');
  service.child.kill('SIGINT');
  await service.hears('stopping');
  service.child.kill('SIGINT');
  expect(await service.exit).toEqual([0, null]);
  expect(await held).toEqual([]);
});

test('counts a signal that arrives twice in quick succession as one', async () => {
  const service = await startService({ ECHO_MS: '60000' });
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');
  service.child.kill('SIGINT');
  await service.hears('stopping');
  service.child.kill('SIGINT');
  service.child.kill('SIGTERM');
  service.child.send('release');
  expect(await held).toHaveLength(1);
  expect(await service.exit).toEqual([0, null]);
});

test('exits even if nobody is reading its log', async () => {
  const service = await startService({ LOG_TO_STDOUT: '1' });
  service.child.stdout?.destroy();
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
});

test('exits with status 1 if closing fails', async () => {
  const service = await startService({ FAIL_TO_CLOSE: '1' });
  service.child.kill('SIGTERM');
  await service.hears('closing failed');
  expect(await service.exit).toEqual([1, null]);
});
