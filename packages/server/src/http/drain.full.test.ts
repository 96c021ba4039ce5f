import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { exchange } from './raw-exchange.fixture.ts';

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

test('a signal lets requests in flight finish before the service exits with status 0', async () => {
  const service = await startService();
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');
  service.child.kill('SIGTERM');
  await service.hears('stopping');
  service.child.send('release');
  expect(await held).toMatchObject([{ status: 200, body: '{"held":true}', headers: { connection: 'close' } }]);
  await service.hears('closed');
  expect(await service.exit).toEqual([0, null]);
});

test('counts a signal that arrives twice in quick succession as one', async () => {
  const service = await startService({ ECHO_MS: '60000000' });
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

test('serves new connections in the drain phase, but is not ready, and a second signal ends the process immediately', async () => {
  const service = await startService({ DRAIN_MS: '600000' });
  service.child.kill('SIGTERM');
  await service.hears('stopping');
  expect(await exchange(service.port, GET('/readyz'))).toMatchObject([
    { status: 503, body: '{"status":"unavailable","checks":{}}', headers: { connection: 'close' } },
  ]);
  expect(await exchange(service.port, GET('/livez'))).toMatchObject([
    { status: 200, headers: { connection: 'close' } },
  ]);
  const held = exchange(service.port, GET('/hold'));
  await service.hears('held');
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
  expect(await held).toEqual([]);
  expect(service.heard).not.toContain('not listening');
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
