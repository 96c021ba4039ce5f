/** The URL that a browser loads for an address in content: a path that begins with `/` is on the site. */
export function resolveAddress(address: string, siteUrl: string | null): string {
  return siteUrl !== null && address.startsWith('/') ? `${siteUrl}${address}` : address;
}
