// The service's own request headers. They share one prefix, which a deployment may choose.

import type { IncomingHttpHeaders } from 'node:http';

export interface HeaderNames {
  readonly site: string;
  readonly simplePagination: string;
  readonly language: string;
  readonly preview: string;
}

/** Names in lower case, as Node gives them. */
export function buildHeaderNames(prefix: string): HeaderNames {
  const start = prefix.toLowerCase();
  return {
    site: `${start}-site`,
    simplePagination: `${start}-simple-pagination`,
    language: `${start}-language`,
    preview: `${start}-preview`,
  };
}

/** A header's text; one that is repeated or empty counts as what it says: a list, or nothing. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === '' ? undefined : text;
}

export function isSwitchedOn(headers: IncomingHttpHeaders, name: string): boolean {
  const value = readHeader(headers, name)?.toLowerCase();
  return value === 'true' || value === '1';
}
