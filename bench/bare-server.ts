// The baseline: a node:http server that responds to every request with prepared headers and bytes. It runs as a separate process. The
// parent process sends it the response to use, and it replies with the port that it is listening on.

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
