// The yardstick: node:http sending ready headers and bytes, whatever is asked. It runs as a process of its own, is told
// by its parent what to send, and tells where it listens.

import { createServer } from 'node:http';
import type { RecordedAnswer } from './recorded-answer.ts';

export interface BareMessage {
  readonly port: number;
}

let headers: string[] = [];
let body = Buffer.alloc(0);

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});

process.on('message', (message: RecordedAnswer) => {
  headers = [...message.headers];
  body = Buffer.from(message.body);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.send?.({ port } satisfies BareMessage);
});

process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1');
