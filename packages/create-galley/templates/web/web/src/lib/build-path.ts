/** The path of a page. It always leads to this site, whatever the uri holds. */
export function buildPath(uri: string): string {
  return `/${uri.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`;
}
