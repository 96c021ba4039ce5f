/** Returns the path of a page. It is always a path on this site, whatever `uri` contains. */
export function buildPath(uri: string): string {
  return `/${uri.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`;
}
