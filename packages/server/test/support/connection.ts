// A persistent connection to a service. It sends its requests one after the other. A connection stays with one process, so tests open
// several to reach all processes that share a port.

import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as sendRequest } from 'node:http';

export interface Asking {
  readonly method?: string;
  /** The path and query as sent in the request line. */
  readonly target: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON. */
  readonly body?: object | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface Connection {
  ask(asking: Asking): Promise<Received>;
  close(): void;
}

/**
 * @param url `http://HOST:PORT`
 * @param most the maximum number of connections; a request opens a new one if all of them are busy
 */
export function openConnection(url: string, most = 1): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: most });
  const { hostname, port } = new URL(url);
  return {
    ask({ method = 'GET', target, headers = {}, body }) {
      const { promise, resolve, reject } = Promise.withResolvers<Received>();
      const text = body === undefined ? undefined : JSON.stringify(body);
      const sent = sendRequest({
        agent,
        hostname,
        port,
        method,
        path: target,
        headers:
          text === undefined
            ? headers
            : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.end(text);
      return promise;
    },
    close: () => agent.destroy(),
  };
}

/** Identifies the process that responded: its request IDs all have the same prefix. */
export function processOf({ headers }: Received): string {
  return String(headers['x-request-id']).split('-', 1)[0] ?? '';
}

export function isHit({ headers }: Received): boolean {
  return headers['cache-status'] === 'galley; hit';
}
