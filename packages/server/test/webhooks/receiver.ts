// A receiver of webhook calls: a real HTTP server that verifies each signature with the reference library, and responds as the test
// specifies.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export interface ReceivedEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly site: string;
    readonly id: string;
    readonly position: string;
    readonly uri: string | null;
    readonly content?: { readonly id: string; readonly name: string } | null;
    /** The events in a batch. */
    readonly events?: readonly ReceivedEvent[];
    readonly [name: string]: unknown;
  };
}

export interface ReceivedCall {
  /** The `webhook-id` header. */
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ReceivedEvent;
  readonly at: number;
  /** Whether the receiver responded with a status from 200 to 299. */
  readonly isAccepted: boolean;
}

/** A status, possibly after a while; no response at all; or a connection that is reset. */
export type Behaviour = number | { readonly status: number; readonly afterMs: number } | 'hang' | 'reset';

export class Receiver implements AsyncDisposable {
  readonly calls: ReceivedCall[] = [];
  /** Signatures that are not valid for these secrets are errors. */
  readonly secrets = new Set<string>();
  /** Additional secrets for the calls to some paths, by path. */
  readonly secretsByPath = new Map<string, string>();
  readonly faults: string[] = [];
  /** The number of calls so far, including those that have not received a response yet. */
  arrived = 0;
  /** Responses wait for this promise. */
  hold: Promise<void> = Promise.resolve();
  behave: (call: Omit<ReceivedCall, 'isAccepted'>) => Behaviour = () => 204;
  readonly #server: Server;
  readonly #watchers = new Set<() => void>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', async (request, response) => {
      const body = await text(request).catch(() => undefined);
      if (body === undefined) return;
      const call = receiver.#read(request.headers, request.url ?? '', body);
      const behaviour = receiver.behave(call);
      receiver.arrived += 1;
      for (const check of receiver.#watchers) check();
      await receiver.hold;
      if (typeof behaviour === 'object') await wait(behaviour.afterMs);
      const status = typeof behaviour === 'object' ? behaviour.status : behaviour;
      if (status === 'reset') request.socket.resetAndDestroy();
      else if (status !== 'hang')
        response.writeHead(status, { 'x-receiver': 'test' }).end(status === 204 ? '' : 'answer');
      const isAccepted = typeof status === 'number' && status >= 200 && status < 300;
      receiver.calls.push({ ...call, isAccepted });
      for (const check of receiver.#watchers) check();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get accepted(): readonly ReceivedCall[] {
    return this.calls.filter(({ isAccepted }) => isAccepted);
  }

  #read(headers: IncomingHttpHeaders, path: string, body: string): Omit<ReceivedCall, 'isAccepted'> {
    const signed = {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    };
    const ofPath = this.secretsByPath.get(path);
    for (const secret of [...this.secrets, ...(ofPath === undefined ? [] : [ofPath])]) {
      try {
        new Webhook(secret).verify(body, signed);
      } catch (error) {
        this.faults.push(`${signed['webhook-id']}: ${error}`);
      }
    }
    return { id: signed['webhook-id'], path, headers, body, event: JSON.parse(body), at: Date.now() };
  }

  /** Resolves once the condition is met, which is checked after each call. */
  async waitUntil(isMet: (receiver: Receiver) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (isMet(this)) resolve();
    };
    this.#watchers.add(check);
    check();
    await promise;
    this.#watchers.delete(check);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** The events of calls, including those in batches, as `TYPE ID`. */
export function summarize(calls: readonly ReceivedCall[]): readonly string[] {
  return calls.flatMap(({ event }) => event.data.events ?? [event]).map(({ type, data }) => `${type} ${data.id}`);
}
