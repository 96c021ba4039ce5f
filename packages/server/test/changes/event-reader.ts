// Reads the stream of changes as a client does, from the bytes of its connection.

import { type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from 'node:http';
import type { ChangeListBody } from '@galley/wire';
import { type FeedParameters, renderQuery } from './change-reader.ts';

export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

export interface StreamRequest {
  readonly url: string;
  readonly token: string;
  readonly site: string;
  readonly parameters?: FeedParameters;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Closes the connection when this object goes out of scope. */
export class EventReader implements AsyncIterable<StreamEvent>, Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly response: IncomingMessage;
  /** The comments that have been read so far. */
  readonly comments: string[] = [];
  readonly #events: AsyncGenerator<StreamEvent>;

  static async open({ url, token, site, parameters = {}, headers = {}, method }: StreamRequest): Promise<EventReader> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    sendRequest(`${url}/changes/v1/stream?${renderQuery(parameters)}`, {
      agent: false,
      method: method ?? 'GET',
      headers: { authorization: `Bearer ${token}`, 'x-service-site': site, ...headers },
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
    return new EventReader(await promise);
  }

  private constructor(response: IncomingMessage) {
    this.response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.#events = this.#parse();
  }

  async *#parse(): AsyncGenerator<StreamEvent> {
    let text = '';
    for await (const chunk of this.response.setEncoding('utf8')) {
      text += chunk;
      let end = text.indexOf('\n\n');
      while (end !== -1) {
        const event = this.#parseBlock(text.slice(0, end));
        text = text.slice(end + 2);
        end = text.indexOf('\n\n');
        if (event !== undefined) yield event;
      }
    }
    if (text !== '') throw new Error(`The stream ended in the middle of an event: ${text.slice(0, 200)}`);
  }

  #parseBlock(block: string): StreamEvent | undefined {
    const lines = block.split('\n');
    this.comments.push(...lines.filter((line) => line.startsWith(':')));
    const find = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = find('data');
    return data === undefined ? undefined : { event: find('event') ?? '', id: find('id'), data };
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent> {
    return this.#events;
  }

  /** The next event; undefined if the stream has ended. */
  async next(): Promise<StreamEvent | undefined> {
    return (await this.#events.next()).value;
  }

  /** The next event, which must be a page. */
  async page(): Promise<ChangeListBody> {
    const found = await this.next();
    if (found?.event !== 'page') throw new Error(`Not a page: ${JSON.stringify(found)}`);
    const page: ChangeListBody = JSON.parse(found.data);
    if (found.id !== page.next) throw new Error(`Event ${found.id} contains the page ${found.data}`);
    return page;
  }

  /** The body of a response that is not a stream. */
  async text(): Promise<string> {
    let text = '';
    for await (const chunk of this.response.setEncoding('utf8')) text += chunk;
    return text;
  }

  [Symbol.dispose](): void {
    this.response.destroy();
  }
}
