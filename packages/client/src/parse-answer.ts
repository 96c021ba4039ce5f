// A response of the service as JSON, or as the error that it means.

import { isRecord } from './check-value.ts';
import { codeOf, GalleyError } from './galley-error.ts';
import type { StoredAnswer } from './memory-store.ts';

export interface Answer {
  readonly url: string;
  readonly requestId: string | undefined;
  readonly link: string | null;
  readonly body: unknown;
}

/** An answer of before, which is asked for again by its tag. */
export interface KeptAnswer {
  /** Those of the request, and the tag. */
  readonly headers: Headers;
  readonly body: unknown;
  readonly link: string | null;
}

export interface ParsedAnswer {
  readonly answer: Answer;
  /** What a store may keep; undefined where there is nothing to keep. */
  readonly fresh: StoredAnswer | undefined;
}

export function parseAnswer(url: string, response: Response, text: string, kept?: KeptAnswer): ParsedAnswer {
  const { headers, status } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  if (status === 304 && kept) return { answer: { url, requestId, link: kept.link, body: kept.body }, fresh: undefined };
  const body = parseJson(text);
  if (!response.ok || body === undefined) {
    const message = messageOf(body);
    const way = response.redirected ? ` (redirected to ${response.url})` : '';
    // A 404 of something that is not the API says nothing of content.
    const isForeign = message === undefined && (response.ok || status < 400 || status === 404);
    throw new GalleyError(
      (message ?? describeForeign(url, status, headers.get('content-type')?.split(';', 1)[0])) + way,
      {
        code: isForeign ? 'unreadable' : codeOf(status),
        url,
        status,
        requestId,
        retryAfter: parseRetryAfter(headers.get('retry-after')),
      },
    );
  }
  const etag = headers.get('etag');
  const link = headers.get('link');
  const mayKeep = etag !== null && !/no-store/i.test(headers.get('cache-control') ?? '');
  return { answer: { url, requestId, link, body }, fresh: mayKeep ? { etag, body: text, link } : undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): string | undefined {
  return isRecord(body) && typeof body.message === 'string' ? body.message : undefined;
}

export function describeForeign(url: string, status: number, kind = 'no content type'): string {
  return `${url} answered ${status} with ${kind}, not with the API's JSON; is apiURL its root?`;
}

/** Seconds, or a date. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const wait = seconds >= 0 ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
