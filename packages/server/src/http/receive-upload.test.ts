import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServer } from './http-server.fixture.ts';
import { ProblemError } from './problems.ts';
import { openSocket, readResponses } from './raw-exchange.fixture.ts';
import { allowLongBody, receiveUpload, type UploadPace } from './receive-upload.ts';

const PACE: UploadPace = { idleMs: 100, slowestBytesPerSecond: 1000, graceMs: 300 };

async function receive(
  send: (write: (bytes: string) => void, end: () => void) => void,
  pauseMs = 0,
): Promise<string | number> {
  const { promise, resolve } = Promise.withResolvers<string | number>();
  const read = async (request: IncomingMessage): Promise<string | number> => {
    let text = '';
    try {
      for await (const chunk of receiveUpload(request, PACE)) {
        text += chunk.toString();
        if (pauseMs > 0) await wait(pauseMs);
      }
      return text;
    } catch (error) {
      return error instanceof ProblemError ? error.problem.status : String(error);
    }
  };
  const server = createServer(async (request, response) => {
    const outcome = await read(request);
    response.end();
    resolve(outcome);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = openSocket(port, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  send(
    (bytes) => socket.write(`${bytes.length.toString(16)}\r\n${bytes}\r\n`),
    () => socket.destroySoon(),
  );
  const outcome = await promise;
  socket.destroy();
  server.closeAllConnections();
  server.close();
  return outcome;
}

test('an upload gets a 408 if the client sends nothing for a while', async () => {
  expect(await receive((write) => write('hello'))).toBe(408);
});

test('an upload gets a 408 if the client sends hardly anything', async () => {
  let timer: NodeJS.Timeout | undefined;
  expect(
    await receive((write) => {
      timer = setInterval(() => write('x'), 20);
    }),
  ).toBe(408);
  clearInterval(timer);
});

test('time during which the service is not reading does not count', async () => {
  expect(
    await receive((write) => {
      write('a');
      write('b');
      write('');
    }, 400),
  ).toBe('ab');
});

test('an interrupted upload is a bad request', async () => {
  expect(
    await receive((write, end) => {
      write('hello');
      end();
    }),
  ).toBe(400);
});

test('the time limit for whole requests does not apply to uploads', async () => {
  const own = await startServer({ headersTimeoutMs: 50, requestTimeoutMs: 100, timeoutCheckMs: 20 });
  own.server.server.prependListener('request', (request) => {
    if (request.url === '/echo') allowLongBody(request);
  });
  const socket = openSocket(
    own.port,
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  const responses = readResponses(socket, 1);
  await once(own.server.server, 'clientError');
  socket.write('}');
  expect((await responses).map(({ status, body }) => [status, body])).toEqual([[200, '{"body":{}}']]);
  await own.server.close();
});
