/** What may be told of an address: no user, no password, no parameters. */
export function nameDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
