// A proxy in front of several nodes. It cuts connections at random, and inspects every byte that the nodes send.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { readPort } from '../support/fault-proxy.ts';

export class CuttingProxy implements AsyncDisposable {
  readonly url: string;
  /** The number of chunks that contained each of the given strings. */
  readonly found: ReadonlyMap<string, number>;
  readonly #close: () => Promise<void>;
  #mostMs: number;
  #cuts = 0;
  #bytes = 0;

  private constructor(url: string, found: ReadonlyMap<string, number>, mostMs: number, close: () => Promise<void>) {
    this.url = url;
    this.found = found;
    this.#mostMs = mostMs;
    this.#close = close;
  }

  get cuts(): number {
    return this.#cuts;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** From now on, connections are no longer cut. */
  stopCutting(): void {
    this.#mostMs = Number.POSITIVE_INFINITY;
  }

  /**
   * @param mostMs each connection is cut at a random time within this limit
   * @param texts the strings to look for
   */
  static async start(nodes: readonly string[], mostMs: number, texts: readonly string[]): Promise<CuttingProxy> {
    const found = new Map(texts.map((text) => [text, 0]));
    const longest = Math.max(...texts.map(({ length }) => length));
    const sockets = new Set<Socket>();
    const listener = createServer((near) => {
      const target = new URL(nodes[Math.floor(Math.random() * nodes.length)] ?? '');
      const far = connect(Number(target.port), target.hostname);
      const cut = (): void => {
        near.destroy();
        far.destroy();
      };
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', cut).on('close', () => {
          sockets.delete(socket);
          cut();
        });
      }
      near.pipe(far);
      far.pipe(near);
      let tail = Buffer.alloc(0);
      far.on('data', (chunk: Buffer) => {
        proxy.#bytes += chunk.length;
        // A string may be split across two chunks.
        const sent = Buffer.concat([tail, chunk]);
        for (const [each, count] of found) if (sent.includes(each)) found.set(each, count + 1);
        tail = sent.subarray(-longest);
      });
      if (proxy.#mostMs === Number.POSITIVE_INFINITY) return;
      const timer = setTimeout(() => {
        proxy.#cuts += 1;
        cut();
      }, Math.random() * proxy.#mostMs);
      near.once('close', () => clearTimeout(timer));
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const proxy = new CuttingProxy(`http://127.0.0.1:${readPort(listener.address())}`, found, mostMs, async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    });
    return proxy;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
