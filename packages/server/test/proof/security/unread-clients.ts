// Clients that request a lot of data and read it late or not at all.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { content, contentType, PRESS, site } from '../../conformance/records.ts';
import { type ServedSite, serveSite } from '../../support/served-site.ts';

/** 100 objects of 150 KB, so a list of all of them is 15 MB. */
const COUNT = 100;
const TEXT = 'fifteen letters'.repeat(10_000);

export function serveLargeLists(): Promise<ServedSite> {
  return serveSite([
    site(PRESS),
    contentType(PRESS, 'story', [{ handle: 'body', type: 'text' }]),
    ...Array.from({ length: COUNT }, (_, index) =>
      content({ id: `c_${index}`, content_type: 'story', fields: { body: { text: `${index} ${TEXT}` } } }),
    ),
  ]);
}

export class UnreadClients {
  readonly #served: ServedSite;
  readonly #sockets: Socket[] = [];

  constructor(served: ServedSite) {
    this.#served = served;
  }

  /** The bytes of a request. */
  build(query: string, headers = ''): string {
    const { token } = this.#served.key;
    return `GET /api/v1/content${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nX-SERVICE-SITE: ${PRESS}\r\n${headers}\r\n`;
  }

  /** Opens a connection that sends requests and does not read the responses. */
  async send(bytes: string): Promise<Socket> {
    const socket = connect(Number(new URL(this.#served.url).port), '127.0.0.1');
    this.#sockets.push(socket);
    // A disconnected client is not a failure.
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }

  disconnect(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }
}

/** Requests objects for another client, one after the other. Returns the statuses. */
export async function readAsOther({ url, key }: ServedSite, times: number): Promise<ReadonlySet<number>> {
  const headers = { authorization: `Bearer ${key.token}`, 'x-service-site': PRESS };
  const statuses = new Set<number>();
  for (let index = 0; index < times; index += 1) {
    const response = await fetch(`${url}/api/v1/content/c_${index % COUNT}?at=${index}`, { headers });
    statuses.add(response.status);
    await response.arrayBuffer();
  }
  return statuses;
}

export function repeat(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}
