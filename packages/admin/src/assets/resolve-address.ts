/** Where a browser finds what lies at an address of content: a path from `/` is one of the site's. */
export function resolveAddress(address: string, siteUrl: string | null): string {
  return siteUrl !== null && address.startsWith('/') ? `${siteUrl}${address}` : address;
}
