// The Link header (RFC 8288): where a list goes on when it answered with a bare object, and so without an envelope.

export type Relation = 'first' | 'last' | 'prev' | 'next';

/** Addresses by what they lead to; null or absent where there is no such page. */
export type Links = { readonly [Name in Relation]?: string | null };

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:\\.|[^"\\])*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;,"]*)))?/g;

export function parseLinkHeader(header: string | null): Links {
  const links: { [name: string]: string } = {};
  for (const [, url = '', parameters = ''] of (header ?? '').matchAll(LINK)) {
    const [, , quoted, plain = ''] =
      [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel') ?? [];
    for (const relation of (quoted ?? plain).toLowerCase().split(/\s+/)) links[relation] ??= url;
  }
  return links;
}
