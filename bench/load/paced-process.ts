// Generates load at a fixed rate, in a separate process. Each request is due at a fixed time, no matter what happened to earlier requests,
// and its latency is measured from that time, so a stalled server does not get fewer requests. The process never sleeps, because timers
// are coarser than the latencies it measures.

import { connect, type Socket } from 'node:net';
import { findPercentile } from './load.ts';
import type { PacedMessage, PacedOrder } from './paced-load.ts';
import { ResponseCounter } from './response-counter.ts';

const READ_BYTES = 64 * 1024;

process.once('message', async (order: PacedOrder) => {
  const message = await runPaced(order).catch((error: unknown): PacedMessage => {
    return { failure: error instanceof Error ? error.message : String(error) };
  });
  process.send?.(message, () => process.exit(0));
});
process.on('disconnect', () => process.exit(1));

function runPaced(order: PacedOrder): Promise<PacedMessage> {
  const { perSecond, seconds } = order;
  const requests = buildRequests(order);
  const planned = Math.floor(perSecond * seconds);
  const latencies = new Float64Array(planned);
  const { promise, resolve, reject } = Promise.withResolvers<PacedMessage>();
  const idle: Socket[] = [];
  const dueOf = new Map<Socket, number>();
  let sent = 0;
  let answered = 0;

  const onAnswer = (socket: Socket): void => {
    latencies[answered] = performance.now() - (dueOf.get(socket) ?? Number.NaN);
    answered += 1;
    dueOf.delete(socket);
    idle.push(socket);
  };

  openSockets(order, onAnswer, reject).then((sockets) => {
    idle.push(...sockets);
    const startedAt = performance.now();
    const turn = (): void => {
      const now = performance.now();
      while (sent < planned) {
        const due = startedAt + (sent / perSecond) * 1000;
        const socket = due <= now ? idle.shift() : undefined;
        if (socket === undefined) break;
        dueOf.set(socket, due);
        socket.write(requests[sent % requests.length] ?? '', 'latin1');
        sent += 1;
      }
      if (answered < planned) return void setImmediate(turn);
      const sorted = latencies.toSorted();
      const [p50Ms, p99Ms] = [findPercentile(sorted, 50), findPercentile(sorted, 99)];
      resolve({ requests: planned, seconds: (performance.now() - startedAt) / 1000, p50Ms, p99Ms });
    };
    turn();
  }, reject);
  return promise;
}

function buildRequests({ origin, paths, headers }: PacedOrder): readonly string[] {
  const lines = Object.entries({ host: new URL(origin).host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return paths.map((path) => `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
}

function openSockets(
  { origin, connections }: PacedOrder,
  onAnswer: (socket: Socket) => void,
  onError: (error: unknown) => void,
): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(origin);
  return Promise.all(
    Array.from({ length: connections }, () => {
      const counter = new ResponseCounter();
      const { promise, resolve } = Promise.withResolvers<Socket>();
      const socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        onread: {
          // Reuses the same buffer for every read, so that the load generator creates no garbage.
          buffer: new Uint8Array(READ_BYTES),
          callback: (length, bytes) => {
            try {
              const whole = counter.count(Buffer.from(bytes.buffer, bytes.byteOffset, length));
              for (let count = 0; count < whole; count++) onAnswer(socket);
            } catch (error) {
              onError(error);
            }
            return true;
          },
        },
      });
      socket.once('connect', () => resolve(socket));
      socket.once('error', onError);
      socket.once('close', () => onError(new Error('The server closed a connection')));
      return promise;
    }),
  );
}
