/** The URL that a browser loads for an address in content. A path that starts with `/` is relative to the site. */
export function resolveAddress(address: string, siteUrl: string | null): string {
  return siteUrl !== null && address.startsWith('/') ? `${siteUrl}${address}` : address;
}
