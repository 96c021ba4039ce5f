/** The URL to load for a link or a picture in content. A path that starts with `/` is relative to the site. */
export function resolveAddress(address: string, siteUrl: string | null): string {
  return siteUrl !== null && address.startsWith('/') ? `${siteUrl}${address}` : address;
}
