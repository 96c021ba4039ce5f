import type { IncomingHttpHeaders } from 'node:http';

/** Browsers name HTML when they open an address; everything else takes whatever comes. */
export function acceptsHtml({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((range) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range));
}
