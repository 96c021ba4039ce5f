// A proxy that behaves like a pooler in front of a server. The process ID that it sends to clients is not the server's, because behind a
// pooler the server process changes with every transaction.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { readPort } from './fault-proxy.ts';

/** The proxy stops when this object goes out of scope. */
export interface PoolerProxy extends AsyncDisposable {
  /** The server's URL through the proxy. */
  readonly url: string;
}

export async function startPoolerProxy(serverUrl: string): Promise<PoolerProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far);
    passChanged(far, near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${readPort(listener.address())}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

const KEY_DATA = 'K'.charCodeAt(0);
/** A letter, followed by the length of the rest, including the length itself. */
const HEAD_LENGTH = 5;

function passChanged(from: Socket, to: Socket): void {
  let pending: Buffer = Buffer.alloc(0);
  let isTold = false;
  from.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (!isTold && isWhole(pending)) {
      const end = 1 + pending.readInt32BE(1);
      isTold = pending[0] === KEY_DATA;
      if (isTold) pending.writeInt32BE(pending.readInt32BE(HEAD_LENGTH) + 1, HEAD_LENGTH);
      to.write(pending.subarray(0, end));
      pending = pending.subarray(end);
    }
    if (!isTold) return;
    to.write(pending);
    pending = Buffer.alloc(0);
  });
}

/** Whether the bytes start with a complete message. */
function isWhole(bytes: Buffer): boolean {
  return bytes.length >= HEAD_LENGTH && bytes.length >= 1 + bytes.readInt32BE(1);
}
