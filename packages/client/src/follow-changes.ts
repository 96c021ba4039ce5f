// Reads the change feed page by page. Once up to date, follows the stream, or waits for changes if there is no stream.

import type { ChangeListBody } from '@galley/wire';
import { isRecord } from './check-value.ts';
import { parseContent } from './content-page.ts';
import { encodeParams } from './encode-params.ts';
import { GalleyError, isGalleyError, isNotFound } from './galley-error.ts';
import { describeForeign } from './parse-answer.ts';
import { type ClientSettings, mergeHeaders } from './parse-options.ts';
import { readStream, type StreamLimits } from './read-stream.ts';
import {
  bound,
  buildRequest,
  DEFAULT_TIMEOUT,
  describeCause,
  type ServiceRequest,
  sendRequest,
  wait,
} from './send-request.ts';

export interface ChangesRequest {
  readonly settings: ClientSettings;
  /** The URL of the feed. */
  readonly feed: string;
  readonly params: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Undefined for a full sync. */
  readonly since: string | undefined;
  /** Whether to follow later changes, and to retry failed requests for as long as it takes. */
  readonly isLive: boolean;
  readonly onRetry?: ((error: GalleyError) => void) | undefined;
}

/** A page of changes, with the objects that are still published. */
export interface ChangesPage<Content> extends ChangeListBody {
  /** Empty if the request did not ask for content. */
  readonly objects: ReadonlyMap<string, Content>;
}

/** In milliseconds. */
export interface FollowTimes extends StreamLimits {
  /** How long the server keeps a long-polling request open. */
  readonly poll: number;
  /** How long to use long polling before the stream is tried again. */
  readonly withoutStream: number;
  /** The pause after the first failure. It doubles with each further failure. */
  readonly pause: number;
}

const TIMES: FollowTimes = {
  firstBytes: 30_000,
  silence: 45_000,
  poll: 30_000,
  withoutStream: 600_000,
  pause: 1000,
};
const LONGEST_PAUSE = 30_000;
/** The longest wait that a server may request with Retry-After. */
const LONGEST_RETRY_AFTER = 600_000;

/**
 * If the position has expired, yields the feed's error instead of throwing it, and ends. If `isLive` is false, ends once all changes have
 * been read.
 */
export async function* followChanges<Content>(
  { settings, feed, params, since, isLive, onRetry }: ChangesRequest,
  times: FollowTimes = TIMES,
): AsyncGenerator<ChangesPage<Content> | GalleyError, void, undefined> {
  const { signals, timeout = DEFAULT_TIMEOUT } = settings;
  const reading: ClientSettings = {
    ...settings,
    language: undefined,
    isPreview: false,
    simplePagination: false,
    store: undefined,
    ...(isLive && { retry: false }),
  };
  let position = since;
  let isBehind = true;
  let pollUntil = 0;
  let failures = 0;

  const build = (url: string, more: object, limit: number | false = timeout): ServiceRequest => {
    const asked = `${url}?${encodeParams({ ...params, ...more, since: position })}`;
    return { ...buildRequest({ ...reading, timeout: limit }, '', ''), url: asked };
  };

  const rest = (milliseconds: number): Promise<void> =>
    bound({ signals, url: feed, timeout: 0 }, (signal) => wait(milliseconds, signal));

  /**
   * Adds the objects. Objects that are too large for the feed are fetched one by one. These requests ask for the newest state, because a
   * node might not have noticed the change yet.
   */
  const complete = async (page: unknown, url: string): Promise<ChangesPage<Content>> => {
    if (!isPage(page, 'include' in params)) {
      throw new GalleyError(describeForeign(url, 200, 'JSON'), { code: 'unreadable', url, status: 200 });
    }
    const objects = new Map<string, Content>();
    for (const body of page.content ?? []) {
      objects.set(body.id, parseContent<Content>({ url, body, requestId: undefined, link: null }));
    }
    for (const id of page.too_large) {
      try {
        const { init, ...request } = buildRequest(reading, `/${encodeURIComponent(id)}`, '');
        const headers = mergeHeaders(init.headers, { 'cache-control': 'no-cache, newest' });
        objects.set(id, parseContent<Content>(await sendRequest({ ...request, init: { ...init, headers } })));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return { ...page, objects };
  };

  for (;;) {
    const isStreaming = !isBehind && performance.now() >= pollUntil;
    const startedAt = performance.now();
    let isOpen = false;
    try {
      if (isStreaming) {
        const request = build(`${feed}/stream`, { limit: undefined });
        const onOpen = (): void => {
          isOpen = true;
        };
        for await (const body of readStream(request, times, onOpen)) {
          const page = await complete(body, request.url);
          position = page.next;
          if (page.changes.length) failures = 0;
          yield page;
        }
        throw new GalleyError(`The stream ${request.url} has ended.`, { code: 'network', url: request.url });
      }
      const held = isBehind ? 0 : times.poll;
      const request = build(feed, { wait: held / 1000 || undefined }, timeout && timeout + held);
      const { body } = await sendRequest(request);
      const page = await complete(body, request.url);
      position = page.next;
      isBehind = page.has_more;
      failures = 0;
      yield page;
      if (!isBehind && !isLive) return;
      // A server that is stopping responds without waiting.
      if (held && !page.changes.length && performance.now() - startedAt < times.pause) await rest(times.pause);
    } catch (cause) {
      if (isGone(cause, feed)) {
        yield cause;
        return;
      }
      if (!isLive || isAborted(settings)) throw cause;
      const error = isGalleyError(cause) ? cause : blameNetwork(cause, feed);
      if (isStreaming && !isOpen && hasNoStream(error)) {
        pollUntil = performance.now() + times.withoutStream;
        continue;
      }
      if (!error.retryable && error.code !== 'server_error') throw cause;
      // A server that has no room for another stream still responds to other requests.
      if (isStreaming && (error.status === 429 || error.status === 503)) isBehind = true;
      onRetry?.(error);
      // A stream that worked for a while was cut off by a proxy or a restart; nothing is wrong with the request.
      failures = performance.now() - startedAt > LONGEST_PAUSE ? 0 : failures + 1;
      const pause = Math.min(times.pause * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE) * (1 - Math.random() / 2);
      const asked = Math.min(error.retryAfter ?? 0, LONGEST_RETRY_AFTER);
      await rest(asked + pause);
    }
  }
}

/** Whether the error means that streams cannot be used: the server or a proxy does not support them, or a proxy buffers them. */
function hasNoStream({ code, status }: GalleyError): boolean {
  return code === 'misconfigured' || code === 'unreadable' || code === 'timeout' || status === 405 || status === 406;
}

function blameNetwork(cause: unknown, url: string): GalleyError {
  return new GalleyError(`${url} could not be reached: ${describeCause(cause)}`, { code: 'network', url, cause });
}

/** A page without the requested objects would look as if everything had been unpublished. */
function isPage(body: unknown, hasContent: boolean): body is ChangeListBody {
  return (
    isRecord(body) &&
    typeof body.next === 'string' &&
    Array.isArray(body.changes) &&
    Array.isArray(body.too_large) &&
    (!hasContent || Array.isArray(body.content))
  );
}

export function isAborted({ signals }: Pick<ClientSettings, 'signals'>): boolean {
  return signals.some((signal) => signal?.aborted);
}

/** Whether the server no longer has the position. The error may also be about an object that is fetched separately. */
function isGone(error: unknown, feed: string): error is GalleyError {
  return isGalleyError(error) && error.status === 410 && error.url.startsWith(feed);
}
