import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EventStream, OpenStreams, type StreamLimits, type StreamParts } from './open-streams.ts';

const LIMITS: StreamLimits = { heartbeatMs: 15_000, unreadMs: 60_000, lookMs: 1000 };
const PARTS: StreamParts = { unread: { noteAnswer: () => {}, noteShared: () => {} }, isStopping: () => false };

describe('an open stream', () => {
  let server: ReturnType<typeof createServer>;
  let client: Socket;
  let response: ServerResponse;

  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>();
    server = createServer((_request, answer) => resolve(answer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => {});
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    response = await promise;
    response.writeHead(200);
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  });

  afterEach(async () => {
    vi.useRealTimers();
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  function open(parts = PARTS): EventStream {
    return new OpenStreams(LIMITS, parts).open(response);
  }

  /** Sends more than the buffers between the service and a client hold. */
  function sendMuch(stream: EventStream): Promise<void> {
    client.pause();
    return stream.send(Buffer.alloc(32 * 1024 * 1024, 'x'));
  }

  async function readUntil(end: string): Promise<string> {
    let text = '';
    for await (const chunk of client) {
      text += String(chunk);
      if (text.includes(end)) return text;
    }
    throw new Error(`The connection ended: ${text}`);
  }

  test('sends comments while there are no events', async () => {
    open();
    vi.advanceTimersByTime(30_000);
    expect((await readUntil(':\n\n\r\n3\r\n:\n\n')).split(':\n\n').length).toBeGreaterThan(2);
  });

  test('completes a send once the bytes have been accepted or the client has disconnected', async () => {
    const stream = open();
    client.resume();
    await stream.send('data: 1\n\n');
    expect(stream.unreadMs(performance.now())).toBe(0);
    const sending = sendMuch(stream);
    vi.advanceTimersByTime(100);
    expect(stream.unreadMs(performance.now())).toBe(100);
    const closed = once(response, 'close');
    client.destroy();
    await sending;
    await closed;
    expect(stream.isOver).toBe(true);
  });

  test('reports a buffer that other streams may share, and reports when it has been sent', async () => {
    const noted: (Buffer | undefined)[] = [];
    const unread = { ...PARTS.unread, noteShared: (_: Socket, bytes: Buffer | undefined) => void noted.push(bytes) };
    const stream = open({ ...PARTS, unread });
    client.resume();
    const event = Buffer.from('data: 1\n\n');
    await stream.send(event);
    expect(noted).toHaveLength(2);
    expect(noted[0]).toBe(event);
    expect(noted[1]).toBeUndefined();
  });

  test('sends no heartbeats while the client does not read, and is eventually cut off', async () => {
    const stream = open();
    const sending = sendMuch(stream);
    const unsent = response.writableLength;
    vi.advanceTimersByTime(59_000);
    expect([response.writableLength, response.destroyed]).toEqual([unsent, false]);
    vi.advanceTimersByTime(1000);
    expect(response.destroyed).toBe(true);
    await sending;
  });

  test('is cut off early if the client is not reading while the service is stopping', async () => {
    const stream = open({ ...PARTS, isStopping: () => true });
    const sending = sendMuch(stream);
    vi.advanceTimersByTime(1000);
    expect(response.destroyed).toBe(true);
    await sending;
  });

  test('has no timer if the client disconnected before the stream began', async () => {
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(open().isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
