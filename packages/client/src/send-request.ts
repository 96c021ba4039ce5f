// A request and what becomes of it: repeated while that makes sense, revalidated where a store has an answer, and in the
// end either JSON or a GalleyError.

import type { FetchFunction } from './client-options.ts';
import { followSignals, type MaybeSignal } from './follow-signals.ts';
import { GalleyError, isGalleyError } from './galley-error.ts';
import type { AnswerStore, StoredAnswer } from './memory-store.ts';
import { type Answer, parseAnswer } from './parse-answer.ts';

export interface ServiceRequest {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Headers };
  readonly fetch: FetchFunction;
  readonly signals: readonly MaybeSignal[];
  /** Milliseconds; 0 for no limit. */
  readonly timeout: number;
  readonly attempts: number;
  /** Milliseconds. */
  readonly within: number;
  readonly store: AnswerStore | undefined;
  /** What answers are told apart by in the store. */
  readonly storeKey: string;
}

/** In milliseconds; a timer that is set for longer goes off at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;

export async function sendRequest(request: ServiceRequest): Promise<Answer> {
  const { storeKey, signals, init } = request;
  // A caller that asks by a tag of its own has the body that belongs to it.
  const store = init.headers.has('if-none-match') ? undefined : request.store;
  const stored = await store?.get(storeKey);
  if (stored !== undefined) init.headers.set('if-none-match', stored.etag);
  const start = Date.now();
  for (let attempt = 1; ; attempt++) {
    try {
      const { answer, kept } = await sendOnce(request, stored);
      if (kept !== undefined) await store?.set(storeKey, kept);
      return answer;
    } catch (error) {
      if (!isGalleyError(error) || !error.retryable || !(attempt < request.attempts)) throw error;
      const pause = Math.max(error.retryAfter ?? 0, choosePause(attempt));
      if (!(Date.now() + pause <= start + Math.min(request.within, LONGEST_TIMER))) throw error;
      await wait(pause, signals);
    }
  }
}

/** Doubles with each attempt; the half of it that is left to chance keeps many clients from coming back together. */
function choosePause(attempt: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE) * (1 - Math.random() / 2);
}

async function wait(milliseconds: number, signals: readonly MaybeSignal[]): Promise<void> {
  const { controller, release } = followSignals(signals);
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
    else timer = setTimeout(resolve, milliseconds);
  });
  clearTimeout(timer);
  release();
  signal.throwIfAborted();
}

async function sendOnce(request: ServiceRequest, stored: StoredAnswer | undefined) {
  const { url, fetch, timeout } = request;
  const { controller, release } = followSignals(request.signals);
  const { signal } = controller;
  const timer =
    timeout > 0 && timeout <= LONGEST_TIMER
      ? setTimeout(() => {
          controller.abort(new GalleyError(`${url} did not answer within ${timeout} ms.`, { code: 'timeout', url }));
        }, timeout)
      : undefined;
  try {
    signal.throwIfAborted();
    const response = await fetch(url, { ...request.init, signal });
    return parseAnswer(url, response, await response.text(), stored);
  } catch (cause) {
    signal.throwIfAborted();
    if (isGalleyError(cause)) throw cause;
    throw new GalleyError(`${url} could not be reached: ${describe(cause)}`, { code: 'network', url, cause });
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** `fetch failed` says nothing; the cause within it does. */
function describe(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return String(deepest);
  const code = 'code' in deepest ? String(deepest.code) : deepest.name;
  return deepest.message === '' ? code : deepest.message;
}
