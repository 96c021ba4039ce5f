// Iterating over all pages with one loop.

import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { BOOKS, type Library, openClient, openLibrary } from './library.ts';
import { answer, contentBody, type Step, startScriptedServer } from './scripted-server.ts';

const ACCESS = { apiKey: 'k_1', siteId: 's_1' };

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('iterating over the content of a service', () => {
  let library: Library;

  beforeAll(async () => {
    library = await openLibrary();
  });

  afterAll(() => library.close());

  test.each([0, 1, 3, 10])(
    'visits every object once with a look-ahead of %i, for every page size',
    async (lookAhead) => {
      for (const limit of [1, 2, 3, 7, undefined]) {
        for (const simplePagination of [false, true]) {
          const client = openClient(library, { simplePagination });
          const params = { content_type: 'book', limit };
          const books = await collect(client.iterate({ params, lookAhead }));
          expect(books.map((book) => book.slug)).toEqual(BOOKS);
        }
      }
    },
  );

  test('visits all content when called without parameters, and nothing on an empty site', async () => {
    const client = openClient(library);
    expect(await collect(client.iterate())).toHaveLength(8);
    expect(await collect(client.iterate({ params: { content_type: 'shelf' } }))).toEqual([]);
  });

  test('uses cursors and pages of 100 by default', async () => {
    const sent: string[] = [];
    const client = openClient(library, {
      simplePagination: true,
      fetch: (url, init) => {
        sent.push(`${new URL(url).search} ${new Headers(init.headers).has('x-service-simple-pagination')}`);
        return fetch(url, init);
      },
    });
    await collect(client.iterate({ params: { content_type: 'book' } }));
    await collect(client.iterate({ params: { content_type: 'book', limit: 7 } }));
    expect(sent).toEqual(['?limit=100&content_type=book false', '?limit=7&content_type=book false']);
  });

  test('uses the language set for the call', async () => {
    const books = await collect(openClient(library).iterate({ params: { content_type: 'book' } }, { language: 'fr' }));
    expect(books.map((book) => book.slug)).toEqual(['un']);
  });

  test("rejects with the failed page's error after yielding the objects before it", async () => {
    const client = openClient(library, {
      retry: false,
      fetch: (url, init) => (url.includes('cursor') ? Promise.reject(new Error('unplugged')) : fetch(url, init)),
    });
    const seen: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const book of client.iterate({ params: { content_type: 'book', limit: 2 } })) seen.push(book.slug);
    };
    await expect(walk()).rejects.toMatchObject({ code: 'network', message: expect.stringMatching(/: unplugged$/) });
    expect(seen).toEqual(['seven', 'six']);
  });
});

describe('look-ahead', () => {
  /** An endless sequence of pages with two objects each. */
  const endless: Step = (request, response) => {
    const number = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('cursor') ?? 1);
    const data = [contentBody(`c_${number}a`), contentBody(`c_${number}b`)];
    answer(response, { body: { data, links: { next: `/api/v1/content?cursor=${number + 1}` } } });
  };

  test.each([0, 1, 2, 5])('fetches %i pages ahead and no more, however slow the reader is', async (lookAhead) => {
    let sent = 0;
    const client = createClient({
      ...ACCESS,
      apiURL: 'http://content.example',
      fetch: async () => {
        sent += 1;
        return Response.json({
          data: [contentBody(`c_${sent}a`), contentBody(`c_${sent}b`)],
          links: { next: `?cursor=${sent}` },
        });
      },
    });
    const objects = client.iterate({ lookAhead });
    for (let page = 1; page <= 3; page++) {
      for (const object of ['a', 'b']) {
        expect(await objects.next()).toMatchObject({ value: { id: `c_${page}${object}` } });
        // Responses are immediate, so after one turn of the event loop every request has been sent.
        await setImmediate();
        expect(sent).toBe(page + lookAhead);
      }
    }
    await objects.return();
  });

  test('must be a whole number from 0 to 10, and the error message states this range', () => {
    const client = createClient({ ...ACCESS, apiURL: 'http://content.example' });
    for (const lookAhead of [-1, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => client.iterate({ lookAhead })).toThrow(new TypeError('lookAhead must be from 0 to 10.'));
    }
  });

  test('sends nothing before the first object is requested', async () => {
    await using server = await startScriptedServer(endless);
    createClient({ ...ACCESS, apiURL: server.url }).iterate();
    await createClient({ ...ACCESS, apiURL: server.url }).getContent({ params: { slug: 'other' } });
    expect(server.requests.map((request) => request.url)).toEqual(['/api/v1/content?slug=other']);
  });

  /** The second page never arrives. The promise settles when the client cancels the request. */
  function stuck(): { readonly steps: readonly Step[]; readonly givenUp: Promise<void> } {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { steps: [endless, (_, response) => response.on('close', () => resolve())], givenUp: promise };
  }

  test('cancels the pending request when the loop exits early', async () => {
    const { steps, givenUp } = stuck();
    await using server = await startScriptedServer(...steps);
    for await (const object of createClient({ ...ACCESS, apiURL: server.url, timeout: false }).iterate()) {
      expect(object).toMatchObject({ id: 'c_1a' });
      await server.waitForRequests(2);
      break;
    }
    await givenUp;
  });

  test('stops when the loop body throws', async () => {
    const { steps, givenUp } = stuck();
    await using server = await startScriptedServer(...steps);
    const client = createClient({ ...ACCESS, apiURL: server.url, timeout: false });
    const walk = async (): Promise<void> => {
      for await (const { id } of client.iterate()) {
        await server.waitForRequests(2);
        throw new Error(`cannot use ${id}`);
      }
    };
    await expect(walk()).rejects.toThrow('cannot use c_1a');
    await givenUp;
  });

  test.each(['signal', 'fetchOptions', "client's fetchOptions"])(
    "stops when the caller's %s aborts, even between two objects",
    async (place) => {
      const { steps, givenUp } = stuck();
      await using server = await startScriptedServer(...steps);
      const controller = new AbortController();
      const { signal } = controller;
      const ofClient = place.startsWith('client') ? { fetchOptions: { signal } } : {};
      const ofCall = place === 'signal' ? { signal } : place === 'fetchOptions' ? { fetchOptions: { signal } } : {};
      const client = createClient({ ...ACCESS, apiURL: server.url, timeout: false, ...ofClient });
      const objects = client.iterate({}, ofCall);
      expect(await objects.next()).toMatchObject({ value: { id: 'c_1a' } });
      await server.waitForRequests(2);
      controller.abort(new Error('enough'));
      await expect(objects.next()).rejects.toThrow('enough');
      expect(await objects.next()).toEqual({ done: true, value: undefined });
      await givenUp;
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  test('removes its listener from a signal afterwards', async () => {
    await using server = await startScriptedServer({ body: { data: [contentBody('c_1'), contentBody('c_2')] } });
    const { signal } = new AbortController();
    expect(await collect(createClient({ ...ACCESS, apiURL: server.url }).iterate({}, { signal }))).toHaveLength(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('stops at a link that points back to an earlier request', async () => {
    const body = { data: [contentBody('c_1'), contentBody('c_2')], links: { next: '/api/v1/content?cursor=same' } };
    await using server = await startScriptedServer({ body });
    const seen: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const { id } of createClient({ ...ACCESS, apiURL: server.url }).iterate()) seen.push(id);
    };
    await expect(walk()).rejects.toMatchObject({ code: 'unreadable' });
    expect(seen).toEqual(['c_1', 'c_2', 'c_1', 'c_2']);
  });
});
