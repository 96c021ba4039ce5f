import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpServer } from './create-http-server.ts';
import { createDrainState } from './drain.ts';
import { exchange, openSocket, readResponses } from './raw-exchange.fixture.ts';
import { registerRequestMetrics } from './request-metrics.ts';

/** Requests that get no response until the test releases them. */
let held: { readonly socket: Socket; readonly letGo: () => void }[];
let onHeld: () => void;
let registry: Registry;
let server: FastifyInstance;
let port: number;

beforeEach(async () => {
  held = [];
  onHeld = () => {};
  registry = new Registry();
  server = createHttpServer({
    log: pino({ level: 'silent' }),
    drain: createDrainState(),
    headerPrefix: 'X-SERVICE',
    watches: [registerRequestMetrics(registry)],
  });
  server.get('/api/held', (request, reply) => {
    held.push({ socket: request.raw.socket, letGo: () => reply.send({}) });
    onHeld();
  });
  server.get('/manage/v1/account', (_request, reply) => {
    reply.send({});
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const address = server.server.address();
  if (!isAddress(address)) throw new Error('The server has no port');
  ({ port } = address);
});

afterEach(() => server.close());

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: a.example\r\n${headers}\r\n`;
}

async function waitUntilHeld(count: number): Promise<void> {
  while (held.length < count) {
    await new Promise<void>((resolve) => {
      onHeld = resolve;
    });
  }
}

/** All metrics except zeros, buckets and sums. */
async function readFigures(): Promise<Readonly<Record<string, number>>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => !/^#|^$|_bucket|_sum/.test(line));
  const figures = lines.map((line): [string, number] => {
    const end = line.lastIndexOf(' ');
    return [line.slice(0, end).replace('galley_request', ''), Number(line.slice(end))];
  });
  return Object.fromEntries(figures.filter(([, value]) => value !== 0));
}

test('counts requests by API and status class, including those that are handled before routing', async () => {
  const requests = [
    get('/manage/v1/account'),
    get('http://a.example/manage/v1/account?a'),
    get('/manage/docs'),
    get('/api/v1/nothing'),
    get('/api/v1/nothing', 'Expect: something\r\n'),
    `GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a.example\r\n\r\n`,
  ];
  for (const request of requests) expect(await exchange(port, request, 1)).toHaveLength(1);
  expect(await readFigures()).toEqual({
    's_total{api="management",status="2xx"}': 2,
    's_total{api="other",status="4xx"}': 2,
    's_total{api="delivery",status="4xx"}': 2,
    '_duration_seconds_count{api="management"}': 2,
    '_duration_seconds_count{api="other"}': 2,
    '_duration_seconds_count{api="delivery"}': 2,
  });
});

test('counts a request as in flight until it gets its response', async () => {
  const socket = openSocket(port, get('/api/held'));
  await waitUntilHeld(1);
  expect(await readFigures()).toEqual({ 's_in_flight{api="delivery"}': 1 });
  held[0]?.letGo();
  await readResponses(socket, 1);
  expect(await readFigures()).toEqual({
    's_total{api="delivery",status="2xx"}': 1,
    '_duration_seconds_count{api="delivery"}': 1,
  });
});

test('counts a cut-off request, and all requests queued behind it on the connection, as aborted', async () => {
  const socket = openSocket(port, get('/api/held').repeat(20));
  await waitUntilHeld(1);
  expect(await readFigures()).toEqual({ 's_in_flight{api="delivery"}': 20 });
  const [first] = held;
  if (first === undefined) throw new Error('No request has arrived');
  first.socket.destroy();
  await once(first.socket, 'close');
  expect(await readFigures()).toEqual({ 's_total{api="delivery",status="aborted"}': 20 });
  socket.destroy();
});

test('counts each of many pipelined requests', async () => {
  expect(await exchange(port, get('/manage/v1/account').repeat(30), 30)).toHaveLength(30);
  expect(await readFigures()).toEqual({
    's_total{api="management",status="2xx"}': 30,
    '_duration_seconds_count{api="management"}': 30,
  });
});
