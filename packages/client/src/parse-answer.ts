// Parses a service response into JSON or an error.

import { isRecord } from './check-value.ts';
import { codeOf, GalleyError } from './galley-error.ts';
import type { StoredAnswer } from './memory-store.ts';
import type { ClientSettings } from './parse-options.ts';

export interface Answer {
  readonly url: string;
  readonly requestId: string | undefined;
  readonly link: string | null;
  readonly body: unknown;
  /** The part of the response that may be stored. */
  readonly fresh?: StoredAnswer;
}

/** A stored response to revalidate by its ETag. */
export interface KeptAnswer {
  /** The request headers, including the ETag. */
  readonly headers: Headers;
  readonly body: unknown;
  readonly link: string | null;
}

export function parseAnswer(
  { url, apiKey }: Pick<ClientSettings, 'apiKey'> & { readonly url: string },
  response: Response,
  text: string,
  kept?: KeptAnswer,
): Answer {
  const { headers, status } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  if (status === 304 && kept) return { ...kept, url, requestId };
  const body = parseJson(text);
  if (!response.ok || body === undefined) {
    const message = messageOf(body);
    const code = codeOf(status, message);
    const isOwn = message && code !== 'misconfigured';
    const said = isOwn ? message : describeForeign(url, status, message || headers.get('content-type'));
    const way = response.redirected ? ` (redirected to ${response.url})` : '';
    const retryAfter = parseRetryAfter(headers.get('retry-after'));
    // Some proxies repeat the request headers in their responses, including the API key.
    throw new GalleyError((said + way).replaceAll(apiKey, '***'), { code, url, status, requestId, retryAfter });
  }
  const etag = headers.get('etag');
  const link = headers.get('link');
  const mayKeep = etag && !/no-store/i.test(headers.get('cache-control') ?? '');
  return { url, requestId, link, body, ...(mayKeep && { fresh: { etag, body: text, link } }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): string {
  return isRecord(body) && typeof body.message === 'string' ? body.message : '';
}

export function describeForeign(url: string, status: number, kind: string | null): string {
  return `${url} responded with ${status} (${kind ?? 'no type'}). Is apiURL the root of the API?`;
}

/** The header contains a number of seconds, or a date. */
function parseRetryAfter(header: string | null): number | undefined {
  const wait = Number(header ?? NaN) * 1000;
  const pause = wait >= 0 ? wait : Math.max(0, Date.parse(header ?? '') - Date.now());
  return pause >= 0 ? pause : undefined;
}
