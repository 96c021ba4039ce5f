import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { Scratch } from '../scratch.ts';
import { runPacedLoad } from './paced-load.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(status: () => number): Promise<{ readonly origin: string; readonly paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status(), { 'content-length': 2 }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server is not listening');
  return { origin: `http://127.0.0.1:${address.port}`, paths };
}

function openScratch(): Scratch {
  const scratch = new Scratch();
  closers.push(() => scratch.close());
  return scratch;
}

test('sends requests at the given rate for about the given time, cycling through the paths', async () => {
  const { origin, paths } = await serve(() => 200);
  const order = { origin, paths: ['/a', '/b'], headers: {}, connections: 4, perSecond: 1000, seconds: 0.1 };
  const figures = await runPacedLoad(openScratch(), order);
  expect(figures.requests).toBe(100);
  expect(figures.seconds).toBeGreaterThan(0.09);
  expect(figures.p99Ms).toBeGreaterThanOrEqual(figures.p50Ms);
  expect(paths.filter((path) => path === '/a')).toHaveLength(50);
  expect(paths.filter((path) => path === '/b')).toHaveLength(50);
});

test('fails if the server returns an error', async () => {
  const { origin } = await serve(() => 503);
  const order = { origin, paths: ['/a'], headers: {}, connections: 1, perSecond: 1000, seconds: 0.01 };
  await expect(runPacedLoad(openScratch(), order)).rejects.toThrow('503');
});
