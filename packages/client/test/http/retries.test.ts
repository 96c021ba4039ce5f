// Retries: when and how often they happen, and how a caller stops them.

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../../src/index.ts';
import { contentBody, type Step, startScriptedServer } from './scripted-server.ts';

const ACCESS = { apiURL: 'http://content.example', apiKey: 'k_1', siteId: 's_1' };
const FOUND = { body: contentBody('c_1') };

describe('against a failing server', () => {
  const breakOff: Step = (request) => request.socket.destroy();

  test.each([
    ['429', { status: 429, body: { message: 'Too many requests.' } }],
    ['502', { status: 502, body: 'Bad gateway' }],
    ['503', { status: 503, body: { message: 'Service unavailable.' } }],
    ['504', { status: 504, body: '' }],
    ['a broken connection', breakOff],
  ] as const)('%s is retried until an attempt succeeds', async (_, failure) => {
    await using server = await startScriptedServer(failure, failure, FOUND);
    const client = createClient({ ...ACCESS, apiURL: server.url });
    expect(await client.getContentById('c_1')).toMatchObject({ id: 'c_1' });
    expect(server.requests).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 405, 422, 500])('%i is not retried', async (status) => {
    await using server = await startScriptedServer({ status, body: { message: 'No.' } }, FOUND);
    const client = createClient({ ...ACCESS, apiURL: server.url });
    await expect(client.getContentById('c_1')).rejects.toMatchObject({ status, retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  test('requests for further pages are retried too', async () => {
    const list = (ids: readonly string[], next: string | null) => ({
      body: { data: ids.map(contentBody), links: { first: null, last: null, prev: null, next }, meta: {} },
    });
    await using server = await startScriptedServer(
      list(['c_1', 'c_2'], 'https://elsewhere.example/api/v1/content?limit=2&cursor=x'),
      { status: 503 },
      list(['c_3', 'c_4'], null),
    );
    const page = await createClient({ ...ACCESS, apiURL: server.url }).getContent();
    expect((await page.nextPage?.())?.content).toMatchObject([{ id: 'c_3' }, { id: 'c_4' }]);
    expect(server.requests.map((request) => request.url)).toEqual([
      '/api/v1/content',
      '/api/v1/content?limit=2&cursor=x',
      '/api/v1/content?limit=2&cursor=x',
    ]);
  });
});

describe('with a simulated clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** A client whose server returns these responses in order, then repeats the last one. */
  function openScripted(options: Partial<ClientOptions>, ...answers: readonly (() => Response | Promise<Response>)[]) {
    const sent: number[] = [];
    const start = Date.now();
    const client = createClient({
      ...ACCESS,
      ...options,
      fetch: async () => {
        const build = answers[Math.min(sent.length, answers.length - 1)];
        sent.push(Date.now() - start);
        if (build === undefined) throw new TypeError('no answer');
        return build();
      },
    });
    return { client, sent };
  }

  const found = (): Response => Response.json(FOUND.body);
  const busy = (retryAfter?: string) => (): Response =>
    Response.json(
      { message: 'Too many requests.' },
      { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
    );

  test.each(['5', ' 5 ', new Date(Date.UTC(2026, 0, 1, 0, 0, 5)).toUTCString()])(
    'waits for exactly as long as the Retry-After: %s header says',
    async (header) => {
      const { client, sent } = openScripted({}, busy(header), found);
      const result = client.getContentById('c_1');
      await vi.advanceTimersByTimeAsync(4999);
      expect(sent).toEqual([0]);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toEqual([0, 5000]);
      expect(await result).toMatchObject({ id: 'c_1' });
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('fails immediately instead of waiting longer than the limit', async () => {
    for (const header of ['31', new Date(Date.UTC(2026, 0, 1, 0, 0, 31)).toUTCString()]) {
      const { client, sent } = openScripted({}, busy(header), found);
      await expect(client.getContentById('c_1')).rejects.toMatchObject({ status: 429, retryAfter: 31_000 });
      expect(sent).toEqual([0]);
    }
    const { client, sent } = openScripted({ retry: { within: 60_000 } }, busy('31'), found);
    const result = client.getContentById('c_1');
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await result).toMatchObject({ id: 'c_1' });
    expect(sent).toEqual([0, 31_000]);
  });

  test('fails immediately when the wait exceeds the maximum timer delay, regardless of the limit', async () => {
    const thirtyDays = String(30 * 24 * 60 * 60);
    const { client, sent } = openScripted({ retry: { within: Number.POSITIVE_INFINITY } }, busy(thirtyDays), found);
    await expect(client.getContentById('c_1')).rejects.toMatchObject({ status: 429 });
    expect(sent).toEqual([0]);
  });

  test('the sum of all waits stays within the limit', async () => {
    const { client, sent } = openScripted({ retry: { attempts: 100 } }, busy('9'));
    const result = expect(client.getContentById('c_1')).rejects.toMatchObject({ status: 429 });
    await vi.runAllTimersAsync();
    await result;
    expect(sent).toEqual([0, 9000, 18_000, 27_000]);
  });

  test.each(['nonsense', '0', '-5', new Date(0).toUTCString()])('ignores Retry-After: %s', async (header) => {
    const { client, sent } = openScripted({}, busy(header), found);
    const result = client.getContentById('c_1');
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ id: 'c_1' });
    expect(sent[1]).toBeGreaterThanOrEqual(100);
    expect(sent[1]).toBeLessThanOrEqual(200);
  });

  test('doubles each pause and randomises half of it', async () => {
    const gaps: number[][] = [];
    for (let run = 0; run < 20; run++) {
      const { client, sent } = openScripted({ retry: { attempts: 8, within: 60_000 } }, busy());
      const result = expect(client.getContentById('c_1')).rejects.toMatchObject({ status: 429 });
      await vi.runAllTimersAsync();
      await result;
      expect(sent).toHaveLength(8);
      gaps.push(sent.slice(1).map((time, index) => time - (sent[index] ?? 0)));
    }
    for (const [index, most] of [200, 400, 800, 1600, 3200, 5000, 5000].entries()) {
      const lengths = gaps.map((each) => each[index] ?? 0);
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(most / 2);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(most + 1);
      expect(new Set(lengths).size).toBeGreaterThan(5);
    }
  });

  test('sends a request up to 4 times by default, up to `attempts` times, or once when retry is false', async () => {
    for (const [options, times] of [
      [{}, 4],
      [{ retry: {} }, 4],
      [{ retry: { attempts: 2 } }, 2],
      [{ retry: false }, 1],
      [{ retry: { within: 0 } }, 1],
    ] as const) {
      const { client, sent } = openScripted(options, busy());
      const result = expect(client.getContentById('c_1')).rejects.toMatchObject({ message: 'Too many requests.' });
      await vi.runAllTimersAsync();
      await result;
      expect(sent).toHaveLength(times);
    }
  });

  test.each(['signal', 'fetchOptions.signal', "the client's fetchOptions.signal"])(
    'an abort by %s ends a wait immediately, rejects the call with the reason, and leaves no timer running',
    async (place) => {
      const controller = new AbortController();
      const { signal } = controller;
      const isOfClient = place.startsWith('the client');
      const { client, sent } = openScripted(isOfClient ? { fetchOptions: { signal } } : {}, busy('5'), found);
      const call = isOfClient ? {} : place === 'signal' ? { signal } : { fetchOptions: { signal } };
      const result = client.getContentById('c_1', call).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(1000);
      expect(vi.getTimerCount()).toBe(1);
      const reason = new Error('no longer needed');
      controller.abort(reason);
      expect(await result).toBe(reason);
      expect(vi.getTimerCount()).toBe(0);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(sent).toEqual([0]);
    },
  );

  test('an attempt that timed out is retried', async () => {
    const { client, sent } = openScripted({ timeout: 50 }, () => new Promise<Response>(() => {}), found);
    const result = client.getContentById('c_1');
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ id: 'c_1' });
    expect(sent).toHaveLength(2);
  });

  test('by default, retries timeouts and sends nothing after 30 seconds', async () => {
    const sent: number[] = [];
    const start = Date.now();
    const fetch = (): Promise<Response> => {
      sent.push(Date.now() - start);
      return new Promise(() => {});
    };
    const result = expect(createClient({ ...ACCESS, fetch }).getContentById('c_1')).rejects.toMatchObject({
      code: 'timeout',
    });
    await vi.runAllTimersAsync();
    await result;
    expect(sent.map((time) => Math.floor(time / 10_000))).toEqual([0, 1, 2]);
  });

  test('setting the clock back does not prolong the retries', async () => {
    const { client, sent } = openScripted({ retry: { attempts: 100 } }, busy('9'));
    const result = expect(client.getContentById('c_1')).rejects.toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(10_000);
    vi.setSystemTime(Date.UTC(2025, 0, 1));
    await vi.runAllTimersAsync();
    await result;
    expect(sent).toHaveLength(4);
  });

  test('the timeout restarts for each attempt, and 0, false and Infinity disable it', async () => {
    const hang = (signal: AbortSignal | null | undefined): Promise<Response> =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const fetch = (_: string, init: RequestInit): Promise<Response> => hang(init.signal);
    const client = createClient({ ...ACCESS, fetch, timeout: 3000, retry: { attempts: 2 } });
    const result = expect(client.getContentById('c_1')).rejects.toMatchObject({ code: 'timeout' });
    const start = Date.now();
    await vi.runAllTimersAsync();
    await result;
    expect(Date.now() - start).toBeGreaterThanOrEqual(6100);
    expect(Date.now() - start).toBeLessThanOrEqual(6200);
    for (const timeout of [0, false, 2 ** 31, Number.POSITIVE_INFINITY] as const) {
      client.getContentById('c_1', { timeout }).catch(() => {});
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

test('an abort during the response cancels the request, and the call rejects with the reason', async () => {
  await using server = await startScriptedServer(() => {});
  const controller = new AbortController();
  const client = createClient({ ...ACCESS, apiURL: server.url });
  const result = client.getContentById('c_1', { signal: controller.signal }).catch((error: unknown) => error);
  await server.waitForRequests(1);
  controller.abort();
  expect(await result).toBe(controller.signal.reason);
  expect(controller.signal.reason).toMatchObject({ name: 'AbortError' });
});

test('an abort before the call prevents the request', async () => {
  let sent = 0;
  const fetch = async (): Promise<Response> => {
    sent += 1;
    return Response.json(FOUND.body);
  };
  const signal = AbortSignal.abort('enough');
  const client = createClient({ ...ACCESS, fetch });
  expect(await client.getContentById('c_1', { signal }).catch((error: unknown) => error)).toBe('enough');
  expect(sent).toBe(0);
});

test('removes its listener from a signal, however the call ends', async () => {
  await using server = await startScriptedServer({ status: 503 }, FOUND, { status: 404 }, () => {});
  const client = createClient({ ...ACCESS, apiURL: server.url, retry: { attempts: 2 } });
  const controller = new AbortController();
  const { signal } = controller;
  await client.getContentById('c_1', { signal });
  await expect(client.getContentById('c_1', { signal })).rejects.toMatchObject({ status: 404 });
  await expect(client.getContentById('c_1', { signal, timeout: 50, fetchOptions: { signal } })).rejects.toMatchObject({
    code: 'timeout',
  });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

/** A `fetch` and a response body that ignore the signal. */
const deaf = {
  fetch: () => new Promise<Response>(() => {}),
  body: async () => Object.assign(new Response(), { text: () => new Promise<string>(() => {}) }),
};

test.each(['fetch', 'body'] as const)('does not wait for a %s that ignores its signal', async (which) => {
  const client = createClient({ ...ACCESS, fetch: deaf[which], retry: false });
  await expect(client.getContentById('c_1', { timeout: 20 })).rejects.toMatchObject({ code: 'timeout' });
  const controller = new AbortController();
  const result = client.getContentById('c_1', { signal: controller.signal, timeout: false });
  controller.abort(new Error('enough'));
  await expect(result).rejects.toThrow('enough');
});

test('concurrent calls that share a signal add one listener to it', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const client = createClient({ ...ACCESS, fetch: deaf.fetch, fetchOptions: { signal } });
  const calls = Array.from({ length: 20 }, () => client.getContentById('c_1', { signal, fetchOptions: { signal } }));
  const ends = Promise.allSettled(calls);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort('enough');
  expect(await ends).toEqual(calls.map(() => ({ status: 'rejected', reason: 'enough' })));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('follows circular causes only to a fixed depth', async () => {
  const [one, other] = [new Error('one'), new Error('other')];
  one.cause = other;
  other.cause = one;
  const client = createClient({ ...ACCESS, retry: false, fetch: () => Promise.reject(one) });
  await expect(client.getContentById('c_1')).rejects.toMatchObject({
    code: 'network',
    message: expect.stringMatching(/could not be reached: (one|other)$/),
  });
});
