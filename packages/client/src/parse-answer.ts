// A response of the service as JSON, or as the error that it means.

import { codeOf, GalleyError } from './galley-error.ts';
import type { StoredAnswer } from './memory-store.ts';

export interface Answer {
  readonly url: string;
  readonly requestId: string | undefined;
  readonly link: string | null;
  readonly body: unknown;
}

interface ParsedAnswer {
  readonly answer: Answer;
  /** What a store may keep; undefined where there is nothing to keep. */
  readonly kept: StoredAnswer | undefined;
}

export function parseAnswer(url: string, response: Response, text: string, stored?: StoredAnswer): ParsedAnswer {
  const { headers, status } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const isUnchanged = status === 304 && stored !== undefined;
  const body = parseJson(isUnchanged ? stored.body : text);
  if (!isUnchanged && (!response.ok || body === undefined)) {
    const message = messageOf(body);
    // A 404 of something that is not the API says nothing of content.
    const isForeign = message === undefined && (response.ok || status < 400 || status === 404);
    throw new GalleyError(message ?? describeForeign(url, response), {
      code: isForeign ? 'unreadable' : codeOf(status),
      url,
      status,
      requestId,
      retryAfter: parseRetryAfter(headers.get('retry-after')),
    });
  }
  const etag = headers.get('etag');
  const mayKeep = etag !== null && !/no-store/i.test(headers.get('cache-control') ?? '');
  const link = isUnchanged ? stored.link : headers.get('link');
  return {
    answer: { url, requestId, link, body },
    kept: mayKeep && !isUnchanged ? { etag, body: text, link } : undefined,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null;
}

function messageOf(body: unknown): string | undefined {
  return isRecord(body) && typeof body.message === 'string' ? body.message : undefined;
}

function describeForeign(url: string, { status, headers, redirected, url: finalUrl }: Response): string {
  const kind = headers.get('content-type')?.split(';', 1)[0] ?? 'no content type';
  const way = redirected ? ` (redirected to ${finalUrl})` : '';
  return `${url}${way} answered ${status} with ${kind}, not with the API's JSON; is apiURL its root?`;
}

/** Seconds, or a date. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
