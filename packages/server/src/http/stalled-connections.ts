// Clients that ask and then do not read would keep their answers in our memory. Node's own timeout for this sets timers
// for every request and also ends handlers that take their time; a look at all connections now and then does neither.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Drops connections of which nothing was sent between two looks, though something was waiting to be. */
export function dropStalledConnections(server: Server, connections: ReadonlySet<Socket>, everyMs: number): void {
  const sentBefore = new WeakMap<Socket, number>();

  function look(): void {
    for (const socket of connections) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength > 0 && sentBefore.get(socket) === sent) socket.destroy();
      else sentBefore.set(socket, socket.writableLength > 0 ? sent : -1);
    }
  }

  server.on('listening', () => {
    const timer = setInterval(look, everyMs);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  });
}
