import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A request that has arrived on a connection from `peer`. */
export function buildRequest(headers: Readonly<Record<string, string>>, peer = '127.0.0.1'): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  return Object.assign(new IncomingMessage(socket), { headers: { ...headers } });
}
