import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** Far more than fits into the buffers between client and server. */
const ANSWER = Buffer.alloc(32 * 1024 * 1024);

let server: Server;
const clients: Socket[] = [];

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  for (const client of clients) client.destroy();
  server.close();
});

/** A connection whose client does not read its response. */
async function openUnread(): Promise<Socket> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server is not listening');
  const accepted = once(server, 'connection');
  clients.push(connect(address.port, '127.0.0.1').pause());
  const [socket] = await accepted;
  socket.write(ANSWER);
  return socket;
}

test('resumes building small responses as soon as there is room, and large ones later', async () => {
  const [one, other] = [await openUnread(), await openUnread()];
  const unread = new UnreadAnswers({
    connections: new Set([one, other]),
    log: createLogger('silent', new PassThrough()),
    // With one unread response, large ones wait; with two, all responses wait.
    limits: { ...DEFAULT_LIMITS, unreadBytes: 0.75 * ANSWER.length },
  });
  for (const socket of [one, other]) unread.noteAnswer(socket);
  expect(unread.isOverfull()).toBe(true);

  const admitted: string[] = [];
  const wait = async (size: 'small' | 'large'): Promise<void> => {
    const isAdmitted = await unread.waitForRoom(new ServerResponse(new IncomingMessage(other)), size);
    if (isAdmitted) admitted.push(size);
  };
  const large = wait('large');
  const small = wait('small');
  one.destroy();
  expect(unread.isOverfull()).toBe(false);
  await small;
  // Nobody was disconnected.
  expect([admitted, other.destroyed]).toEqual([['small'], false]);
  other.destroy();
  await large;
  expect(admitted).toEqual(['small', 'large']);
});

test('counts bytes once if several connections share them', async () => {
  const sockets = [await openUnread(), await openUnread(), await openUnread()];
  const unread = new UnreadAnswers({
    connections: new Set(sockets),
    log: createLogger('silent', new PassThrough()),
    limits: { ...DEFAULT_LIMITS, unreadBytes: 0.75 * ANSWER.length },
  });
  for (const socket of sockets) unread.noteAnswer(socket);
  expect(unread.isOverfull()).toBe(true);
  for (const socket of sockets) unread.noteShared(socket, ANSWER);
  expect(unread.isOverfull()).toBe(false);
  for (const socket of sockets) {
    unread.noteShared(socket, undefined);
    unread.noteAnswer(socket);
  }
  expect(unread.isOverfull()).toBe(true);
  for (const socket of sockets) socket.destroy();
});
