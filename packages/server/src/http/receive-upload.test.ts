import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildLateError, startServer } from './http-server.fixture.ts';
import { ProblemError } from './problems.ts';
import { openSocket, readResponses } from './raw-exchange.fixture.ts';
import { allowLongBody, receiveUpload, type UploadPace } from './receive-upload.ts';
import { buildRequest } from './request.fixture.ts';

const PACE: UploadPace = { idleMs: 100, slowestBytesPerSecond: 1000, graceMs: 300 };

describe('an upload', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** @param pauseMs how long the service does something else after each chunk */
  function open(pauseMs = 0) {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const request = buildRequest({});
    let outcome: string | number | undefined;
    const read = async (): Promise<void> => {
      let text = '';
      try {
        for await (const chunk of receiveUpload(request, PACE)) {
          text += chunk.toString();
          vi.advanceTimersByTime(pauseMs);
        }
        outcome = text;
      } catch (error) {
        outcome = error instanceof ProblemError ? error.problem.status : String(error);
      }
    };
    void read();
    return {
      request,
      async find(): Promise<string | number | undefined> {
        await turn();
        return outcome;
      },
    };
  }

  test('gets a 408 if the client sends nothing for a while', async () => {
    const { request, find } = open();
    request.push('hello');
    expect(await find()).toBeUndefined();
    vi.advanceTimersByTime(99);
    expect(await find()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(await find()).toBe(408);
  });

  test('gets a 408 if the client sends hardly anything', async () => {
    const { request, find } = open();
    let waitedMs = 0;
    for (; (await find()) === undefined; waitedMs += 20) {
      vi.advanceTimersByTime(20);
      request.push('x');
    }
    expect([await find(), waitedMs]).toEqual([408, 320]);
  });

  test('may arrive slowly if its average rate is sufficient', async () => {
    const { request, find } = open();
    for (let count = 0; count < 20; count += 1) {
      vi.advanceTimersByTime(99);
      request.push('x'.repeat(99));
      expect(await find()).toBeUndefined();
    }
    request.push(null);
    expect(await find()).toBe('x'.repeat(20 * 99));
  });

  test('may take any time during which the service is not reading', async () => {
    const { request, find } = open(400);
    for (const part of ['a', 'b', null]) {
      request.push(part);
      await find();
    }
    expect(await find()).toBe('ab');
  });

  test('is a bad request if it is interrupted', async () => {
    const { request, find } = open();
    request.push('hello');
    await find();
    request.destroy(new Error('aborted'));
    expect(await find()).toBe(400);
  });
});

test('the time limit for whole requests does not apply to uploads', async () => {
  const own = await startServer();
  own.server.server.prependListener('request', (request) => {
    if (request.url === '/echo') allowLongBody(request);
  });
  const arrived = once(own.server.server, 'request');
  const socket = openSocket(
    own.port,
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  const responses = readResponses(socket, 1);
  const [request] = await arrived;
  own.server.server.emit('clientError', buildLateError(), request.socket);
  socket.write('}');
  expect((await responses).map(({ status, body }) => [status, body])).toEqual([[200, '{"body":{}}']]);
  await own.server.close();
});
