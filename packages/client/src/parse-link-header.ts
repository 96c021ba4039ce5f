// The Link header (RFC 8288): where a list goes on when it answered with a bare object, and so without an envelope.

export type Relation = 'first' | 'last' | 'prev' | 'next';

/** Addresses by what they lead to; null or absent where there is no such page. */
export type Links = { readonly [Name in Relation]?: string | null };

/** An address, its relations, or a quoted text, in which nothing counts. */
const PART = /<([^<>]*)>|;\s*rel\s*=\s*"?([^";,]*)"?|"(?:\\.|[^"\\])*"/gi;

export function parseLinkHeader(header: string | null): Links {
  const links: { [name: string]: string } = {};
  let address = '';
  for (const [, url, relations] of (header ?? '').matchAll(PART)) {
    if (relations === undefined) address = url ?? address;
    // Only the first `rel` of an address counts.
    else if (address) {
      for (const [relation] of relations.toLowerCase().matchAll(/\S+/g)) links[relation] ??= address;
      address = '';
    }
  }
  return links;
}
