// Sends one GET request to a running service and returns everything that tests check in the response.

import { proofSize } from './proof.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly headers: Headers;
  /** The targets of the `Link` header by relation. */
  readonly links: Readonly<Record<string, string>>;
}

/** A slow machine may leave the service no time for a request, which is then repeated. A proof repeats none. */
const REPEATED = proofSize(503, undefined);

export async function get(url: string, token: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  for (;;) {
    const answer = await getOnce(url, token, headers);
    if (answer.status !== REPEATED) return answer;
  }
}

async function getOnce(url: string, token: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: parseBody(text),
    headers: response.headers,
    links: parseLinks(response.headers.get('link') ?? ''),
  };
}

/** A body that is not JSON becomes undefined, which never equals an expected body. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLinks(header: string): Readonly<Record<string, string>> {
  const found = [...header.matchAll(/<([^>]*)>;\s*rel="?([a-z]+)"?/g)];
  return Object.fromEntries(found.map(([, url = '', relation = '']) => [relation, url]));
}

export function urlOf(base: string, path: string, query: string): string {
  return query === '' ? `${base}${path}` : `${base}${path}?${query}`;
}
