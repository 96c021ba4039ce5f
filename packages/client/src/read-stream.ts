// Reads the stream of changes (server-sent events). The position is in the URL, which has the same effect as the Last-Event-ID header,
// and also works if a proxy allows only some headers from other origins.

import type { ChangeListBody } from '@galley/wire';
import { GalleyError } from './galley-error.ts';
import { describeForeign, parseAnswer } from './parse-answer.ts';
import { mergeHeaders } from './parse-options.ts';
import { bound, type ServiceRequest } from './send-request.ts';

/** In milliseconds. */
export interface StreamLimits {
  /** A stream that sends nothing for this long after the request is assumed to be buffered by a proxy. */
  readonly firstBytes: number;
  /** A connection without a heartbeat for this long is considered dead. */
  readonly silence: number;
}

const EMPTY_PAGE: Omit<ChangeListBody, 'next'> = {
  changes: [],
  content: [],
  too_large: [],
  has_more: false,
  drop_others: false,
};

/**
 * Yields the pages of a stream until the server ends it.
 * @param onOpen called when the first bytes have arrived
 */
export async function* readStream(
  request: ServiceRequest,
  limits: StreamLimits,
  onOpen: () => void,
): AsyncGenerator<unknown, void, undefined> {
  const { url, init, signals, fetch = globalThis.fetch } = request;
  const headers = mergeHeaders(init.headers, { accept: 'text/event-stream' });
  const until = performance.now() + limits.firstBytes;
  const opening = { signals, url, timeout: limits.firstBytes };
  const response = await bound(opening, (signal) => fetch(url, { ...init, headers, signal }));
  const { status, body } = response;
  const type = response.headers.get('content-type');
  if (status !== 200 || !body || !type?.startsWith('text/event-stream')) {
    parseAnswer(request, response, await bound(opening, () => response.text()));
    throw new GalleyError(describeForeign(url, status, type), { code: 'unreadable', url, status });
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = createEventParser();
  let timeout = Math.max(1, until - performance.now());
  try {
    for (;;) {
      const { done, value } = await bound({ signals, url, timeout }, () => reader.read());
      if (done) return;
      onOpen();
      timeout = limits.silence;
      for (const { event, data } of parse(decoder.decode(value, { stream: true }))) {
        if (event === 'gone') throw new GalleyError('The position has expired.', { code: 'refused', url, status: 410 });
        if (event === 'page') yield JSON.parse(data);
        // Sent instead of an empty page, so that the client has a position.
        if (event === 'open') yield { ...EMPTY_PAGE, ...JSON.parse(data) };
      }
    }
  } finally {
    // This is not awaited, because a dead connection may never confirm that it is closed.
    reader.cancel().catch(() => {});
  }
}

interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** @returns a function that takes the next part of the text, and returns the events that this part completes */
export function createEventParser(): (text: string) => readonly StreamEvent[] {
  let line = '';
  let event = '';
  let data: string[] = [];
  return (text) => {
    const events: StreamEvent[] = [];
    const [rest = '', ...others] = text.split('\n');
    line += rest;
    for (const next of others) {
      const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
      const colon = whole.indexOf(':');
      const name = whole.slice(0, Math.max(0, colon));
      const value = whole.slice(colon + (whole[colon + 1] === ' ' ? 2 : 1));
      line = next;
      if (name === 'event') event = value;
      if (name === 'data') data.push(value);
      if (whole === '') {
        if (event) events.push({ event, data: data.join('\n') });
        event = '';
        data = [];
      }
    }
    return events;
  };
}
