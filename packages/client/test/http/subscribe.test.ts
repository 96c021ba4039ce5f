// `subscribe` calls a listener with each change, in order, until it is aborted.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFaultProxy } from '../../../server/test/support/fault-proxy.ts';
import type { ChangeEvent, Client, ContentBody, SubscribeOptions } from '../../src/index.ts';
import { GalleyError, isForbidden, isUnauthenticated } from '../../src/index.ts';
import { type ChangingLibrary, openChangesClient, openChangingLibrary } from './changing-library.ts';
import { CLOSED, LIBRARY } from './library.ts';
import { contentBody, startScriptedServer } from './scripted-server.ts';

type Event = ChangeEvent<ContentBody>;

/** A listener whose events can be awaited. */
class Listener {
  readonly events: Event[] = [];
  readonly #waiting = new Set<() => void>();

  readonly listen = (event: Event): void => {
    this.events.push(event);
    for (const check of this.#waiting) check();
  };

  /** Resolves after this many events. */
  async count(events: number): Promise<readonly Event[]> {
    while (this.events.length < events) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
    return this.events;
  }

  get names(): readonly string[] {
    return this.events.map((event) => (event.kind === 'reset' ? 'reset' : `${event.kind} ${event.id}`));
  }
}

describe('subscribe', () => {
  let library: ChangingLibrary;
  let listener: Listener;
  let stop: AbortController;

  beforeAll(async () => {
    library = await openChangingLibrary();
  });
  afterAll(() => library.close());
  beforeEach(() => {
    listener = new Listener();
    stop = new AbortController();
  });
  afterEach(() => stop.abort());

  let changes = 0;

  /** Gives a book a new name. */
  const change = (id: string, members: object = {}): Promise<void> => {
    changes += 1;
    return library.rename(id, `Name ${changes}`, members);
  };

  /** The position before any change that a test makes. */
  async function readPosition(): Promise<string> {
    const headers = { authorization: `Bearer ${library.access.apiKey}`, 'x-service-site': LIBRARY };
    const response = await fetch(`${library.service.url}/changes/v1?since=now`, { headers });
    return Object(await response.json()).next;
  }

  function follow(options: SubscribeOptions = {}, apiURL = library.access.apiURL): Promise<void> {
    const client = openChangesClient(library, { apiURL });
    return client.subscribe(listener.listen, { signal: stop.signal, ...options });
  }

  test('reports the changes after a position in order, and then new changes as they happen', async () => {
    const since = await readPosition();
    await change('c_six');
    await library.withdraw('c_five');
    const following = follow({ since });
    await listener.count(2);
    await change('c_new');
    await listener.count(3);
    stop.abort();
    await following;
    expect(listener.names).toEqual(['updated c_six', 'unpublished c_five', 'published c_new']);
    expect(listener.events[0]).not.toHaveProperty('content');
  });

  test('by default, reports only changes from now on', async () => {
    await change('c_six');
    const requests: string[] = [];
    const client = openChangesClient(library, {
      fetch: (url, init) => {
        requests.push(url);
        return fetch(url, init);
      },
    });
    const following = client.subscribe(listener.listen, { signal: stop.signal });
    // The first response contains the position.
    await expect.poll(() => requests.length).toBeGreaterThan(1);
    await change('c_four');
    await listener.count(1);
    stop.abort();
    await following;
    expect(listener.names).toEqual(['updated c_four']);
    expect(requests[0]).toContain('since=now');
  });

  test('includes the content objects if requested', async () => {
    const since = await readPosition();
    await change('c_six');
    await library.withdraw('c_three');
    void follow({ since, withContent: true });
    expect(await listener.count(2)).toMatchObject([{ content: { name: `Name ${changes}` } }, { content: null }]);
  });

  test('can be limited to certain content types', async () => {
    const since = await readPosition();
    await change('c_six');
    await change('c_note_one', { content_type: 'note', slug: 'one' });
    void follow({ since, contentType: 'note' });
    await listener.count(1);
    expect(listener.names).toEqual(['updated c_note_one']);
  });

  test('waits for a slow listener, and rejects if the listener throws', async () => {
    const since = await readPosition();
    await change('c_six');
    await change('c_four');
    const seen: string[] = [];
    const following = openChangesClient(library).subscribe(
      async (event) => {
        seen.push(`start ${event.kind}`);
        await fetch(`${library.service.url}/healthz`);
        seen.push(`end ${event.kind}`);
        if (seen.length === 4) throw new Error('full');
      },
      { since },
    );
    await expect(following).rejects.toThrow('full');
    expect(seen).toEqual(['start updated', 'end updated', 'start updated', 'end updated']);
  });

  test("rejects with the listener's error, even if the error looks like an expired position", async () => {
    const since = await readPosition();
    await change('c_six');
    const expired = new GalleyError('Expired', { code: 'refused', url: 'https://other.example', status: 410 });
    const following = openChangesClient(library).subscribe(
      () => {
        throw expired;
      },
      { since },
    );
    await expect(following).rejects.toBe(expired);
  });

  test('misses no changes if the connection is lost', async () => {
    await using proxy = await startFaultProxy(library.service.url);
    const retries: string[] = [];
    const since = await readPosition();
    const onRetry = ({ code }: { readonly code: string }) => retries.push(code);
    const following = follow({ since, onRetry }, new URL('/api/v1', proxy.url).href);
    for (let count = 1; count <= 2; count += 1) {
      await change('c_six');
      await listener.count(count);
      proxy.cut();
    }
    await change('c_seven');
    await listener.count(3);
    stop.abort();
    await following;
    expect(listener.names).toEqual(['updated c_six', 'updated c_six', 'updated c_seven']);
    expect(new Set(retries)).toEqual(new Set(['network']));
  });

  test('reports that changes were lost, and continues with the next change', async () => {
    const since = await readPosition();
    await change('c_six');
    await library.forgetChanges();
    void follow({ since });
    await listener.count(1);
    await change('c_seven');
    await listener.count(2);
    expect(listener.names).toEqual(['reset', 'updated c_seven']);
  });

  test('rejects if the key is wrong, revoked, or not allowed to read the site', async () => {
    const wrong = openChangesClient(library, { apiKey: 'gk_wrong' }).subscribe(listener.listen);
    await expect(wrong).rejects.toSatisfy(isUnauthenticated);
    const closed = openChangesClient(library, { siteId: CLOSED }).subscribe(listener.listen);
    await expect(closed).rejects.toSatisfy(isForbidden);
  });

  test('resolves when it is aborted, even while it is waiting to reconnect', async () => {
    await using proxy = await startFaultProxy(library.service.url);
    const { promise: hasFailed, resolve } = Promise.withResolvers<void>();
    const since = await readPosition();
    const following = follow({ since, onRetry: () => resolve() }, new URL('/api/v1', proxy.url).href);
    await change('c_six');
    await listener.count(1);
    await proxy.refuse();
    await hasFailed;
    stop.abort();
    expect(await following).toBe(undefined);
  });
});

describe('without a library', () => {
  const ACCESS = { apiURL: 'http://content.example/api/v1', apiKey: 'gk_x', siteId: 's_1' };
  const ignore = (): void => {};

  test('fetches content objects that are too large for the feed', async () => {
    const change = { id: 'c_huge', kind: 'updated', position: 'p1', content_type: 'book', language: 'en', moved: null };
    const page = {
      changes: [change],
      content: [],
      too_large: ['c_huge'],
      next: 'p1',
      has_more: false,
      drop_others: false,
    };
    await using server = await startScriptedServer({ body: page }, { body: contentBody('c_huge') });
    const client = openChangesClient({ access: { ...ACCESS, apiURL: `${server.url}/api/v1` } });
    const listener = new Listener();
    const stop = new AbortController();
    const following = client.subscribe(listener.listen, { since: 'p0', withContent: true, signal: stop.signal });
    expect(await listener.count(1)).toMatchObject([{ id: 'c_huge', content: { name: 'c_huge' } }]);
    stop.abort();
    await following;
  });

  test.each<[what: string, call: (client: Client) => unknown]>([
    ['listener', (client) => Reflect.apply(client.subscribe, undefined, ['x'])],
    ['since', (client) => client.subscribe(ignore, { since: '' })],
    ['contentType', (client) => client.subscribe(ignore, { contentType: ['book', ''] })],
  ])('rejects an invalid %s and names it', async (what, call) => {
    await expect(call(openChangesClient({ access: ACCESS }))).rejects.toThrow(new RegExp(`^${what} must be `));
  });
});
