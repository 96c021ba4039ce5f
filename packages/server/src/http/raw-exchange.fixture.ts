// For tests: sends bytes to a port and reads the responses, even malformed ones.

import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends `bytes` and resolves with the responses once `count` of them have arrived or the server has closed the connection. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  count = Number.POSITIVE_INFINITY,
  host = '127.0.0.1',
): Promise<readonly RawResponse[]> {
  return readResponses(openSocket(port, bytes, host), count);
}

export function openSocket(port: number, bytes: string | Buffer = '', host = '127.0.0.1'): Socket {
  const socket = connect({ port, host, allowHalfOpen: true });
  // Tests check for themselves how a connection ends. A reset alone is not a failure.
  socket.on('error', () => {});
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

export function readResponses(socket: Socket, count = Number.POSITIVE_INFINITY): Promise<readonly RawResponse[]> {
  const { promise, resolve } = Promise.withResolvers<readonly RawResponse[]>();
  const chunks: Buffer[] = [];
  const finish = (): void => {
    resolve(parseResponses(Buffer.concat(chunks).toString('latin1')));
    socket.destroy();
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (parseResponses(Buffer.concat(chunks).toString('latin1')).length >= count) finish();
  });
  // A server that rejects a request may close the connection before everything has been written. Its earlier responses still count.
  socket.on('error', finish);
  socket.on('end', finish);
  return promise;
}

function parseResponses(text: string): readonly RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const statusLine = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n/.exec(rest);
    if (headEnd === -1 || statusLine === null) return responses;
    const headers = Object.fromEntries(
      rest
        .slice(statusLine[0].length, headEnd)
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
    if (rest.length < bodyEnd) return responses;
    responses.push({ status: Number(statusLine[1]), headers, body: rest.slice(headEnd + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
}
