// A server that returns scripted responses in order and repeats the last one.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
}

/** A response, or a function that handles the connection itself. */
export type Step = ScriptedAnswer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** All requests so far. */
  readonly requests: readonly IncomingMessage[];
  /** Resolves after this many requests have arrived. */
  waitForRequests(count: number): Promise<void>;
}

export async function startScriptedServer(...steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const step = steps[Math.min(requests.length, steps.length - 1)] ?? {};
    requests.push(request);
    if (typeof step === 'function') step(request, response);
    else answer(response, step);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    async waitForRequests(count) {
      while (requests.length < count) await once(server, 'request');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function answer(response: ServerResponse, { status = 200, headers = {}, body = {} }: ScriptedAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const hasNoBody = status === 304 || status === 204;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(hasNoBody ? undefined : text);
}

/** The properties of a content object that the library reads. */
export function contentBody(id: string): object {
  return { id, slug: id, name: id, content_type: { handle: 'book' }, fields: {} };
}
