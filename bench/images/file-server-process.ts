// The baselines for files: a node:http server that streams one file for every GET, and pipes the body of every POST to a file.
// Its arguments are the file to stream, its media type, and the file to write. It prints its port.

import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';

const [, , file = '', type = '', target = ''] = process.argv;
const size = file === '' ? 0 : statSync(file).size;

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    pipeline(request, createWriteStream(target), (error) => response.writeHead(error ? 500 : 201).end());
    return;
  }
  response.writeHead(200, { 'content-type': type, 'content-length': size });
  pipeline(createReadStream(file), response, () => {});
});

server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
process.on('disconnect', () => process.exit(0));
