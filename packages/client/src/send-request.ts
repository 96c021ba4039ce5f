// Sends a request: builds it from the options of the client and the call, retries it, and revalidates a stored response. The
// result is JSON or a GalleyError. A store that fails is treated as empty.

import { isRecord } from './check-value.ts';
import { followSignals } from './follow-signals.ts';
import { GalleyError, isGalleyError } from './galley-error.ts';
import type { AnswerStore } from './memory-store.ts';
import { type Answer, type KeptAnswer, parseAnswer } from './parse-answer.ts';
import type { ClientSettings } from './parse-options.ts';
import { mergeHeaders } from './parse-options.ts';

export interface ServiceRequest extends ClientSettings {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Headers };
  /** The key of the response in the store. */
  readonly storeKey: string;
}

/**
 * Builds a request. The call's options override the client's, and both override the defaults.
 * @param path the path of one content object; empty for a list
 */
export function buildRequest(settings: ClientSettings, path: string, query: string): ServiceRequest {
  const url = `${settings.root}/content${path}${query && '?'}${query}`;
  const prefix = settings.headerPrefix;
  const preview = `${prefix}-PREVIEW`;
  const own: Record<string, string | false | undefined> = {
    accept: 'application/json',
    authorization: `Bearer ${settings.apiKey}`,
    [`${prefix}-SITE`]: settings.siteId,
    [`${prefix}-LANGUAGE`]: settings.language,
    [preview]: settings.isPreview && 'true',
    [`${prefix}-SIMPLE-PAGINATION`]: settings.simplePagination && 'true',
  };
  const defaults = new Headers();
  for (const [name, value] of Object.entries(own)) if (value) defaults.set(name, value);
  const headers = mergeHeaders(defaults, settings.fetchOptions.headers);
  // A caller that sends its own ETag already has the body. Previews must not be stored.
  const isOutside = headers.has('if-none-match') || headers.has(preview);
  return {
    ...settings,
    url,
    init: { ...settings.fetchOptions, headers },
    store: isOutside ? undefined : settings.store,
    storeKey: [url, ...Object.keys(own).map((name) => headers.get(name))].join('\n'),
  };
}

/** 23 days in milliseconds. Timers longer than 24.8 days fire immediately. */
const LONGEST_TIMER = 2e9;
const HALF_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
export const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_ATTEMPTS = 4;
/** In milliseconds: enough for three attempts that time out, and the pauses between them. */
const DEFAULT_WITHIN = 30_000;

export async function sendRequest(request: ServiceRequest): Promise<Answer> {
  const { store, storeKey, retry } = request;
  const start = performance.now();
  const kept = store && (await bound(request, () => findKept(request, store)).catch(() => undefined));
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await bound(request, (signal) => sendOnce(request, signal, kept));
      const { fresh } = answer;
      if (store && fresh) await bound(request, async () => store.set(storeKey, fresh)).catch(() => undefined);
      return answer;
    } catch (error) {
      const isLast = retry === false || !(attempt < (retry?.attempts ?? DEFAULT_ATTEMPTS));
      if (isLast || !isGalleyError(error) || !error.retryable) throw error;
      const pause = Math.max(error.retryAfter ?? 0, choosePause(attempt));
      if (!(performance.now() + pause <= start + Math.min(retry?.within ?? DEFAULT_WITHIN, LONGEST_TIMER))) throw error;
      await bound({ ...request, timeout: 0 }, (signal) => wait(pause, signal));
    }
  }
}

/** Settles when the work is done, times out or is aborted by a signal, even if the work itself continues. */
export function bound<Value>(
  { signals, timeout = DEFAULT_TIMEOUT, url }: Pick<ServiceRequest, 'signals' | 'timeout' | 'url'>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const release = followSignals(signals, controller);
  const { signal } = controller;
  const expire = (): void =>
    controller.abort(new GalleyError(`${url} did not respond within ${timeout} ms.`, { code: 'timeout', url }));
  const timer = timeout && timeout <= LONGEST_TIMER ? setTimeout(expire, timeout) : undefined;
  return new Promise<Value>((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    else work(signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    release();
  });
}

/** Finds the stored response. The ETag is sent only if the stored body can be read. */
async function findKept({ storeKey, init }: ServiceRequest, store: AnswerStore): Promise<KeptAnswer | undefined> {
  const stored = await store.get(storeKey);
  return (
    stored && {
      headers: mergeHeaders(init.headers, { 'if-none-match': stored.etag }),
      body: JSON.parse(stored.body),
      link: stored.link,
    }
  );
}

async function sendOnce(request: ServiceRequest, signal: AbortSignal, kept: KeptAnswer | undefined): Promise<Answer> {
  const { url, fetch = globalThis.fetch, init } = request;
  try {
    const response = await fetch(url, { ...init, headers: kept?.headers ?? init.headers, signal });
    return parseAnswer(request, response, await response.text(), kept);
  } catch (cause) {
    if (isGalleyError(cause)) throw cause;
    throw new GalleyError(`${url} could not be reached: ${describeCause(cause)}`, { code: 'network', url, cause });
  }
}

/** The message `fetch failed` is not helpful, but its cause is. Causes can be circular. */
export function describeCause(error: unknown, depth = 9): string {
  if (!isRecord(error)) return String(error);
  return depth && error.cause ? describeCause(error.cause, depth - 1) : String(error.message || error.code || error);
}

/** The pause doubles with each attempt. Half of it is random, to keep many clients from retrying at the same time. */
function choosePause(attempt: number): number {
  return Math.min(HALF_PAUSE * 2 ** attempt, LONGEST_PAUSE) * (1 - Math.random() / 2);
}

export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
