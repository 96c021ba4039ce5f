/** The path of a page. It always stays on this site, whatever the URI contains. */
export function buildPath(uri: string): string {
  return `/${uri.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`;
}
