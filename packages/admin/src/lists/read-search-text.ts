/** Text from the URL's query string, or undefined. The router parses digits as a number. */
export function readSearchText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
