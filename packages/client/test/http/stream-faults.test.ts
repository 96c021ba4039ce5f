// Tests how a client behaves if the stream fails, is missing or is buffered by a proxy. The server's responses are scripted. The client's
// clock advances by one millisecond in each turn of the event loop, so the speed of the machine does not matter.

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChangesPage, type FollowTimes, followChanges } from '../../src/follow-changes.ts';
import { type GalleyError, isGalleyError } from '../../src/index.ts';
import { mergeOptions, parseOptions } from '../../src/parse-options.ts';
import { answer, type ScriptedServer, type Step, startScriptedServer } from './scripted-server.ts';

let turn: NodeJS.Immediate;

function advanceClock(): void {
  vi.advanceTimersByTime(1);
  turn = setImmediate(advanceClock);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  advanceClock();
});

afterEach(() => {
  clearImmediate(turn);
  vi.useRealTimers();
});

const TIMES: FollowTimes = { firstBytes: 300, silence: 300, poll: 1000, withoutStream: 60_000, pause: 10 };

function page(position: string, ids: readonly string[] = []): object {
  const changes = ids.map((id) => ({
    id,
    kind: 'updated',
    position,
    content_type: 'book',
    language: 'en',
    moved: null,
  }));
  return { changes, content: null, too_large: [], next: position, has_more: false, drop_others: false };
}

function open(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
}

const pageEvent = (position: string, ids: readonly string[]): string =>
  `event: page\nid: ${position}\ndata: ${JSON.stringify(page(position, ids))}\n\n`;

/** The response to the first request: the client is up to date. */
const START: Step = { body: page('p0') };

interface Followed {
  readonly server: ScriptedServer;
  /** The positions that the client received. */
  readonly positions: string[];
  readonly ids: string[];
  readonly retries: GalleyError[];
  readonly error: unknown;
  /** The path, position and wait time of each request. */
  readonly requests: readonly string[];
}

/** Follows changes until a page with the position `end` arrives. */
async function follow(steps: readonly Step[], times: Partial<FollowTimes> = {}): Promise<Followed> {
  await using server = await startScriptedServer(START, ...steps);
  const settings = mergeOptions(parseOptions({ apiURL: server.url, apiKey: 'gk_x', siteId: 's_1' }));
  const retries: GalleyError[] = [];
  const positions: string[] = [];
  const ids: string[] = [];
  let error: unknown;
  try {
    const onRetry = (failure: GalleyError) => retries.push(failure);
    const request = { settings, feed: `${server.url}/changes/v1`, params: {}, since: 'p', isLive: true, onRetry };
    for await (const found of followed(request, { ...TIMES, ...times })) {
      if (isGalleyError(found)) throw found;
      const { next: position, changes } = found;
      positions.push(position);
      ids.push(...changes.map(({ id }) => id));
      if (position === 'end') break;
    }
  } catch (cause) {
    error = cause;
  }
  const requests = server.requests.map(({ url = '' }) => {
    const { pathname, searchParams } = new URL(url, server.url);
    return [pathname.replace('/changes/v1', 'feed'), searchParams.get('since'), searchParams.get('wait') ?? '']
      .join(' ')
      .trim();
  });
  return { server, positions, ids, retries, error, requests };
}

function followed(
  request: Parameters<typeof followChanges>[0],
  times: FollowTimes,
): AsyncIterable<ChangesPage<unknown> | GalleyError> {
  return followChanges<unknown>(request, times);
}

describe('a stream', () => {
  test('is followed from the position of the last page, even if an event arrives in parts', async () => {
    const text = `retry: 1000\n\nevent: open\nid: p0\ndata: {"next":"p0"}\n\n:\n\n${pageEvent('end', ['c_é'])}`;
    const bytes = Buffer.from(text);
    const { positions, ids, requests, error } = await follow([
      (_, response) => {
        open(response, '');
        const middle = bytes.indexOf('é') + 1;
        response.write(bytes.subarray(0, middle));
        setImmediate(() => response.write(bytes.subarray(middle)));
      },
    ]);
    expect(error).toBe(undefined);
    expect(positions).toEqual(['p0', 'p0', 'end']);
    expect(ids).toEqual(['c_é']);
    expect(requests).toEqual(['feed p', 'feed/stream p0']);
  });

  test('is reopened after it ends, is cut off, goes silent or contains unreadable data', async () => {
    const { positions, retries, requests, error } = await follow([
      (_, response) => {
        open(response, pageEvent('p1', ['c_1']));
        response.end();
      },
      (_, response) => {
        open(response, `${pageEvent('p2', ['c_2'])}event: page\ndata: {"changes"`);
        response.socket?.end();
      },
      (_, response) => open(response, pageEvent('p3', ['c_3'])),
      (_, response) => open(response, 'event: page\ndata: {"changes":[\n\n'),
      { status: 500 },
      { status: 503, headers: { 'retry-after': '0' } },
      { body: page('p3') },
      (_, response) => open(response, pageEvent('end', [])),
    ]);
    expect(error).toBe(undefined);
    expect(positions).toEqual(['p0', 'p1', 'p2', 'p3', 'p3', 'end']);
    expect(requests.slice(1)).toEqual([
      ...['p0', 'p1', 'p2', 'p3', 'p3', 'p3'].map((since) => `feed/stream ${since}`),
      'feed p3',
      'feed/stream p3',
    ]);
    expect(retries.map(({ code }) => code)).toEqual([
      'network',
      'network',
      'timeout',
      'network',
      'server_error',
      'unavailable',
    ]);
  });

  test.each<[what: string, step: Step]>([
    ['does not exist', { status: 404 }],
    ['is not allowed', { status: 405 }],
    ['is not an event stream', { body: {} }],
    ['is buffered by a proxy', () => {}],
    [
      'is buffered by a proxy that sends only the headers',
      (_, response) => response.writeHead(200, EVENT_STREAM).flushHeaders(),
    ],
  ])('is replaced by long polls if it %s', async (_, step) => {
    const { positions, requests, error } = await follow([step, { body: page('p1') }, { body: page('end') }]);
    expect(error).toBe(undefined);
    expect(positions).toEqual(['p0', 'p1', 'end']);
    expect(requests).toEqual(['feed p', 'feed/stream p0', 'feed p0 1', 'feed p1 1']);
  });

  test('is requested again later if it did not exist at first', async () => {
    const steps: readonly Step[] = [{ status: 404 }, (_, response) => open(response, pageEvent('end', []))];
    const { positions, requests } = await follow(steps, { withoutStream: 0 });
    expect(positions).toEqual(['p0', 'end']);
    expect(requests).toEqual(['feed p', 'feed/stream p0', 'feed/stream p0']);
  });

  test.each([401, 403, 422, 410])('ends if it is refused with %i', async (status) => {
    const { error, retries, requests } = await follow([{ status }]);
    expect(error).toMatchObject({ status });
    expect(retries).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  test('ends with the same error as a 410 response if its position expires', async () => {
    const text = `${pageEvent('p1', [])}event: gone\ndata: {"message":"Gone."}\n\n`;
    const { positions, error } = await follow([(_, response) => open(response, text)]);
    expect(positions).toEqual(['p0', 'p1']);
    expect(error).toMatchObject({ status: 410 });
  });

  test('is replaced by single requests while the server cannot open another stream', async () => {
    const last: Step = (_, response) => open(response, pageEvent('end', ['c']));
    const { ids, requests } = await follow([
      { status: 429 },
      { body: page('p1', ['a']) },
      { status: 503 },
      { body: page('p2', ['b']) },
      last,
    ]);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(requests).toEqual(['feed p', 'feed/stream p0', 'feed p0', 'feed/stream p1', 'feed p1', 'feed/stream p2']);
  });

  test('pauses longer after each failure, and for as long as the server asks', async () => {
    const startedAt = performance.now();
    const failing: readonly Step[] = Array.from({ length: 5 }, () => ({ status: 503 }));
    const last: Step = (_, response) => open(response, pageEvent('end', []));
    const full: Step = { status: 429, headers: { 'retry-after': '1' } };
    const { retries } = await follow([...failing, full, { body: page('p1') }, last]);
    expect(retries).toHaveLength(6);
    // At least half of each pause (10, 20, 40, 80 and 160 ms), plus one second.
    expect(performance.now() - startedAt).toBeGreaterThan(1155);
  });
});

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

describe('long polls', () => {
  test('are not repeated immediately if the server responds without waiting', async () => {
    const startedAt = performance.now();
    const { requests } = await follow(
      [{ status: 404 }, { body: page('p0') }, { body: page('p0') }, { body: page('end') }],
      {
        pause: 200,
      },
    );
    expect(requests).toHaveLength(5);
    expect(performance.now() - startedAt).toBeGreaterThan(400);
  });

  test('are retried after a failure', async () => {
    const steps: readonly Step[] = [
      { status: 404 },
      (_, response) => response.destroy(),
      { status: 502 },
      (_, response) => answer(response, { body: page('end') }),
    ];
    const { positions, requests, retries } = await follow(steps);
    expect(positions).toEqual(['p0', 'end']);
    expect(retries.map(({ code }) => code)).toEqual(['network', 'unavailable']);
    expect(requests.slice(2)).toEqual(['feed p0 1', 'feed p0 1', 'feed p0 1']);
  });
});
