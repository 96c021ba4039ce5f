// Opens many streams at once, with as little work for each as possible, and reports when a given text has arrived on all of them.

import { connect, type Socket } from 'node:net';

export interface ManyStreamsOptions {
  readonly url: string;
  readonly token: string;
  readonly site: string;
  readonly count: number;
  /** The query string, with its question mark. */
  readonly query: string;
}

interface Stream {
  readonly socket: Socket;
  /** The bytes that have arrived since the last search began. */
  text: string;
  isFound: boolean;
}

interface Search {
  readonly text: string;
  left: number;
  readonly settle: PromiseWithResolvers<void>;
}

const OPENED_AT_ONCE = 100;

/** Closes all connections when this object goes out of scope. */
export class ManyStreams implements Disposable {
  readonly #streams: Stream[] = [];
  #search: Search | undefined;

  /** Resolves when each stream has received its first event. */
  static async open({ url, token, site, count, query }: ManyStreamsOptions): Promise<ManyStreams> {
    const all = new ManyStreams();
    const { hostname, port } = new URL(url);
    const head = `GET /changes/v1/stream${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nX-SERVICE-SITE: ${site}\r\n\r\n`;
    for (let first = 0; first < count; first += OPENED_AT_ONCE) {
      const added = Array.from({ length: Math.min(OPENED_AT_ONCE, count - first) }, () =>
        all.#add(connect(Number(port), hostname), head),
      );
      await all.#find('\ndata: ', added);
    }
    return all;
  }

  #add(socket: Socket, head: string): Stream {
    const stream = { socket, text: '', isFound: true };
    this.#streams.push(stream);
    socket.setEncoding('utf8').on('data', (text: string) => {
      stream.text += text;
      this.#look(stream);
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#search?.settle.reject(new Error(`A stream has ended: ${stream.text}`)));
    socket.write(head);
    return stream;
  }

  /** Resolves when the text has arrived on every stream. Call this before the text is sent. */
  arrival(text: string): Promise<void> {
    for (const stream of this.#streams) stream.text = '';
    return this.#find(text, this.#streams);
  }

  #find(text: string, among: readonly Stream[]): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#search = { text, left: among.length, settle };
    for (const stream of among) {
      stream.isFound = false;
      this.#look(stream);
    }
    return settle.promise;
  }

  #look(stream: Stream): void {
    const search = this.#search;
    if (search === undefined || stream.isFound || !stream.text.includes(search.text)) return;
    stream.isFound = true;
    search.left -= 1;
    if (search.left === 0) search.settle.resolve();
  }

  [Symbol.dispose](): void {
    this.#search = undefined;
    for (const { socket } of this.#streams) socket.destroy();
  }
}
